/// Reads MapLibre Tiles, layers of the tags 1 and 2 (maplibre-tile-spec).
struct MLTReader {
    private let bytes: [UInt8]
    private let selection: VectorTileSelection
    private let limits: VectorTileLimits
    private var budget: VectorTileBudget
    private var numbers: MLTNumbers

    init(_ bytes: [UInt8], selection: VectorTileSelection, limits: VectorTileLimits) {
        self.bytes = bytes
        self.selection = selection
        self.limits = limits
        budget = VectorTileBudget(limits)
        numbers = MLTNumbers(bytes, limits)
    }

    /// Decodes the selected layers.
    mutating func tile() throws(VectorTileError) -> VectorTile {
        var input = MLTInput(bytes, 0..<bytes.count)
        var layers: [VectorTileLayer] = [], names: Set<String> = [], faults: [VectorTileFault] = [], count = 0
        var faultCount = 0
        while !input.isAtEnd {
            let size = try input.count()
            let range = try input.take(size)
            count += 1
            guard count <= limits.layerCount else {
                throw VectorTileError(.limitExceeded, offset: range.lowerBound, "more than \(limits.layerCount) layers")
            }
            var content = MLTInput(bytes, range)
            let tag = try content.count()
            // Layers of tags to come are skipped, as the format asks.
            guard tag == 1 || tag == 2 else { continue }
            let name = try content.text()
            guard !name.isEmpty else {
                throw VectorTileError(.malformed, offset: range.lowerBound, "a layer has no name")
            }
            guard let attributes = selection.attributes(of: name) else { continue }
            guard names.insert(name).inserted else {
                faultCount += 1
                if faults.count < VectorTile.faultLimit {
                    faults.append(VectorTileFault(code: .duplicateLayer, layer: name, offset: range.lowerBound))
                }
                continue
            }
            do throws(VectorTileError) {
                layers.append(try layer(&content, named: name, attributes, allowsNested: tag == 2))
            } catch { throw error.in(name) }
        }
        return VectorTile(layers: layers, faults: faults, faultCount: faultCount)
    }

    private mutating func layer(
        _ input: inout MLTInput, named name: String, _ attributes: VectorTileSelection.Attributes, allowsNested: Bool
    ) throws(VectorTileError) -> VectorTileLayer {
        let start = input.position
        let extent = try input.count()
        guard extent > 0 else { throw VectorTileError(.malformed, offset: start, "the extent is 0") }
        var descriptions: [MLTColumn.Description] = []
        for _ in 0..<(try input.count()) {
            descriptions.append(try MLTColumn.Description(&input, allowsNested: allowsNested))
        }
        var columns: [MLTColumn] = []
        for description in descriptions { columns.append(try MLTColumn(description, &input)) }
        guard input.isAtEnd else {
            throw VectorTileError(.malformed, offset: input.position, "bytes after the columns of the layer")
        }
        var geometry: VectorTileGeometry?
        for case .geometry(let reader) in columns {
            guard geometry == nil else {
                throw VectorTileError(.malformed, offset: start, "the layer has several geometry columns")
            }
            geometry = try reader.geometry(&numbers, &budget)
        }
        guard let geometry else { throw VectorTileError(.malformed, offset: start, "the layer has no geometry column") }
        var decoder = MLTColumnDecoder(featureCount: geometry.types.count, numbers: numbers)
        for column in columns { try decoder.decode(column, attributes) }
        numbers = decoder.numbers
        guard budget.take(decoder.columns.count * geometry.types.count, of: \.attributeCount) else {
            throw VectorTileError(.limitExceeded, offset: start, "too many attributes")
        }
        return VectorTileLayer(
            name: name, version: 2, extent: UInt32(extent), geometry: geometry, ids: decoder.ids,
            columns: decoder.columns)
    }
}
