/// An attribute of the features of a layer.
package struct VectorTileColumn: Sendable {
    /// The indices of values, by feature.
    enum Indices: Sendable {
        /// The index of each feature is its own number.
        case same
        /// One index for each feature, ``VectorTileColumn/absent`` if it has no value.
        case dense([UInt32])
        /// The features that have a value, in order, and their indices.
        case sparse(features: [UInt32], values: [UInt32])
    }

    static let absent = UInt32.max

    /// The key.
    package let key: String
    /// The values, of which several columns can share one table.
    package let values: VectorTileValues
    let indices: Indices

    /// The index of a feature's value in ``values``, or `nil` if the feature has no such attribute.
    package func valueIndex(of feature: Int) -> Int? {
        switch indices {
        case .same: return feature
        case .dense(let indices):
            let index = indices[feature]
            return index == Self.absent ? nil : Int(index)
        case .sparse(let features, let values):
            var low = 0, high = features.count
            while low < high {
                let middle = (low + high) / 2
                if features[middle] < feature { low = middle + 1 } else { high = middle }
            }
            return low < features.count && features[low] == feature ? Int(values[low]) : nil
        }
    }

    /// The value of a feature, or `nil`.
    package subscript(feature: Int) -> VectorTileValue? { valueIndex(of: feature).map { values[$0] } }
}
