package import PortolanFeatures
import PortolanGeo
package import PortolanRaster

extension StyleSheet {
    /// A layer of a style: which features it draws, between which zooms, and how.
    public struct Layer: Sendable {
        /// The types of layer that are drawn.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// One colour under all.
            case background
            /// Areas.
            case fill
            /// Bodies over areas, drawn flat as they are seen from above.
            case fillExtrusion = "fill-extrusion"
            /// Lines, and the borders of areas.
            case line
            /// Discs at points.
            case circle
            /// Texts and pictures.
            case symbol
            /// The density of points.
            case heatmap
            /// Pictures of a service or a file.
            case raster

            /// Whether it draws features.
            package var drawsFeatures: Bool { self != .background && self != .raster }
        }

        /// The name, of which there is one in a style.
        public let id: String
        /// What a legend calls it, the member `portolan:title` of its `metadata` or the title of its rule; `nil` where none is told,
        /// and empty where a legend leaves it out.
        public let title: String?
        /// What it draws.
        public let kind: Kind
        /// Whether it was a symbolizer of a Styled Layer Descriptor, whose marks and halos follow other rules.
        package var isSymbolizer: Bool { symbolizer != nil }
        /// What a symbolizer of a Styled Layer Descriptor says that styles of MapLibre have no words for, or `nil`.
        package let symbolizer: SymbolizerTraits?
        /// The name of its source, or `nil` for a background and where the style is for one source alone.
        public let source: String?
        /// The name of the layer in its source, or `nil`.
        public let sourceLayer: String?
        /// From which zoom on it is drawn.
        public private(set) var minimumZoom: Double
        /// From which zoom on it is drawn no more.
        public private(set) var maximumZoom: Double
        /// Whether it is drawn at all.
        public private(set) var isVisible: Bool
        /// Which features it draws, or `nil` for all.
        public let filter: StyleExpression?
        let properties: [StyleSheet.Key: StyleExpression]

        /// Whether it is drawn at a zoom.
        public func isDrawn(at zoom: Double) -> Bool { isVisible && zoom >= minimumZoom && zoom < maximumZoom }

        /// The layer drawn at all zooms.
        func shownAlways() -> StyleSheet.Layer {
            var layer = self
            (layer.minimumZoom, layer.maximumZoom, layer.isVisible) = (-.infinity, .infinity, true)
            return layer
        }

        /// Whether the filter lets a feature through.
        public func matches(_ context: ExpressionContext) -> Bool { filter?.matches(context) ?? true }

        /// Whether the style says something of a property.
        public func states(_ key: StyleSheet.Key) -> Bool { properties[key] != nil }

        /// Whether pictures of a sprite may be drawn, or asked for by an expression.
        package var usesPictures: Bool {
            kind == .symbol
                || [StyleSheet.Key.fillPattern, .fillExtrusionPattern, .linePattern, .backgroundPattern].contains(
                    where: states)
        }

        /// The classes into which a property divides features at a zoom; none where all get the same.
        package func classes(of key: StyleSheet.Key, at zoom: Double, globalState: Properties) -> [ExpressionClass] {
            var context = ExpressionContext(zoom: zoom)
            context.globalState = globalState
            return properties[key]?.classes(context) ?? []
        }

        /// The colour of a background at a zoom, or `nil` where nothing is seen of it.
        package func background(at zoom: Double, globalState: Properties) -> StyleColor? {
            var values = StyleValues(self, at: zoom, globalState)
            return values.color(.backgroundColor, opacity: .backgroundOpacity)
        }

        /// The name of the picture that a background repeats at a zoom, and how opaque it is; `nil` where it has none.
        package func backgroundPattern(at zoom: Double, globalState: Properties) -> (name: String, opacity: Double)? {
            var values = StyleValues(self, at: zoom, globalState)
            guard case .image(let image)? = values.value(.backgroundPattern) else { return nil }
            return (image.name, values.number(.backgroundOpacity, in: 0...1))
        }

        /// How opaque the layer is as a whole at a zoom, 0 to 1.
        package func opacity(at zoom: Double, globalState: Properties) -> Double {
            let keys: [Kind: StyleSheet.Key] = [
                .raster: .rasterOpacity, .fill: .fillLayerOpacity, .line: .lineLayerOpacity,
                .fillExtrusion: .fillExtrusionOpacity,
            ]
            guard let key = keys[kind] else { return 1 }
            var values = StyleValues(self, at: zoom, globalState)
            return values.number(key, in: 0...1)
        }

        /// How the colours of its pictures are changed at a zoom, or `nil` if they stay as they are.
        package func colorAdjustment(at zoom: Double, globalState: Properties) -> ColorAdjustment? {
            let keys: [StyleSheet.Key] = [
                .rasterHueRotate, .rasterSaturation, .rasterContrast, .rasterBrightnessMin, .rasterBrightnessMax,
            ]
            guard kind == .raster, keys.contains(where: states) else { return nil }
            var values = StyleValues(self, at: zoom, globalState), adjustment = ColorAdjustment()
            let turn = values.number(.rasterHueRotate, in: -36_000...36_000)
            if turn != 0 { (adjustment.hueCosine, adjustment.hueSine) = Bearing.axes(degrees: turn) }
            adjustment.saturation = values.number(.rasterSaturation, in: -1...1)
            adjustment.contrast = values.number(.rasterContrast, in: -1...1)
            adjustment.leastBrightness = values.number(.rasterBrightnessMin, in: 0...1)
            adjustment.mostBrightness = values.number(.rasterBrightnessMax, in: 0...1)
            return adjustment.isNone ? nil : adjustment
        }

        /// How far to the right and down the layer is moved at a zoom, in pixels, and whether that is as the map lies and not as the
        /// picture does.
        package func translation(at zoom: Double, globalState: Properties) -> (x: Double, y: Double, isOnMap: Bool)? {
            let keys: [Kind: (StyleSheet.Key, StyleSheet.Key)] = [
                .fill: (.fillTranslate, .fillTranslateAnchor), .line: (.lineTranslate, .lineTranslateAnchor),
                .circle: (.circleTranslate, .circleTranslateAnchor),
                .fillExtrusion: (.fillExtrusionTranslate, .fillExtrusionTranslateAnchor),
            ]
            guard let (key, anchor) = keys[kind], states(key) else { return nil }
            var values = StyleValues(self, at: zoom, globalState)
            let numbers = values.numbers(key).map { min(max($0, -1_000), 1_000) }
            guard numbers.count == 2, numbers != [0, 0] else { return nil }
            return (numbers[0], numbers[1], values.word(anchor) == "map")
        }

        /// The names of the properties of features that it asks for, or `nil` if it can ask for any.
        package var propertyNames: Set<String>? {
            var names: Set<String> = []
            for expression in Array(properties.values) + (filter.map { [$0] } ?? []) {
                guard let own = expression.propertyNames else { return nil }
                names.formUnion(own)
            }
            return names
        }

        /// Whether features with equal properties and types of geometry are drawn alike.
        package var drawsByProperties: Bool {
            symbolizer == nil && (filter.map { !$0.dependsOnIdentity && !$0.dependsOnShape } ?? true)
                && properties.values.allSatisfy { !$0.dependsOnIdentity && !$0.dependsOnShape }
        }

        /// Whether the coordinates of features decide which of them it draws, or how.
        package var dependsOnShape: Bool {
            filter?.dependsOnShape ?? false || properties.values.contains(where: \.dependsOnShape)
        }

        /// Whether it is drawn at some zoom of a range.
        package func isDrawn(within zooms: Range<Double>) -> Bool {
            isVisible && minimumZoom < zooms.upperBound && maximumZoom > zooms.lowerBound
        }

        /// Whether its features are drawn alike at all zooms.
        var isZoomConstant: Bool {
            (filter?.isZoomConstant ?? true) && properties.values.allSatisfy(\.isZoomConstant)
        }

        /// Whether all features are drawn alike at a zoom.
        var isUniform: Bool { properties.values.allSatisfy(\.isFeatureConstant) }
    }
}

/// The values of a layer's properties for a feature at a zoom; what has none is its default.
struct StyleValues {
    let layer: StyleSheet.Layer
    var context: ExpressionContext
    /// The first failure of each property.
    private(set) var failures: [StyleSheet.Key: EvaluationError] = [:]

    init(_ layer: StyleSheet.Layer, _ context: ExpressionContext) {
        self.layer = layer
        self.context = context
    }

    /// The values of a layer that draws no features.
    init(_ layer: StyleSheet.Layer, at zoom: Double, _ globalState: Properties) {
        var context = ExpressionContext(zoom: zoom)
        context.globalState = globalState
        self.init(layer, context)
    }

    /// The value, or the default, or `nil` where there is neither.
    mutating func value(_ key: StyleSheet.Key) -> ExpressionValue? {
        if let expression = layer.properties[key] {
            do throws(EvaluationError) {
                let value = try expression.evaluate(context)
                if let word = key.refusedWord(of: value) {
                    throw EvaluationError(path: [], reason: .word(word))
                }
                if value != .null, value.numberValue?.isFinite ?? true { return value }
            } catch {
                if failures[key] == nil { failures[key] = error }
            }
        }
        return key.defaultValue
    }

    mutating func number(_ key: StyleSheet.Key, in range: ClosedRange<Double> = -1e6...1e6) -> Double {
        min(max(value(key)?.numberValue ?? 0, range.lowerBound), range.upperBound)
    }

    /// A key of any size, such as a population; what is no number counts as 0.
    mutating func sortKey(_ key: StyleSheet.Key) -> Double {
        let number = value(key)?.numberValue ?? 0
        return number.isNaN ? 0 : number
    }

    mutating func color(_ key: StyleSheet.Key, opacity: StyleSheet.Key) -> StyleColor? {
        guard var color = value(key)?.colorValue else { return nil }
        color.alpha *= number(opacity, in: 0...1)
        return color.alpha > 0 ? color : nil
    }

    mutating func word(_ key: StyleSheet.Key) -> String { value(key)?.stringValue ?? "" }

    mutating func numbers(_ key: StyleSheet.Key) -> [Double] { value(key)?.numbers ?? [] }
}

extension StyleSheet.Key {
    /// The default as a value of the property's type.
    var defaultValue: ExpressionValue? { Self.defaults[self] }

    private static let defaults: [StyleSheet.Key: ExpressionValue] = {
        var defaults: [StyleSheet.Key: ExpressionValue] = [:]
        for key in allCases {
            let specification = key.facts.specification
            guard let value = specification.defaultValue, let type = specification.type else { continue }
            let plain = ExpressionValue(value)
            defaults[key] = plain.type.isSubtype(of: type) ? plain : CoercionNode.converted(plain, to: type)
        }
        return defaults
    }()

    /// The text that is none of the property's words, or `nil` where all is well.
    func refusedWord(of value: ExpressionValue) -> String? {
        guard case .word(let choices) = facts.specification.kind, let word = value.stringValue,
            !choices.contains(word)
        else { return nil }
        return word
    }
}
