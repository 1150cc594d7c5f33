package import PortolanFeatures
import PortolanGeo
package import PortolanRaster

extension StyleSheet {
    /// A layer of a style: its features, its zoom range and its properties.
    ///
    /// ```swift
    /// for layer in sheet.layers where layer.isDrawn(at: 12) {
    ///     print(layer.id, layer.kind, layer.states(.lineWidth))
    /// }
    /// ```
    public struct Layer: Sendable {
        /// The supported layer types.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// One colour below everything.
            case background
            /// Areas.
            case fill
            /// Extrusions of areas, drawn flat as seen from above.
            case fillExtrusion = "fill-extrusion"
            /// Lines, and the borders of areas.
            case line
            /// Discs at points.
            case circle
            /// Texts and icons.
            case symbol
            /// The density of points.
            case heatmap
            /// Images of a service or a file.
            case raster
            /// Shaded relief of elevations.
            case hillshade
            /// Colours of elevations.
            case colorRelief = "color-relief"

            /// Whether it draws features.
            package var drawsFeatures: Bool { self != .background && self != .raster && !drawsElevations }

            /// Whether it draws elevations.
            package var drawsElevations: Bool { self == .hillshade || self == .colorRelief }
        }

        /// The name, unique in a style.
        public let id: String
        /// The title for legends: the member `portolan:title` of its `metadata`, or the title of its rule.
        ///
        /// `nil` if none is stated, and empty if legends omit the layer.
        public let title: String?
        /// The titles of the classes of a property for legends, in the order of its expression: the member `portolan:classes` of its
        /// `metadata`.
        ///
        /// Legends omit classes with an empty title, and ticks at stops of an interpolation.
        let classTitles: [StyleSheet.Key: [String]]
        /// The language of numbers in legends, or `nil` for English.
        let language: LabelLanguage?
        /// Whether texts at points and in areas are placed by the rules of plain layers.
        let placesFreely: Bool
        /// The type.
        public let kind: Kind
        /// Whether it was a symbolizer of a Styled Layer Descriptor, whose marks and halos follow other rules.
        package var isSymbolizer: Bool { symbolizer != nil }
        /// The properties of a symbolizer that MapLibre styles cannot express, or `nil`.
        package let symbolizer: SymbolizerTraits?
        /// The name of its source, or `nil` for a background and in a style for a single source.
        public let source: String?
        /// The name of the layer in its source, or `nil`.
        public let sourceLayer: String?
        /// The zoom from which it is drawn.
        public private(set) var minimumZoom: Double
        /// The zoom from which it is no longer drawn.
        public private(set) var maximumZoom: Double
        /// Whether it is visible.
        public private(set) var isVisible: Bool
        /// The filter of its features, or `nil` for all.
        public let filter: StyleExpression?
        let properties: [StyleSheet.Key: StyleExpression]
        /// The inputs of the filter and the properties.
        let facts: Facts

        /// Returns whether it is drawn at a zoom.
        public func isDrawn(at zoom: Double) -> Bool { isVisible && zoom >= minimumZoom && zoom < maximumZoom }

        /// Returns the layer, drawn at all zooms.
        func shownAlways() -> StyleSheet.Layer {
            var layer = self
            (layer.minimumZoom, layer.maximumZoom, layer.isVisible) = (-.infinity, .infinity, true)
            return layer
        }

        /// Returns whether the filter accepts a feature.
        public func matches(_ context: ExpressionContext) -> Bool { filter?.matches(context) ?? true }

        /// Returns whether the style sets a property.
        public func states(_ key: StyleSheet.Key) -> Bool { properties[key] != nil }

        /// Whether it may draw sprite images, or query them in an expression.
        package var usesPictures: Bool {
            switch kind {
            case .symbol: true
            case .fill: states(.fillPattern)
            case .fillExtrusion: states(.fillExtrusionPattern)
            case .line: states(.linePattern)
            case .background: states(.backgroundPattern)
            case .circle, .heatmap, .raster, .hillshade, .colorRelief: false
            }
        }

        /// Returns the classes into which a property divides features at a zoom; empty if all get the same value.
        package func classes(of key: StyleSheet.Key, at zoom: Double, globalState: Properties) -> [ExpressionClass] {
            var context = ExpressionContext(zoom: zoom)
            context.globalState = globalState
            return properties[key]?.classes(context, titles: classTitles[key], language: language) ?? []
        }

        /// Returns the colour of a background at a zoom, or `nil` if it is invisible.
        package func background(at zoom: Double, globalState: Properties) -> StyleColor? {
            var values = StyleValues(self, at: zoom, globalState)
            return values.color(.backgroundColor, opacity: .backgroundOpacity)
        }

        /// Returns the name of the image that a background repeats at a zoom, and its opacity, or `nil` without an
        /// image.
        package func backgroundPattern(at zoom: Double, globalState: Properties) -> (name: String, opacity: Double)? {
            var values = StyleValues(self, at: zoom, globalState)
            guard case .image(let image)? = values.value(.backgroundPattern) else { return nil }
            return (image.name, values.number(.backgroundOpacity, in: 0...1))
        }

        /// Returns the property of features that a property of the layer reads, or `nil` for none or several.
        package func input(of key: StyleSheet.Key) -> String? {
            guard let names = properties[key]?.propertyNames, names.count == 1 else { return nil }
            return names.first
        }

        /// Returns the opacity of the whole layer at a zoom, 0 to 1.
        package func opacity(at zoom: Double, globalState: Properties) -> Double {
            let key: StyleSheet.Key
            switch kind {
            case .raster: key = .rasterOpacity
            case .fill: key = .fillLayerOpacity
            case .line: key = .lineLayerOpacity
            case .fillExtrusion: key = .fillExtrusionOpacity
            case .colorRelief: key = .colorReliefOpacity
            case .background, .circle, .symbol, .heatmap, .hillshade: return 1
            }
            var values = StyleValues(self, at: zoom, globalState)
            return values.number(key, in: 0...1)
        }

        /// Returns the colour adjustment of its images at a zoom, or `nil` without one.
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

        /// Returns the offset of the layer to the right and down at a zoom, in pixels, and whether it is relative to
        /// the map rather than the picture.
        package func translation(at zoom: Double, globalState: Properties) -> (x: Double, y: Double, isOnMap: Bool)? {
            let key: StyleSheet.Key, anchor: StyleSheet.Key
            switch kind {
            case .fill: (key, anchor) = (.fillTranslate, .fillTranslateAnchor)
            case .line: (key, anchor) = (.lineTranslate, .lineTranslateAnchor)
            case .circle: (key, anchor) = (.circleTranslate, .circleTranslateAnchor)
            case .fillExtrusion: (key, anchor) = (.fillExtrusionTranslate, .fillExtrusionTranslateAnchor)
            case .background, .symbol, .heatmap, .raster, .hillshade, .colorRelief: return nil
            }
            guard states(key) else { return nil }
            var values = StyleValues(self, at: zoom, globalState)
            let numbers = values.numbers(key).map { min(max($0, -1_000), 1_000) }
            guard numbers.count == 2, numbers != [0, 0] else { return nil }
            return (numbers[0], numbers[1], values.word(anchor) == "map")
        }

        /// The feature properties that it uses, or `nil` if it may use any.
        package var propertyNames: Set<String>? { facts.propertyNames }

        /// Whether features with equal properties and geometry types are drawn alike.
        package var drawsByProperties: Bool { symbolizer == nil && !facts.dependsOnIdentity }

        /// Whether it depends on the feature state.
        package var dependsOnState: Bool { facts.dependsOnState }

        /// Whether feature coordinates determine which of them it draws, or how.
        package var dependsOnShape: Bool { facts.dependsOnShape }

        /// Returns whether it is drawn at some zoom of a range.
        package func isDrawn(within zooms: Range<Double>) -> Bool {
            isVisible && minimumZoom < zooms.upperBound && maximumZoom > zooms.lowerBound
        }

        /// Whether its features are drawn alike at all zooms.
        var isZoomConstant: Bool { facts.isZoomConstant }

        /// Whether all features are drawn alike at a zoom.
        var isUniform: Bool { facts.isUniform }
    }
}

/// The values of a layer's properties for a feature at a zoom, with defaults.
struct StyleValues {
    let layer: StyleSheet.Layer
    var context: ExpressionContext
    /// The table with the state of features, or `nil` if the layer does not depend on it.
    private let join: FeatureJoin?
    /// The first failure of each property.
    private(set) var failures: [StyleSheet.Key: EvaluationError] = [:]

    init(_ layer: StyleSheet.Layer, _ context: ExpressionContext, _ join: FeatureJoin? = nil) {
        self.layer = layer
        self.context = context
        self.join = layer.dependsOnState ? join : nil
    }

    /// Replaces the feature, and its state.
    mutating func set(_ feature: Feature) {
        context.set(feature)
        if let join { context.state = join.values(for: feature) ?? [:] }
    }

    /// Creates the values of a layer that draws no features.
    init(_ layer: StyleSheet.Layer, at zoom: Double, _ globalState: Properties, _ join: FeatureJoin? = nil) {
        var context = ExpressionContext(zoom: zoom)
        context.globalState = globalState
        self.init(layer, context, join)
    }

    /// Returns the value, or the default, or `nil` if the property has neither.
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

    /// Returns a sort key of any magnitude, such as a population; NaN counts as 0.
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

    /// Returns the text if it is not one of the property's keywords, otherwise `nil`.
    func refusedWord(of value: ExpressionValue) -> String? {
        guard case .word(let choices) = facts.specification.kind, let word = value.stringValue,
            !choices.contains(word)
        else { return nil }
        return word
    }
}

extension StyleSheet.Layer {
    /// The inputs of a layer's expressions, determined once for all pictures.
    struct Facts: Sendable {
        /// The feature properties that the expressions use, or `nil` if they may use any.
        let propertyNames: Set<String>?
        /// Whether identifiers or coordinates of features make a difference.
        let dependsOnIdentity: Bool
        /// Whether feature coordinates make a difference.
        let dependsOnShape: Bool
        /// Whether the feature state makes a difference.
        let dependsOnState: Bool
        /// Whether features are drawn alike at all zooms.
        let isZoomConstant: Bool
        /// Whether all drawn features are drawn alike at a zoom.
        let isUniform: Bool

        /// - Complexity: O(nodes of the expressions).
        init(filter: StyleExpression?, properties: [StyleSheet.Key: StyleExpression]) {
            let all = Array(properties.values) + (filter.map { [$0] } ?? [])
            let names = all.map(\.propertyNames)
            propertyNames = names.contains(nil) ? nil : Set(names.lazy.compactMap(\.self).joined())
            dependsOnShape = all.contains(where: \.dependsOnShape)
            dependsOnState = all.contains(where: \.dependsOnState)
            dependsOnIdentity = dependsOnShape || all.contains(where: \.dependsOnIdentity)
            isZoomConstant = all.allSatisfy(\.isZoomConstant)
            isUniform = properties.values.allSatisfy(\.isFeatureConstant)
        }
    }
}
