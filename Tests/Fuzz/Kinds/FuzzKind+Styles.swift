import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanStyles
import PortolanWeb

extension FuzzKind {
    /// Expressions, functions of stops and filters: what compiles has a value or an error for any feature, the same each time.
    static let expression = FuzzKind(
        name: "expression", grammar: .json, corpus: ["Tests/Fuzz/Corpus/expression/*"],
        memory: Bound(any: 1 << 21, each: 2_000), time: Bound(any: 60_000_000, each: 60_000), read: readExpression)

    /// Styles: supported parts draw any feature, and unsupported ones are reported.
    static let styleSheet = FuzzKind(
        name: "style-sheet", grammar: .json, corpus: ["Tests/Fuzz/Corpus/style-sheet/*"],
        memory: Bound(any: 1 << 22, each: 4_000), time: Bound(any: 80_000_000, each: 60_000), read: readStyleSheet)

    /// Indexes of sprites: what is read of one lies within bounds.
    static let spriteIndex = FuzzKind(
        name: "sprite-index", grammar: .json, corpus: ["Tests/Fuzz/Corpus/sprite-index/*"],
        memory: Bound(any: 1 << 21, each: 2_000), time: Bound(any: 60_000_000, each: 60_000), read: readSpriteIndex)

    /// Styled Layer Descriptors: supported parts draw any feature, and unsupported ones are reported with their line.
    static let styledLayers = FuzzKind(
        name: "sld", grammar: .xml, corpus: ["Tests/Fuzz/Corpus/sld/*"],
        memory: Bound(any: 1 << 22, each: 8_000), time: Bound(any: 80_000_000, each: 80_000), read: readStyleSheet)

    /// Icons in SVG: what is drawn has the stated size, and what is not drawn is listed.
    static let svgIcon = FuzzKind(
        name: "svg-icon", grammar: .xml, corpus: ["Tests/Fuzz/Corpus/svg-icon/*"],
        memory: Bound(any: 1 << 24, each: 40_000), time: Bound(any: 400_000_000, each: 400_000), read: readSVGIcon)

    private static func readSVGIcon(_ bytes: [UInt8]) throws -> Outcome {
        let icon: SVGIcon
        do { icon = try SVGIcon(bytes) } catch { return try refused(error.description) }
        guard icon.width > 0, icon.height > 0, icon.losses == icon.losses.sorted() else {
            throw Violation("an icon without a size, or losses without an order")
        }
        guard icon.width <= 64, icon.height <= 64 else { return .value("large") }
        guard let pixels = icon.pixels(scale: 1), pixels.width <= 64, pixels.height <= 64 else {
            throw Violation("a small icon that is not drawn")
        }
        return .value("\(magnitude(icon.losses.count))")
    }

    private static func readSpriteIndex(_ bytes: [UInt8]) throws -> Outcome {
        let index: SpriteIndex
        do { index = try SpriteIndex(bytes: bytes) } catch { return try refused(error.description) }
        for entry in index.entries.values where !(entry.x >= 0 && entry.y >= 0 && entry.pixelRatio > 0) {
            throw Violation("a picture outside the image")
        }
        return .value("\(magnitude(index.entries.count)) \(magnitude(index.malformedNames.count))")
    }

    private static func readStyleSheet(_ bytes: [UInt8]) throws -> Outcome {
        let sheet: StyleSheet
        do { sheet = try StyleSheet(bytes: bytes) } catch { return try refused(error.description) }
        guard sheet.layers.count <= sheet.layerCount else { throw Violation("more layers than there are") }
        for warning in sheet.warnings { _ = try refused(warning.description) }
        let spanish = try? StyleSheet(bytes: bytes, options: StyleSheet.Options(language: LabelLanguage("es")))
        guard spanish?.warnings == sheet.warnings else { throw Violation("a language with its own warnings") }
        var drawn = 0
        for layer in sheet.layers {
            for zoom in [0, 13.7] where layer.isDrawn(at: zoom) {
                var looks = FeatureStyler(
                    layer, zoom: zoom, globalState: sheet.globalState,
                    pictures: StylePictures(sprites: [], pixelRatio: 1))
                for feature in drawnFeatures {
                    guard let style = looks.look(of: feature)?.style else { continue }
                    drawn += 1
                    if let stroke = style.stroke, !(stroke.width > 0 && stroke.width <= 10_000) {
                        throw Violation("a line \(stroke.width) wide")
                    }
                }
                for error in looks.failures.values { _ = try refused(error.description) }
            }
        }
        return .value("\(magnitude(sheet.layers.count)) \(magnitude(sheet.warnings.count)) \(magnitude(drawn))")
    }

    private static let drawnFeatures: [Feature] = {
        let line = [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1), Coordinate(x: 1, y: 0)]
        let properties: Properties = ["class": "park", "rank": 3, "name": "Käpylä", "width": "wide"]
        return [.point(line[0]), .lineString(line), .polygon([line])].map {
            Feature(geometry: $0, properties: properties)
        }
    }()

    private static let contexts: [ExpressionContext] = {
        let point = Feature(
            id: 9, geometry: .point(Coordinate(x: 24.9, y: 60.2)),
            properties: [
                "class": "park", "rank": 3, "name": "Käpylä 🐡", "list": [1, "x", nil], "color": "#123", "lanes": 2.5,
                "object": ["a": ["b": true]],
            ])
        return [ExpressionContext(zoom: 0), ExpressionContext(zoom: 13.7, feature: point)]
    }()

    private static func readExpression(_ bytes: [UInt8]) throws -> Outcome {
        let json: PropertyValue
        do { json = try JSONReader.value(bytes: bytes) } catch { return try refused(error.description) }
        var words: [String] = []
        for specification in [
            PropertySpecification(.any, isInterpolated: true), PropertySpecification(.number, default: 1),
            PropertySpecification(.color, default: "#000", isInterpolated: true), PropertySpecification(.formatted),
        ] {
            do {
                words.append(try outcome(of: StyleExpression(json, for: specification)))
            } catch let error as StyleExpressionError {
                guard !error.errors.isEmpty else { throw Violation("it is refused without a reason") }
                for fault in error.errors { _ = try refused(fault.description) }
            }
        }
        do {
            let filter = try StyleExpression(filter: json)
            for context in contexts { words.append("\(filter.matches(context))") }
        } catch { for fault in error.errors { _ = try refused(fault.description) } }
        return .value(words.joined(separator: " "))
    }

    private static func outcome(of expression: StyleExpression) throws -> String {
        var words: [String] = []
        for context in contexts {
            do {
                let value = try expression.evaluate(context)
                let again = try expression.evaluate(context)
                guard "\(value)" == "\(again)" else { throw Violation("evaluated twice, it differs") }
                if let constant = expression.constant, "\(constant)" != "\(value)" {
                    throw Violation("a constant that varies")
                }
                words.append(value.type.description)
            } catch let error as EvaluationError {
                _ = try refused(error.description)
                words.append("no value")
            }
        }
        return words.joined(separator: " ")
    }
}
