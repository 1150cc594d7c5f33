extension Feature {
    /// What tells the feature from others: its `id`, or else its property `id`, as route files have it.
    public var identifier: FeatureID? { id ?? properties["id"].flatMap { FeatureID($0) } }

    /// Whether the feature has an identifier, as its `id` or as its property `id`.
    public func isIdentified(by identifier: FeatureID) -> Bool {
        id == identifier || properties["id"].flatMap { FeatureID($0) } == identifier
    }
}
