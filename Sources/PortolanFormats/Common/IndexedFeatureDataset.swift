/// A dataset that finds the features in a box without reading all others.
package protocol IndexedFeatureDataset: FeatureDataset {
    /// Returns whether a layer has an index: the boxes of its features, or of groups of them.
    ///
    /// - Parameter layer: the name of the layer, or `nil` for the first.
    func isIndexed(layer: String?) -> Bool
}
