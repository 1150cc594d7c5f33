/// Decodes the identifiers and attributes of a layer, the number of whose features is known.
struct MLTColumnDecoder {
    let featureCount: Int
    private(set) var numbers: MLTNumbers
    private(set) var ids = VectorTileIDs()
    private(set) var columns: [VectorTileColumn] = []

    init(featureCount: Int, numbers: MLTNumbers) {
        self.featureCount = featureCount
        self.numbers = numbers
    }

    mutating func decode(_ column: MLTColumn, _ selected: VectorTileSelection.Attributes) throws(VectorTileError) {
        switch column {
        case .geometry: break
        case .id(let isLong, let present, let data):
            guard ids.isEmpty else {
                throw VectorTileError(.malformed, offset: data.range.lowerBound, "the layer has several identifiers")
            }
            ids = try decodeIDs(isLong: isLong, present, data)
        case .scalar(let key, let scalar, let present, let data):
            guard selected.contains(key) else { return }
            let values = try decodeScalars(scalar, data)
            try append(key, values, indices: nil, present, at: data.range.lowerBound)
        case .strings(let key, let present, let strings, let offset):
            guard selected.contains(key), strings.lengths != nil || present != nil else { return }
            let values = try strings.values(&numbers, at: offset)
            let indices: [UInt32]? = try strings.offsets.map { stream throws(VectorTileError) in
                try numbers.integers(stream)
            }
            try append(key, values, indices: indices, present, at: offset)
        case .shared(let strings, let children, let offset):
            guard children.contains(where: { $0.data != nil && selected.contains($0.key) }) else { return }
            let values = try strings.values(&numbers, at: offset)
            for child in children where selected.contains(child.key) {
                guard let data = child.data else { continue }
                try append(child.key, values, indices: try numbers.integers(data), child.present, at: offset)
            }
        case .nested(let keys, let reader):
            guard keys.contains(where: selected.contains) else { return }
            columns += try reader.columns(keys, featureCount: featureCount, &numbers)
                .filter { selected.contains($0.key) }
        }
    }

    private func malformed(_ offset: Int, _ reason: String) -> VectorTileError {
        VectorTileError(.malformed, offset: offset, reason)
    }

    /// - Parameter indices: the index of the value of each feature that has one; `nil` if the values themselves are in this order.
    private mutating func append(
        _ key: String, _ values: VectorTileValues, indices: [UInt32]?, _ present: MLTStream?, at offset: Int
    ) throws(VectorTileError) {
        guard indices?.allSatisfy({ $0 < values.count }) != false else {
            throw malformed(offset, "a value that the dictionary does not have")
        }
        let count = indices?.count ?? values.count
        guard let present else {
            guard count == featureCount else { throw malformed(offset, "a column has another length than its layer") }
            columns.append(
                VectorTileColumn(key: key, values: values, indices: indices.map { .dense($0) } ?? .same))
            return
        }
        let flags = try presence(present, count: count)
        var placed = [UInt32](repeating: VectorTileColumn.absent, count: featureCount), next = 0
        for (feature, flag) in flags.enumerated() where flag {
            placed[feature] = indices?[next] ?? UInt32(next)
            next += 1
        }
        columns.append(VectorTileColumn(key: key, values: values, indices: .dense(placed)))
    }

    /// Whether each feature has a value, of which there are as many as given.
    private mutating func presence(_ stream: MLTStream, count: Int) throws(VectorTileError) -> [Bool] {
        let flags = try numbers.bits(stream)
        guard flags.count == featureCount, flags.count(where: { $0 }) == count else {
            throw malformed(stream.range.lowerBound, "a column has another length than its layer")
        }
        return flags
    }

    private mutating func decodeIDs(
        isLong: Bool, _ present: MLTStream?, _ data: MLTStream
    ) throws(VectorTileError) -> VectorTileIDs {
        let ids: [UInt64] =
            isLong ? try numbers.integers(data) : try numbers.integers(data, as: UInt32.self).map(UInt64.init)
        guard let present else {
            guard ids.count == featureCount else {
                throw malformed(data.range.lowerBound, "the identifiers are not as many as the features")
            }
            return VectorTileIDs(numbers: ids, isPresent: [])
        }
        let flags = try presence(present, count: ids.count)
        var placed = [UInt64](repeating: 0, count: featureCount), next = 0
        for (feature, flag) in flags.enumerated() where flag {
            placed[feature] = ids[next]
            next += 1
        }
        return ids.isEmpty ? VectorTileIDs() : VectorTileIDs(numbers: placed, isPresent: flags)
    }

    private mutating func decodeScalars(
        _ scalar: MLTColumn.Scalar, _ stream: MLTStream
    ) throws(VectorTileError) -> VectorTileValues {
        switch scalar {
        case .bool: VectorTileValues(.bool, bits: try numbers.bits(stream).map { $0 ? 1 : 0 })
        case .int8, .int32:
            VectorTileValues(
                .int,
                bits: try numbers.integers(stream, as: UInt32.self, isSigned: true).map {
                    UInt64(bitPattern: Int64(Int32(bitPattern: $0)))
                })
        case .uint8, .uint32:
            VectorTileValues(.uint, bits: try numbers.integers(stream, as: UInt32.self).map(UInt64.init))
        case .int64: VectorTileValues(.int, bits: try numbers.integers(stream, isSigned: true))
        case .uint64: VectorTileValues(.uint, bits: try numbers.integers(stream))
        case .float: VectorTileValues(.float, bits: try numbers.plain(stream, as: UInt32.self).map(UInt64.init))
        case .double:
            // Early encoders wrote doubles as floats.
            if stream.range.count == 4 * stream.count {
                VectorTileValues(
                    .double,
                    bits: try numbers.plain(stream, as: UInt32.self).map { Double(Float(bitPattern: $0)).bitPattern })
            } else {
                VectorTileValues(.double, bits: try numbers.plain(stream))
            }
        }
    }
}
