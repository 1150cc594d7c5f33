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

    init(keys: [String], _ selected: VectorTileSelection.Attributes) {
        var columnOfKey: [Int32] = [], columns: [String: Int32] = [:], names: [String] = []
        columnOfKey.reserveCapacity(keys.count)
        for key in keys {
            guard selected.contains(key) else {
                columnOfKey.append(-1)
                continue
            }
            // In version 1 a key can be in the table twice.
            let column = columns[key] ?? Int32(names.count)
            if column == names.count {
                columns[key] = column
                names.append(key)
            }
            columnOfKey.append(column)
        }
        self.columnOfKey = columnOfKey
        self.keys = names
    }

    /// Reads the tags of a feature.
    ///
    /// - Returns: whether they are pairs; otherwise nothing is kept.
    mutating func read(
        _ tags: Range<Int>, in bytes: Span<UInt8>, valueCount: UInt64
    ) throws(WireFault) -> Bool {
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
    ) throws(WireFault) -> Bool {
        var position = tags.lowerBound
        let end = tags.upperBound, columns = columnOfKey.span
        var output = entries.mutableSpan
        while position < end {
            let start = position
            let key = try WireCursor.varint(in: bytes, at: &position, end: end)
            guard position < end else { return false }
            let value = try WireCursor.varint(in: bytes, at: &position, end: end)
            guard key < UInt64(columns.count), value < valueCount else {
                throw WireFault(start, .malformed, "a tag names a key or a value that the layer does not have")
            }
            let column = columns[Int(key)]
            guard column >= 0 else { continue }
            output[count] = UInt64(column) << 32 | value
            count += 1
        }
        return true
    }

    mutating func endFeature() { ends.append(entryCount) }

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
        var sparse = [UInt64](repeating: 0, count: sparseCount), next = bases
        scatter(&dense, &sparse, &next)
        return keys.indices.compactMap { column in
            guard counts[column] > 0 else { return nil }
            let base = bases[column]
            let indices: VectorTileColumn.Indices =
                base >= 0
                ? .dense(Array(dense[base..<(base + featureCount)]))
                : Self.sparse(sparse[(-1 - base)..<(-1 - next[column])])
            return VectorTileColumn(key: keys[column], values: values, indices: indices)
        }
    }

    /// Writes the value of each attribute to its feature in a dense column, or with its feature to the end of a sparse one.
    private func scatter(_ dense: inout [UInt32], _ sparse: inout [UInt64], _ next: inout [Int]) {
        let entries = entries.span
        var dense = dense.mutableSpan, sparse = sparse.mutableSpan, next = next.mutableSpan
        var start = 0
        for (feature, end) in ends.enumerated() {
            for index in start..<end {
                let entry = entries[index], column = Int(entry >> 32), base = next[column]
                if base >= 0 {
                    dense[base + feature] = UInt32(truncatingIfNeeded: entry)
                } else {
                    sparse[-1 - base] = UInt64(feature) << 32 | entry & 0xFFFF_FFFF
                    next[column] = base - 1
                }
            }
            start = end
        }
    }

    private static func sparse(_ entries: ArraySlice<UInt64>) -> VectorTileColumn.Indices {
        var features: [UInt32] = [], values: [UInt32] = []
        features.reserveCapacity(entries.count)
        values.reserveCapacity(entries.count)
        for entry in entries {
            let feature = UInt32(truncatingIfNeeded: entry >> 32)
            if features.last == feature {
                values[values.count - 1] = UInt32(truncatingIfNeeded: entry)
            } else {
                features.append(feature)
                values.append(UInt32(truncatingIfNeeded: entry))
            }
        }
        return .sparse(features: features, values: values)
    }
}
