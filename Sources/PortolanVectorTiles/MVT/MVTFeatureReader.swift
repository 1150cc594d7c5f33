import PortolanProtobuf

/// Reads the features of a layer.
struct MVTFeatureReader {
    private let range: Range<Int>
    private let version: Int
    private let valueCount: UInt64
    private(set) var geometry = VectorTileGeometry()
    private(set) var ids = VectorTileIDs()
    private(set) var attributes: MVTAttributes
    private(set) var faults: [(code: VectorTileFault.Code, offset: Int)] = []
    private(set) var faultCount = 0

    init(_ outline: MVTLayerOutline, _ selected: VectorTileSelection.Attributes) {
        range = outline.range
        version = outline.version
        valueCount = UInt64(outline.values.count)
        attributes = MVTAttributes(keys: outline.keys, selected)
        geometry.types.reserveCapacity(outline.featureCount)
        geometry.partOffsets.reserveCapacity(outline.featureCount + 1)
    }

    mutating func read(_ bytes: Span<UInt8>) throws(WireFault) {
        var cursor = WireCursor(range)
        var decoder = MVTGeometryDecoder(closesLines: version == 1)
        while let field = try cursor.next(in: bytes) {
            if field.number == 2 { try readFeature(field, in: bytes, &decoder) }
        }
        geometry.vertexOffsets = decoder.vertexOffsets
        geometry.coordinates = decoder.finish()
    }

    private mutating func readFeature(
        _ feature: WireField, in bytes: Span<UInt8>, _ decoder: inout MVTGeometryDecoder
    ) throws(WireFault) {
        var id: UInt64?, type: UInt64 = 0, tags: Range<Int>?, commands: Range<Int>?
        var geometryCount = 0, hasLooseTags = false
        var cursor = WireCursor(feature.start..<feature.end)
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
            return add(.geometryType, at: feature.start)
        }
        guard geometryCount == 1, let commands else { return add(.geometry, at: feature.start) }
        guard !hasLooseTags else { return add(.tags, at: feature.start) }
        if let tags, try !attributes.read(tags, in: bytes, valueCount: valueCount) {
            return add(.tags, at: feature.start)
        }
        switch kind {
        case .unknown: break
        case .points: try decoder.readPoints(commands, in: bytes)
        case .lines: try decoder.readLines(commands, in: bytes)
        case .polygons: try decoder.readRings(commands, in: bytes)
        }
        attributes.endFeature()
        ids.append(id, at: geometry.types.count)
        geometry.types.append(kind)
        geometry.partOffsets.append(UInt32(truncatingIfNeeded: decoder.vertexOffsets.count - 1))
    }

    private mutating func add(_ code: VectorTileFault.Code, at offset: Int) {
        faultCount += 1
        if faults.count < VectorTile.faultLimit { faults.append((code, offset)) }
    }
}
