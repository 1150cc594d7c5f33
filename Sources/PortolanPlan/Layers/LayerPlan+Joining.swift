extension LayerPlan {
    /// Adds the resources of a part without its drawing.
    mutating func join(_ part: LayerPlan) {
        resources += part.resources
        warnings += part.warnings
        foundTraits.merge(part.foundTraits)
        switch (revision, part.revision) {
        case (.afterArrivals, _), (_, .never): break
        default: revision = part.revision
        }
    }
}
