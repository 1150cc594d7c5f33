public import PortolanWeb

/// Determines the style of each feature of a layer.
///
/// The sources, key by key, in descending precedence:
///
/// - While selected: the feature's `style.select`, and then the selected defaults of the layer.
/// - The feature's `style.default`.
/// - The feature's simplestyle properties.
/// - The defaults of the layer.
/// - The defaults of simplestyle for a feature with any of its properties, and those of the route dialect for others
///   (``StyleDeclaration``).
public struct StyleResolver: Hashable, Sendable {
    /// The layer's defaults for features.
    public var defaults: StyleDeclaration

    /// The layer's changes to the style of selected features.
    public var selectedDefaults: StyleDeclaration?

    /// The named style for the normal state.
    ///
    /// Default: `default`.
    public var styleName: String

    /// The named style for the selected state.
    ///
    /// Default: `select`.
    public var selectedStyleName: String

    /// Creates a resolver.
    public init(
        defaults: StyleDeclaration = StyleDeclaration(), styleName: String = "default",
        selectedStyleName: String = "select", selectedDefaults: StyleDeclaration? = nil
    ) {
        self.selectedDefaults = selectedDefaults
        self.defaults = defaults
        self.styleName = styleName
        self.selectedStyleName = selectedStyleName
    }

    /// Returns the styles of a feature.
    ///
    /// - Parameter warnings: receives one warning, with feature and key, per invalid value.
    package func styles(for feature: Feature, warnings: inout [MapWarning]) -> StyleSet {
        let simple = SimpleStyleReader.read(feature, warnings: &warnings)
        let named = RouteStyleReader.read(feature, name: styleName, warnings: &warnings)
        var declaration = simple?.over(defaults.over(.simpleStyle)) ?? defaults
        if let named {
            // In a route style, missing keys have the defaults of its dialect.
            declaration.layerColor = nil
            declaration = named.over(declaration)
        }
        let selected = RouteStyleReader.read(feature, name: selectedStyleName, warnings: &warnings)
        return set(declaration, selected: selected)
    }

    /// Returns the styles for the declarations of the normal and the selected state.
    func set(_ declaration: StyleDeclaration, selected: StyleDeclaration? = nil) -> StyleSet {
        var set = StyleSet(default: declaration.style)
        let layered = selectedDefaults.map { selected?.over($0) ?? $0 } ?? selected
        if let layered { set.selected = layered.over(declaration).style }
        return set
    }

    /// Returns the style of a feature for a selection state.
    public func style(for feature: Feature, selected: Bool = false, warnings: inout [MapWarning]) -> Style {
        styles(for: feature, warnings: &warnings).style(selected: selected)
    }
}

/// The styles of features, compiled once.
///
/// Each feature has the number of its style; equal styles are shared.
package struct StyleTable: Sendable {
    /// The properties of a style in one state that a planner needs, without a copy of the style.
    package struct Traits: Sendable {
        package let isHidden: Bool
        package let hasLabel: Bool
        package let hasMarker: Bool
        /// Whether anything other than a label is drawn.
        package let hasShape: Bool
        package let hasIcon: Bool
        package let isGeodesic: Bool
        /// The maximum line width.
        package let lineWidth: Double
        /// The distance from a line within which it may be visible, in view pixels.
        package let lineReach: Double

        init(_ style: Style) {
            isHidden = style.isHidden
            isGeodesic = style.isGeodesic
            hasLabel = style.label != nil
            hasMarker = style.marker != nil
            hasShape = style.fill != nil || style.stroke != nil || style.marker != nil
            hasIcon = if case .icon(let icon) = style.marker { icon.picture == nil } else { false }
            lineWidth = max(style.stroke?.width ?? 0, style.stroke?.casing?.width ?? 0)
            lineReach = style.stroke?.reach ?? 0
        }
    }

    /// The styles.
    ///
    /// The first is that of features without style properties.
    package private(set) var styles: [StyleSet] = []
    /// The traits of each style in the normal state.
    package private(set) var traits: [Traits] = []
    /// The traits of each style in the selected state.
    package private(set) var selectedTraits: [Traits] = []
    /// Whether any style has a label in the normal state.
    package private(set) var hasLabels = false
    /// The style number of each feature.
    package private(set) var numbers: [Int32] = []
    /// The warnings about invalid style values, by feature index.
    package private(set) var warnings: [Int: [MapWarning]] = [:]
    /// The last style for each hash value, and for each style the previous one with the same hash.
    ///
    /// Styles are large, and stored only once.
    private var lastOfHash: [Int: Int32] = [:]
    private var sameHashBefore: [Int32] = []
    private let resolver: Kept<StyleResolver>
    /// Whether features may state their own style.
    private let usesFeatureStyles: Bool
    /// Whether the last feature has no style properties.
    private var isPlain = true

    /// Creates a table without features.
    package init(
        defaults: StyleDeclaration, selectedDefaults: StyleDeclaration? = nil, usesFeatureStyles: Bool = true
    ) {
        self.usesFeatureStyles = usesFeatureStyles
        resolver = Kept(StyleResolver(defaults: defaults, selectedDefaults: selectedDefaults))
        insert(resolver.value.set(defaults))
    }

    /// Creates a table from styles, and the style number of each feature.
    package init(styles: [StyleSet], numbers: [Int32]) {
        resolver = Kept(StyleResolver(defaults: StyleDeclaration()))
        usesFeatureStyles = true
        self.styles = styles
        self.numbers = numbers
        traits = styles.map { Traits($0.default) }
        selectedTraits = styles.map { Traits($0.style(selected: true)) }
        hasLabels = traits.contains(where: \.hasLabel)
    }

    /// Adds the style of the next feature.
    ///
    /// - Parameters:
    ///   - style: the given style, or `nil` to use the feature and the layer.
    ///   - isOfSimpleStyle: whether its document uses simplestyle, whose defaults then apply.
    package mutating func append(_ feature: Feature, style: StyleSet? = nil, isOfSimpleStyle: Bool = false) {
        let place = numbers.count
        numbers.append(0)
        set(place, feature, style: style, isOfSimpleStyle: isOfSimpleStyle)
    }

    /// Adds the styles of a document's features.
    ///
    /// Returns whether any feature uses simplestyle; all then get its defaults.
    package mutating func append(contentsOf features: [Feature]) -> Bool {
        let start = numbers.count
        var usesSimpleStyle = false
        for feature in features {
            append(feature)
            if !usesSimpleStyle, !isPlain { usesSimpleStyle = feature.usesSimpleStyle }
        }
        guard usesSimpleStyle else { return false }
        for (offset, feature) in features.enumerated() where numbers[start + offset] == 0 {
            set(start + offset, feature, isOfSimpleStyle: true)
        }
        return true
    }

    /// Determines the style of a feature again.
    package mutating func set(
        _ place: Int, _ feature: Feature, style: StyleSet? = nil, isOfSimpleStyle: Bool = false
    ) {
        if !warnings.isEmpty { warnings[place] = nil }
        isPlain = false
        if let style {
            numbers[place] = number(of: style)
        } else if !usesFeatureStyles || feature.looksAsItsLayer {
            isPlain = true
            numbers[place] =
                isOfSimpleStyle && usesFeatureStyles
                ? number(of: resolver.value.set(resolver.value.defaults.over(.simpleStyle))) : 0
        } else {
            var found: [MapWarning] = []
            numbers[place] = number(of: resolver.value.styles(for: feature, warnings: &found))
            if !found.isEmpty { warnings[place] = found }
        }
    }

    private mutating func number(of style: StyleSet) -> Int32 {
        var number = lastOfHash[style.hashValue] ?? -1
        while number >= 0 {
            if styles[Int(number)] == style { return number }
            number = sameHashBefore[Int(number)]
        }
        return insert(style)
    }

    @discardableResult
    private mutating func insert(_ style: StyleSet) -> Int32 {
        let number = Int32(styles.count)
        sameHashBefore.append(lastOfHash.updateValue(number, forKey: style.hashValue) ?? -1)
        styles.append(style)
        let usual = Traits(style.default)
        traits.append(usual)
        if usual.hasLabel { hasLabels = true }
        selectedTraits.append(Traits(style.style(selected: true)))
        return number
    }
}

extension Feature {
    /// Whether the feature has no style properties.
    package var looksAsItsLayer: Bool {
        !properties.contains { $0.name == "style" || SimpleStyleReader.keys.contains($0.name) }
    }
}
