import PortolanArchives
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb

extension LayerBuilder {
    /// The keys of tiles that are images.
    private static let imageKeys = ["encoding", "red-factor", "green-factor", "blue-factor", "base-shift"]

    /// Opens elevations: a GeoTIFF, an archive of tiles, a tile template or a TileJSON document.
    ///
    /// The first bytes of a file decide.
    package func elevations(
        of specification: LayerSpecification, named name: String
    ) async throws(MapError) -> OpenedElevations {
        let source = specification.source
        if source.contains("{") {
            let tiles = try template(of: specification, named: name)
            return try await images(tiles, stated: nil, specification)
        }
        let path = source.prefix { $0 != "?" && $0 != "#" }.lowercased()
        guard FileAddress.isLocal(source), !path.hasSuffix(".json") else {
            try refuse(["tile-size", "subdomains", "scheme"], in: specification, because: "needs a template")
            if path.hasSuffix(".pmtiles") {
                return try await images(try await openPMTiles(specification), stated: nil, specification)
            }
            if path.hasSuffix(".tif") || path.hasSuffix(".tiff") {
                let (image, archive) = try await openImage(specification)
                return try values(of: image, archive, specification)
            }
            let opened = try await specification.asking { () throws(ServiceError) in
                try await client(for: specification).openTileJSON(at: source)
            }
            return try await images(opened, stated: opened.encoding, specification)
        }
        try refuse(["tile-size", "subdomains", "scheme"], in: specification, because: "needs a template")
        let raster = try opened(specification) { path throws(ArchiveError) in
            let path = FileAddress.path(of: path)
            return GeoTIFFRaster.recognizes(path: path) ? (path, try GeoTIFFRaster(path: path)) : nil
        }
        if let (path, raster) = raster {
            return try values(of: raster.image, TileArchive(format: .geoTIFF, path: path), specification)
        }
        let archive = try opened(specification) { path throws(ArchiveError) in
            switch try TileArchiveKind(path: FileAddress.path(of: path)) {
            case .mbtiles: try OpenedTiles(mbtiles: path)
            case .pmtiles: try OpenedTiles(pmtiles: path)
            case .geoPackage, nil:
                throw ArchiveError(
                    .wrongFormat, place: path, detail: "it has no elevations; a GeoTIFF, MBTiles and PMTiles have")
            }
        }
        return try await images(archive, stated: nil, specification)
    }

    /// Returns the elevations in a band of a GeoTIFF.
    private func values(
        of image: GeoTIFFImage, _ archive: TileArchive, _ specification: LayerSpecification
    ) throws(MapError) -> OpenedElevations {
        try refuse(Self.imageKeys, in: specification, because: "is for tiles; a GeoTIFF has values in bands")
        try refuse(["min-zoom", "max-zoom", "bounds"], in: specification, because: "is for tiles")
        let grid = try image.grid(for: specification), band = Int(specification["band"] ?? "1") ?? 0
        guard (1...max(image.bandCount, 1)).contains(band) else {
            throw specification.invalid("band", "must be one of its bands, 1 to \(image.bandCount)")
        }
        return OpenedElevations(
            tiles: TileSource(grid: grid, address: .archive(archive), extent: image.extent),
            encoding: .values(band: band), bounds: LayerBounds(image.extent, crs: grid.crs))
    }

    /// Returns the elevations in tiles that are images.
    private func images(
        _ opened: OpenedTiles, stated: String?, _ specification: LayerSpecification
    ) async throws(MapError) -> OpenedElevations {
        guard !opened.isVector else {
            throw specification.invalid(
                "layer '\(specification.source)': its tiles are vector tiles, not images with elevations")
        }
        try refuse(["band"], in: specification, because: "is for a GeoTIFF")
        if !specification.source.contains("{") {
            try refuse(["crs", "bounds"], in: specification, because: "needs a template; a source has its own")
        }
        var tiles = opened.tiles
        let first = try specification.integer("min-zoom", in: 0...30),
            last = try specification.integer("max-zoom", in: 0...30)
        let kept = tiles.grid.matrices.filter { matrix in
            Int(matrix.id).map { $0 >= first ?? 0 && $0 <= last ?? .max } ?? true
        }
        guard let grid = TileGrid(crs: tiles.grid.crs, originCorner: tiles.grid.originCorner, matrices: kept) else {
            throw specification.invalid(last == nil ? "min-zoom" : "max-zoom", "leaves no level with tiles")
        }
        tiles = TileSource(grid: grid, address: tiles.address, extent: tiles.extent)
        // Beyond the ground that a source covers, servers answer with 404.
        tiles.emptyStatuses = OpenedTiles.emptyStatuses
        return OpenedElevations(
            tiles: tiles, encoding: try encoding(specification, stated: stated), attribution: opened.attribution,
            bounds: opened.bounds, warnings: opened.warnings)
    }

    /// Returns the encoding of the keys, or else the stated one.
    private func encoding(
        _ specification: LayerSpecification, stated: String?
    ) throws(MapError) -> ElevationEncoding {
        let factors = Self.imageKeys.dropFirst(), text = specification["encoding"]?.lowercased()
        if text != "custom" { try refuse(Array(factors), in: specification, because: "needs encoding=custom") }
        switch text ?? stated {
        case "terrarium"?: return .terrarium
        case "mapbox"?: return .mapbox
        case "custom"?:
            return .custom(
                red: try specification.number("red-factor") ?? 1, green: try specification.number("green-factor") ?? 1,
                blue: try specification.number("blue-factor") ?? 1, shift: try specification.number("base-shift") ?? 0)
        case nil:
            throw specification.invalid(
                "layer '\(specification.source)': the encoding of its elevations is not stated; add "
                    + "';encoding=terrarium' or ';encoding=mapbox'")
        default: throw specification.invalid("encoding", "must be terrarium, mapbox or custom")
        }
    }

    private func template(
        of specification: LayerSpecification, named name: String
    ) throws(MapError) -> OpenedTiles {
        let isTMS: Bool
        switch specification["scheme"] {
        case nil, "xyz"?: isTMS = false
        case "tms"?: isTMS = true
        default: throw specification.invalid("scheme", "must be xyz or tms")
        }
        var values: [String: String] = [:]
        for key in ["tile-size", "subdomains", "bounds", "crs", "min-zoom", "max-zoom"] {
            values[key] = specification[key]
        }
        // The finest level of Terrarium tiles.
        if values["max-zoom"] == nil { values["max-zoom"] = "15" }
        var source = specification.source
        if !source.contains("://"), !source.hasPrefix("file:") {
            let path = PercentEncoding.path(FileAddress.path(of: source))
            source = "file://" + path.replacing("%7B", with: "{").replacing("%7D", with: "}")
        }
        let words = try LayerSpecification(
            kind: isTMS ? .tms : .xyz, source: source, values: values, namedBy: specification.origin)
        let layer = try LayerKind.templateLayer(words, named: name, countsFromBottom: isTMS)
        guard let tiles = layer.tiles else {
            throw specification.invalid("layer '\(specification.source)': it has no tiles")
        }
        return OpenedTiles(tiles: tiles, isVector: false, bounds: layer.bounds)
    }

    /// Throws for a key that has no effect on a source.
    private func refuse(
        _ keys: [String], in specification: LayerSpecification, because why: String
    ) throws(MapError) {
        if let key = keys.first(where: { specification[$0] != nil }) { throw specification.invalid(key, why) }
    }
}
