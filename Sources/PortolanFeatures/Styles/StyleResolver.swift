/// Decides how each feature of a layer looks.
///
/// From the strongest to the weakest, key by key: while selected, the feature's `style.select`; its `style.default`; its
/// simplestyle properties; the defaults of the layer; the defaults of the route dialect (``StyleDeclaration``).
public struct StyleResolver: Hashable, Sendable {
    /// What the layer says about features that do not say it themselves.
    public var defaults: StyleDeclaration

    /// The named style used for the usual look; `default` unless told.
    public var styleName: String

    /// The named style used while a feature is selected; `select` unless told.
    public var selectedStyleName: String

    /// Makes a resolver.
    public init(
        defaults: StyleDeclaration = StyleDeclaration(), styleName: String = "default",
        selectedStyleName: String = "select"
    ) {
        self.defaults = defaults
        self.styleName = styleName
        self.selectedStyleName = selectedStyleName
    }

    /// The looks of a feature.
    ///
    /// - Parameter warnings: gets one line, naming feature and key, for each value that cannot be used.
    public func styles(for feature: Feature, warnings: inout [FeatureWarning]) -> StyleSet {
        let simple = SimpleStyleReader.read(feature, warnings: &warnings)
        let named = RouteStyleReader.read(feature, name: styleName, warnings: &warnings)
        var declaration = simple?.over(defaults) ?? defaults
        if let named { declaration = named.over(declaration) }
        var set = StyleSet(default: declaration.style)
        if let selected = RouteStyleReader.read(feature, name: selectedStyleName, warnings: &warnings) {
            set.selected = selected.over(declaration).style
        }
        return set
    }

    /// The look of a feature in one of the two states.
    public func style(for feature: Feature, selected: Bool = false, warnings: inout [FeatureWarning]) -> Style {
        styles(for: feature, warnings: &warnings).style(selected: selected)
    }
}
