import PortolanProtobuf

/// Reads the features of a layer.
struct MVTFeatureReader {
    private let range: Range<Int>
    private let version: Int
    private let valueCount: UInt64
    private(set) var geometry = VectorTileGeometry()
    private var rows: [Row] = []
    private(set) var ids = VectorTileIDs()
    private(set) var attributes: MVTAttributes
    private(set) var faults: [(code: VectorTileFault.Code, offset: Int)] = []
    private(set) var faultCount = 0

    /// The kind of a feature, and the ends of its parts and attributes.
    ///
    /// One array is faster than three while features are read.
    private struct Row {
        let kind: VectorTileGeometry.Kind
        let partEnd: UInt32
        let attributeEnd: Int
    }

    init(_ outline: MVTLayerOutline, _ selected: VectorTileSelection.Attributes) {
        range = outline.range
        version = outline.version
        valueCount = UInt64(outline.values.count)
        attributes = MVTAttributes(keys: outline.keys, selected, allowsDuplicates: outline.version == 1)
        rows.reserveCapacity(outline.featureCount)
    }

    mutating func read(_ bytes: Span<UInt8>) throws(WireError) {
        var cursor = WireCursor(range)
        var decoder = MVTGeometryDecoder(closesLines: version == 1)
        while cursor.position < cursor.end {
            let start = cursor.position, tag = try cursor.tag(in: bytes)
            if tag == 2 << 3 | 2 {
                try readFeature(try cursor.range(in: bytes), in: bytes, &decoder)
            } else {
                try cursor.skip(tag, from: start, in: bytes)
            }
        }
        geometry.types = rows.map(\.kind)
        geometry.partOffsets.reserveCapacity(rows.count + 1)
        geometry.partOffsets += rows.lazy.map(\.partEnd)
        attributes.endFeatures(at: rows.map(\.attributeEnd))
        geometry.vertexOffsets = decoder.vertexOffsets
        geometry.coordinates = decoder.finish()
    }

    private mutating func readFeature(
        _ feature: Range<Int>, in bytes: Span<UInt8>, _ decoder: inout MVTGeometryDecoder
    ) throws(WireError) {
        var id: UInt64?, type: UInt64 = 0, tags: Range<Int>?, commands: Range<Int>?
        var geometryCount = 0, hasLooseTags = false
        var cursor = WireCursor(feature)
        while cursor.position < cursor.end {
            let start = cursor.position, tag = try cursor.tag(in: bytes)
            switch tag {
            case 1 << 3: id = try cursor.varint(in: bytes)
            case 2 << 3 | 2:
                hasLooseTags = hasLooseTags || tags != nil
                tags = try cursor.range(in: bytes)
            case 3 << 3: type = try cursor.varint(in: bytes)
            case 4 << 3 | 2:
                geometryCount += 1
                commands = try cursor.range(in: bytes)
            default:
                // Lists that are not packed count as invalid.
                if tag >> 3 == 2 { hasLooseTags = true }
                if tag >> 3 == 4 { geometryCount += 2 }
                try cursor.skip(tag, from: start, in: bytes)
            }
        }
        guard type <= 3, let kind = VectorTileGeometry.Kind(rawValue: UInt8(type)) else {
            return add(.geometryType, at: feature.lowerBound)
        }
        guard geometryCount == 1, let commands else { return add(.geometry, at: feature.lowerBound) }
        guard !hasLooseTags else { return add(.tags, at: feature.lowerBound) }
        if let tags, try !attributes.read(tags, in: bytes, valueCount: valueCount) {
            return add(.tags, at: feature.lowerBound)
        }
        switch kind {
        case .unknown: break
        case .points: try decoder.readPoints(commands, in: bytes)
        case .lines: try decoder.readLines(commands, in: bytes)
        case .polygons: try decoder.readRings(commands, in: bytes)
        }
        if id != nil || !ids.isEmpty { ids.append(id, at: rows.count) }
        rows.append(
            Row(
                kind: kind, partEnd: UInt32(truncatingIfNeeded: decoder.vertexOffsets.count - 1),
                attributeEnd: attributes.entryCount))
    }

    private mutating func add(_ code: VectorTileFault.Code, at offset: Int) {
        faultCount += 1
        if faults.count < VectorTile.faultLimit { faults.append((code, offset)) }
    }
}
