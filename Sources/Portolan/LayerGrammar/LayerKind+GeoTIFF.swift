import PortolanArchives
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanStyles
import PortolanWeb

extension LayerKind {
    /// An image in a GeoTIFF, such as a Cloud Optimized GeoTIFF, in a file or on a server that supports range requests.
    public static let geoTIFF = LayerKind(
        "geotiff", source: .archive, keys: ["crs", "attribution"] + RasterKeys.keys,
        help: "geotiff:FILE|URL  A GeoTIFF image, such as a Cloud Optimized GeoTIFF, in a file or on a server.",
        make: { (specification, name, builder) async throws(MapError) in
            guard FileAddress.isLocal(specification.source) else {
                return try await remoteImage(specification, name, builder)
            }
            let (path, raster) = try builder.opened(specification) { path throws(ArchiveError) in
                (path, try GeoTIFFRaster(path: path))
            }
            let samples: RasterKeys.Samples = { (bands) throws(MapError) in
                do throws(ArchiveError) { return try raster.samples(ofBands: bands) } catch {
                    throw specification.error(.archive(error))
                }
            }
            return try await imageLayer(
                raster.image, TileArchive(format: .geoTIFF, path: path), specification, name, builder, samples)
        })

    private static func remoteImage(
        _ specification: LayerSpecification, _ name: String, _ builder: LayerBuilder
    ) async throws(MapError) -> Made {
        // The range of values is not needed if a style has its own.
        let (image, archive) = try await builder.openImage(
            specification, withRange: !RasterKeys.coloursValues(specification))
        return try await imageLayer(image, archive, specification, name, builder) { (bands) throws(MapError) in
            try await builder.asking(specification) { remote, access throws(RemoteArchiveError) in
                try await remote.samples(ofBands: bands, access)
            }
        }
    }

    private static func imageLayer(
        _ image: GeoTIFFImage, _ archive: TileArchive, _ specification: LayerSpecification, _ name: String,
        _ builder: LayerBuilder, _ samples: RasterKeys.Samples
    ) async throws(MapError) -> Made {
        let grid = try image.grid(for: specification)
        var archive = archive, warnings = [MapWarning](), opacity = 1.0
        let keys = RasterKeys(specification, image)
        if let text = specification["style"] {
            // The other keys are checked.
            _ = try await keys.style { (bands) in bands.map { _ in [0, 1] } }
            let symbolizer = try await StyleReference.rasterSymbolizer(at: text, specification, builder)
            archive.style = try await keys.style(symbolizer, samples)
            opacity = symbolizer.opacity
            warnings += symbolizer.warnings.map { $0.from("style") }
        } else if specification["style-name"] != nil {
            throw specification.invalid("style-name", "needs a style; add ';style=FILE'")
        } else {
            archive.style = try await keys.style(samples)
        }
        var source = TileSource(grid: grid, address: .archive(archive), extent: image.extent)
        source.resampling = try RasterKeys.resampling(specification, archive.style)
        var layer = MapLayer(name: name, source: source)
        layer.bounds = LayerBounds(image.extent, crs: grid.crs)
        layer.opacity = opacity
        if let attribution = specification["attribution"] { layer.attribution = attribution }
        // The decisions are those about the file's own colours.
        if archive.style == nil { warnings += image.notes.map { MapWarning(.data, message: $0) } }
        return (layer, warnings)
    }
}

extension LayerBuilder {
    /// Opens a GeoTIFF on a server.
    ///
    /// - Parameter isWithRange: whether the range of values is read that colours need.
    func openImage(
        _ specification: LayerSpecification, withRange isWithRange: Bool = false
    ) async throws(MapError) -> (GeoTIFFImage, TileArchive) {
        let address = client(for: specification).remoteImage(at: specification.source).address
        let image = try await asking(specification) { remote, access throws(RemoteArchiveError) in
            isWithRange ? try await remote.image(access) : try await remote.structure(access)
        }
        return (image, TileArchive(format: .geoTIFF, address: address))
    }

    /// Returns an answer of a GeoTIFF on a server.
    fileprivate func asking<Value: Sendable>(
        _ specification: LayerSpecification,
        _ ask: (RemoteGeoTIFF, RemoteAccess) async throws(RemoteArchiveError) -> Value
    ) async throws(MapError) -> Value {
        let (remote, access, address) = client(for: specification).remoteImage(at: specification.source)
        return try await specification.asking { () throws(ServiceError) in
            do throws(RemoteArchiveError) { return try await ask(remote, access) } catch {
                throw error.serviceError(at: address.text)
            }
        }
    }
}

extension GeoTIFFImage {
    /// Returns the tile grid in the CRS that a layer states, or else in that of the file.
    func grid(for specification: LayerSpecification) throws(MapError) -> TileGrid {
        var crs: CRS?
        if let text = specification["crs"] {
            do { crs = try CRS(text) } catch { throw specification.invalid("crs", "cannot be used: \(error)") }
        }
        do throws(ArchiveError) { return try grid(in: crs) } catch { throw specification.error(.archive(error)) }
    }
}
