public import PortolanWeb

/// Decides how each feature of a layer looks.
///
/// From the strongest to the weakest, key by key: while selected, the feature's `style.select` and then the layer's selected
/// defaults; its `style.default`; its simplestyle properties; the defaults of the layer; the defaults of simplestyle for a feature that has any of its
/// properties, and those of the route dialect for others (``StyleDeclaration``).
public struct StyleResolver: Hashable, Sendable {
    /// What the layer says about features that do not say it themselves.
    public var defaults: StyleDeclaration

    /// What the layer says about the look of features while they are selected, over their usual look.
    public var selectedDefaults: StyleDeclaration?

    /// The named style used for the usual look; `default` unless told.
    public var styleName: String

    /// The named style used while a feature is selected; `select` unless told.
    public var selectedStyleName: String

    /// Makes a resolver.
    public init(
        defaults: StyleDeclaration = StyleDeclaration(), styleName: String = "default",
        selectedStyleName: String = "select", selectedDefaults: StyleDeclaration? = nil
    ) {
        self.selectedDefaults = selectedDefaults
        self.defaults = defaults
        self.styleName = styleName
        self.selectedStyleName = selectedStyleName
    }

    /// The looks of a feature.
    ///
    /// - Parameter warnings: gets one line, naming feature and key, for each value that cannot be used.
    package func styles(for feature: Feature, warnings: inout [MapWarning]) -> StyleSet {
        let simple = SimpleStyleReader.read(feature, warnings: &warnings)
        let named = RouteStyleReader.read(feature, name: styleName, warnings: &warnings)
        var declaration = simple?.over(defaults.over(.simpleStyle)) ?? defaults
        if let named {
            // What a route leaves open has the defaults of its dialect.
            declaration.layerColor = nil
            declaration = named.over(declaration)
        }
        let selected = RouteStyleReader.read(feature, name: selectedStyleName, warnings: &warnings)
        return set(declaration, selected: selected)
    }

    /// The looks by what is said of the usual one, and of the selected one.
    func set(_ declaration: StyleDeclaration, selected: StyleDeclaration? = nil) -> StyleSet {
        var set = StyleSet(default: declaration.style)
        let layered = selectedDefaults.map { selected?.over($0) ?? $0 } ?? selected
        if let layered { set.selected = layered.over(declaration).style }
        return set
    }

    /// The look of a feature in one of the two states.
    public func style(for feature: Feature, selected: Bool = false, warnings: inout [MapWarning]) -> Style {
        styles(for: feature, warnings: &warnings).style(selected: selected)
    }
}

/// The looks of features, compiled once: each feature has the number of its look, and features that look alike share it.
package struct StyleTable: Sendable {
    /// What a planner must know of a look in one state, without a copy of the look.
    package struct Traits: Sendable {
        package let isHidden: Bool
        package let hasLabel: Bool
        package let hasMarker: Bool
        /// Whether something but a label is drawn.
        package let hasShape: Bool
        package let hasIcon: Bool
        package let isGeodesic: Bool
        /// The width of the widest line.
        package let lineWidth: Double

        init(_ style: Style) {
            isHidden = style.isHidden
            isGeodesic = style.isGeodesic
            hasLabel = style.label != nil
            hasMarker = style.marker != nil
            hasShape = style.fill != nil || style.stroke != nil || style.marker != nil
            hasIcon = if case .icon(let icon) = style.marker { icon.picture == nil } else { false }
            lineWidth = max(style.stroke?.width ?? 0, style.stroke?.casing?.width ?? 0)
        }
    }

    /// The looks; the first is that of features that say nothing about it.
    package private(set) var styles: [StyleSet] = []
    /// The traits of each look, while it is not selected.
    package private(set) var traits: [Traits] = []
    /// The traits of each look while it is selected.
    package private(set) var selectedTraits: [Traits] = []
    /// Whether any look has a label while it is not selected.
    package private(set) var hasLabels = false
    /// The number of each feature's look.
    package private(set) var numbers: [Int32] = []
    /// What cannot be used of the styles of features, by their places.
    package private(set) var warnings: [Int: [MapWarning]] = [:]
    /// The last look of each hash value, and for each look the one before it of the same: looks are large, and kept once.
    private var lastOfHash: [Int: Int32] = [:]
    private var sameHashBefore: [Int32] = []
    private let resolver: StyleResolver
    /// Whether the feature set last says nothing about its look.
    private var isPlain = true

    /// Makes a table without features.
    package init(defaults: StyleDeclaration, selectedDefaults: StyleDeclaration? = nil) {
        resolver = StyleResolver(defaults: defaults, selectedDefaults: selectedDefaults)
        insert(resolver.set(defaults))
    }

    /// Makes a table of looks that are known, and of the number of each feature's.
    package init(styles: [StyleSet], numbers: [Int32]) {
        resolver = StyleResolver(defaults: StyleDeclaration())
        self.styles = styles
        self.numbers = numbers
        traits = styles.map { Traits($0.default) }
        selectedTraits = styles.map { Traits($0.style(selected: true)) }
        hasLabels = traits.contains(where: \.hasLabel)
    }

    /// Adds the look of the next feature.
    ///
    /// - Parameters:
    ///   - style: the look given for it, or `nil` where the feature and the layer decide.
    ///   - isOfSimpleStyle: whether others of its document use simplestyle, whose defaults it then gets.
    package mutating func append(_ feature: Feature, style: StyleSet? = nil, isOfSimpleStyle: Bool = false) {
        let place = numbers.count
        numbers.append(0)
        set(place, feature, style: style, isOfSimpleStyle: isOfSimpleStyle)
    }

    /// Adds the looks of a document's features and tells whether any of them uses simplestyle: all then get its defaults.
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

    /// Decides anew how a feature looks.
    package mutating func set(
        _ place: Int, _ feature: Feature, style: StyleSet? = nil, isOfSimpleStyle: Bool = false
    ) {
        if !warnings.isEmpty { warnings[place] = nil }
        isPlain = false
        if let style {
            numbers[place] = number(of: style)
        } else if feature.looksAsItsLayer {
            isPlain = true
            numbers[place] =
                isOfSimpleStyle ? number(of: resolver.set(resolver.defaults.over(.simpleStyle))) : 0
        } else {
            var found: [MapWarning] = []
            numbers[place] = number(of: resolver.styles(for: feature, warnings: &found))
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
    /// Whether the feature says nothing about its style.
    fileprivate var looksAsItsLayer: Bool {
        !properties.contains { $0.name == "style" || SimpleStyleReader.keys.contains($0.name) }
    }
}
