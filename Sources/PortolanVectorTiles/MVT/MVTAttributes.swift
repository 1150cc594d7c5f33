import PortolanProtobuf

/// The selected attributes of the features of a layer, gathered by feature and handed out by key.
struct MVTAttributes {
    /// The column of each key of the layer, or -1 if it is not selected.
    private let columnOfKey: [Int32]
    /// The keys of the columns.
    private let keys: [String]
    /// The column and the value of each attribute, as the upper and the lower half.
    private var entries: [UInt64] = []
    /// The number of entries in use; zeros are behind them.
    private(set) var entryCount = 0
    /// The end of each feature in the entries.
    private var ends: [Int] = []

    /// - Parameter allowsDuplicates: whether a key can be in the table twice, as in version 1.
    init(keys: [String], _ selected: VectorTileSelection.Attributes, allowsDuplicates: Bool) {
        var columnOfKey: [Int32] = [], columns: [String: Int32] = [:], names: [String] = []
        columnOfKey.reserveCapacity(keys.count)
        for key in keys {
            guard selected.contains(key) else {
                columnOfKey.append(-1)
                continue
            }
            if allowsDuplicates, let column = columns.updateValue(Int32(names.count), forKey: key) {
                columns[key] = column
                columnOfKey.append(column)
            } else {
                columnOfKey.append(Int32(names.count))
                names.append(key)
            }
        }
        self.columnOfKey = columnOfKey
        self.keys = names
    }

    /// Reads the tags of a feature.
    ///
    /// - Returns: whether they are pairs; otherwise nothing is kept.
    mutating func read(
        _ tags: Range<Int>, in bytes: Span<UInt8>, valueCount: UInt64
    ) throws(WireError) -> Bool {
        // A tag takes two bytes or more.
        let missing = entryCount + tags.count / 2 - entries.count
        if missing > 0 { entries += repeatElement(0, count: max(missing, entries.count, 64)) }
        var count = entryCount
        guard try Self.read(tags, in: bytes, columnOfKey, valueCount, into: &entries, &count) else { return false }
        entryCount = count
        return true
    }

    private static func read(
        _ tags: Range<Int>, in bytes: Span<UInt8>, _ columnOfKey: [Int32], _ valueCount: UInt64,
        into entries: inout [UInt64], _ count: inout Int
    ) throws(WireError) -> Bool {
        var position = tags.lowerBound
        let end = tags.upperBound, columns = columnOfKey.span
        var output = entries.mutableSpan
        while position < end {
            let start = position
            let key = try WireCursor.varint(in: bytes, at: &position, end: end)
            guard position < end else { return false }
            let value = try WireCursor.varint(in: bytes, at: &position, end: end)
            guard key < UInt64(columns.count), value < valueCount else {
                throw WireError(start, .malformed, "a tag names a key or a value that the layer does not have")
            }
            let column = columns[Int(key)]
            guard column >= 0 else { continue }
            output[count] = UInt64(column) << 32 | value
            count += 1
        }
        return true
    }

    /// Takes the number of entries after each feature.
    mutating func endFeatures(at ends: [Int]) { self.ends = ends }

    /// The columns that have values.
    ///
    /// If an attribute is repeated in a feature, as version 1 allows, the last value counts.
    func columns(values: VectorTileValues, featureCount: Int) -> [VectorTileColumn] {
        var counts = [Int](repeating: 0, count: keys.count)
        for entry in entries.prefix(entryCount) { counts[Int(entry >> 32)] += 1 }
        // A column for few features is a list of them, so that the memory follows the attributes.
        var bases: [Int] = [], denseCount = 0, sparseCount = 0
        for count in counts {
            let isDense = count * 4 >= featureCount
            bases.append(isDense ? denseCount : -1 - sparseCount)
            if isDense { denseCount += featureCount } else { sparseCount += count }
        }
        var dense = [UInt32](repeating: VectorTileColumn.absent, count: denseCount)
        var features = [UInt32](repeating: 0, count: sparseCount), sparse = features, next = bases
        scatter(from: bases, &dense, &features, &sparse, &next)
        // The columns share the arrays.
        return keys.indices.compactMap { column in
            guard counts[column] > 0 else { return nil }
            let base = bases[column]
            let indices: VectorTileColumn.Indices =
                base >= 0
                ? .dense(dense, from: base)
                : .sparse(features: features, values: sparse, in: (-1 - base)..<(-1 - next[column]))
            return VectorTileColumn(key: keys[column], values: values, indices: indices)
        }
    }

    /// Writes the value of each attribute to its feature in a dense column, or with its feature to the end of a sparse one.
    private func scatter(
        from bases: [Int], _ dense: inout [UInt32], _ features: inout [UInt32], _ sparse: inout [UInt32],
        _ next: inout [Int]
    ) {
        let entries = entries.span, bases = bases.span
        var dense = dense.mutableSpan, features = features.mutableSpan, sparse = sparse.mutableSpan
        var next = next.mutableSpan, start = 0
        for (feature, end) in ends.enumerated() {
            for index in start..<end {
                let entry = entries[index], column = Int(entry >> 32), base = next[column]
                let value = UInt32(truncatingIfNeeded: entry), number = UInt32(truncatingIfNeeded: feature)
                if base >= 0 {
                    dense[base + feature] = value
                } else {
                    var position = -1 - base
                    // A repeated key of the feature replaces its value.
                    if position > -1 - bases[column], features[position - 1] == number {
                        position -= 1
                    } else {
                        next[column] = base - 1
                    }
                    features[position] = number
                    sparse[position] = value
                }
            }
            start = end
        }
    }
}
