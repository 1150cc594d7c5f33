/// An attribute of the features of a layer.
package struct VectorTileColumn: Sendable {
    /// The indices of values by feature, in arrays that columns can share.
    enum Indices: Sendable {
        /// The index of each feature is its own number.
        case same
        /// One index for each feature from a position on, ``VectorTileColumn/absent`` if it has no value.
        case dense([UInt32], from: Int = 0)
        /// The features that have a value, in order, and their indices, at a range.
        case sparse(features: [UInt32], values: [UInt32], in: Range<Int>)
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
        case .dense(let indices, let start):
            let index = indices[start + feature]
            return index == Self.absent ? nil : Int(index)
        case .sparse(let features, let values, let range):
            var low = range.lowerBound, high = range.upperBound
            while low < high {
                let middle = (low + high) / 2
                if features[middle] < feature { low = middle + 1 } else { high = middle }
            }
            return low < range.upperBound && features[low] == feature ? Int(values[low]) : nil
        }
    }

    /// The value of a feature, or `nil`.
    package subscript(feature: Int) -> VectorTileValue? { valueIndex(of: feature).map { values[$0] } }
}
