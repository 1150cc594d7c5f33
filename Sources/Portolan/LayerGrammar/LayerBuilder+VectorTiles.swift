import PortolanArchives
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanVectorTiles
import PortolanWeb

extension LayerBuilder {
    /// Returns the vector tiles of a source: an MBTiles file or a URL template.
    package func vectorTiles(
        of specification: LayerSpecification, named name: String
    ) async throws(MapError) -> (tiles: VectorTileSource, attribution: String?, notes: [MapWarning]) {
        var opened = try await openTiles(specification, named: name)
        guard opened.isVector else {
            throw specification.invalid(
                "layer '\(specification.source)': its tiles are images, not vector tiles; draw them as a separate layer"
            )
        }
        switch specification["encoding"]?.lowercased() {
        case nil: break
        case "mvt": opened.isMLT = false
        case "mlt": opened.isMLT = true
        default: throw specification.invalid("encoding", "is neither mvt nor mlt")
        }
        let levels = (
            try specification.integer("min-zoom", in: 0...30), try specification.integer("max-zoom", in: 0...30)
        )
        let bounds = try specification.list("bounds").map { words throws(MapError) in
            guard let bounds = GeographicBounds(words.map { Double($0) ?? .nan }),
                let extent = bounds.extent(in: opened.tiles.grid.crs)
            else { throw specification.invalid("bounds", "is not WEST,SOUTH,EAST,NORTH in degrees where tiles can be") }
            return extent
        }
        return (opened.vectorSource.limited(to: levels, extent: bounds), opened.attribution, opened.warnings)
    }

    /// Opens the source of vector tiles by its kind, or by its address if the kind is that of vector tiles.
    private func openTiles(
        _ specification: LayerSpecification, named name: String
    ) async throws(MapError) -> OpenedTiles {
        let archive = "pmtiles://"
        if specification.kind == .vectorTiles, specification.source.hasPrefix(archive) {
            // The address behind the prefix, as in styles, needs no suffix.
            let address = String(specification.source.dropFirst(archive.count))
            return try await openPMTiles(
                LayerSpecification(
                    kind: .pmtiles, source: address, values: specification.values, namedBy: specification.origin))
        }
        let source = specification.source, isLocal = FileAddress.isLocal(source)
        switch specification.kind {
        case .pmtiles: return try await openPMTiles(specification)
        case .mbtiles: return try openFile(specification)
        case .tileJSON: return try await openTileJSON(specification)
        case .ogcTiles, .arcGIS:
            let layer = try await specification.kind.layer(of: specification, named: name, self).layer
            guard let tiles = layer.vectorTiles else {
                throw specification.invalid("layer '\(source)': its tiles are images, not vector tiles")
            }
            return OpenedTiles(tiles, attribution: layer.attribution)
        default: break
        }
        if source.contains("{") { return try openTemplate(specification, named: name) }
        let path = source.prefix { $0 != "?" && $0 != "#" }.lowercased()
        if !isLocal {
            return path.hasSuffix(".pmtiles")
                ? try await openPMTiles(specification) : try await openTileJSON(specification)
        }
        if path.hasSuffix(".json") { return try await openTileJSON(specification) }
        return try openFile(specification)
    }

    /// Opens an archive in a file by its first bytes.
    private func openFile(_ specification: LayerSpecification) throws(MapError) -> OpenedTiles {
        try opened(specification) { path throws(ArchiveError) in
            switch try TileArchiveKind(path: FileAddress.path(of: path)) {
            case .mbtiles: try OpenedTiles(mbtiles: path)
            case .pmtiles: try OpenedTiles(pmtiles: path)
            case .geoPackage, nil:
                throw ArchiveError(
                    .wrongFormat, place: path, detail: "it has no vector tiles; MBTiles and PMTiles have")
            }
        }
    }

    private func openTileJSON(_ specification: LayerSpecification) async throws(MapError) -> OpenedTiles {
        try await specification.asking { () throws(ServiceError) in
            try await client(for: specification).openTileJSON(at: specification.source)
        }
    }

    /// Makes the tiles of a template; levels that it does not state go up to 14, the finest of most vector tiles.
    private func openTemplate(_ specification: LayerSpecification, named name: String) throws(MapError) -> OpenedTiles {
        let isTMS = specification.kind == .tms || specification["scheme"] == "tms"
        var values = ["tile-size": String(OpenedTiles.vectorTileSize)]
        values["max-zoom"] = specification["max-zoom"] ?? "14"
        values["min-zoom"] = specification["min-zoom"]
        let words = try LayerSpecification(
            kind: isTMS ? .tms : .xyz, source: specification.source, values: values, namedBy: specification.origin)
        let layer = try LayerKind.templateLayer(words, named: name, countsFromBottom: isTMS)
        guard var tiles = layer.tiles else {
            throw specification.invalid("layer '\(specification.source)': it has no tiles")
        }
        tiles.emptyStatuses = OpenedTiles.emptyStatuses
        let path = specification.source.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return OpenedTiles(tiles: tiles, isVector: true, isMLT: path.hasSuffix(".mlt"))
    }
}
