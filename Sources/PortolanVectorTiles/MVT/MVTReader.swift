import PortolanProtobuf

/// Reads Mapbox Vector Tiles of versions 1 and 2 (vector-tile-spec 1.0.1 and 2.1).
struct MVTReader {
    private let bytes: [UInt8]
    private let selection: VectorTileSelection
    private let limits: VectorTileLimits
    private var budget: VectorTileBudget
    private var faults: [VectorTileFault] = []
    private var faultCount = 0

    init(_ bytes: [UInt8], selection: VectorTileSelection, limits: VectorTileLimits) {
        self.bytes = bytes
        self.selection = selection
        self.limits = limits
        budget = VectorTileBudget(limits)
    }

    /// Decodes the selected layers.
    mutating func tile() throws(VectorTileError) -> VectorTile {
        var layers: [VectorTileLayer] = [], names: Set<String> = [], count = 0
        var cursor = WireCursor(0..<bytes.count)
        while let field = try next(&cursor) {
            guard field.number == 3 else { continue }
            guard field.kind == .bytes else {
                throw VectorTileError(.malformed, offset: field.start, "a layer is not a message")
            }
            count += 1
            guard count <= limits.layerCount else {
                throw VectorTileError(.limitExceeded, offset: field.start, "more than \(limits.layerCount) layers")
            }
            var outline = MVTLayerOutline(field.start..<field.end)
            do throws(WireError) { try outline.readHeader(in: bytes) } catch { throw VectorTileError(error) }
            guard let name = outline.name else {
                throw VectorTileError(.malformed, offset: field.start, "a layer has no name")
            }
            guard let attributes = selection.attributes(of: name) else { continue }
            guard names.insert(name).inserted else {
                add(VectorTileFault(code: .duplicateLayer, layer: name, offset: field.start))
                continue
            }
            do throws(WireError) {
                layers.append(try layer(&outline, named: name, attributes))
            } catch { throw VectorTileError(error).in(name) }
        }
        return VectorTile(layers: layers, faults: faults, faultCount: faultCount)
    }

    private func next(_ cursor: inout WireCursor) throws(VectorTileError) -> WireField? {
        do throws(WireError) { return try cursor.next(in: bytes.span) } catch { throw VectorTileError(error) }
    }

    private mutating func layer(
        _ outline: inout MVTLayerOutline, named name: String, _ attributes: VectorTileSelection.Attributes
    ) throws(WireError) -> VectorTileLayer {
        try outline.readTables(in: bytes)
        guard budget.take(outline.featureCount, of: \.featureCount) else {
            throw WireError(outline.range.lowerBound, .limitExceeded, "too many features")
        }
        var reader = MVTFeatureReader(outline, attributes)
        try reader.read(bytes.span)
        guard budget.take(reader.geometry.coordinates.count / 2, of: \.vertexCount),
            budget.take(reader.geometry.vertexOffsets.count, of: \.partCount)
        else { throw WireError(outline.range.lowerBound, .limitExceeded, "too many vertices or parts") }
        guard budget.take(reader.attributes.entryCount, of: \.attributeCount) else {
            throw WireError(outline.range.lowerBound, .limitExceeded, "too many attributes")
        }
        for fault in reader.faults { add(VectorTileFault(code: fault.code, layer: name, offset: fault.offset)) }
        faultCount += reader.faultCount - reader.faults.count
        return VectorTileLayer(
            name: name, version: outline.version, extent: outline.extent, geometry: reader.geometry, ids: reader.ids,
            columns: reader.attributes.columns(values: outline.values, featureCount: reader.geometry.types.count))
    }

    private mutating func add(_ fault: VectorTileFault) {
        faultCount += 1
        if faults.count < VectorTile.faultLimit { faults.append(fault) }
    }
}

extension VectorTileError {
    init(_ fault: WireError) {
        let code: Code =
            switch fault.code {
            case .malformed: .malformed
            case .limitExceeded: .limitExceeded
            }
        self.init(code, offset: fault.offset, "\(fault.reason)")
    }
}
