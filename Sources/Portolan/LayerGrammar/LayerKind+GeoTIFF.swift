import PortolanArchives
import PortolanGeo
import PortolanPlan

extension LayerKind {
    /// An image in a GeoTIFF file, such as a Cloud Optimized GeoTIFF.
    public static let geoTIFF = LayerKind(
        "geotiff", source: .archive, keys: ["crs", "attribution"],
        help: "geotiff:FILE  A GeoTIFF image, such as a Cloud Optimized GeoTIFF, with its overviews.",
        make: { (specification, name, builder) throws(MapError) in
            var crs: CRS?
            if let text = specification["crs"] {
                do { crs = try CRS(text) } catch { throw specification.invalid("crs", "cannot be used: \(error)") }
            }
            return try builder.opened(specification) { path throws(ArchiveError) in
                let image = try GeoTIFFRaster(path: path), grid = try image.grid(in: crs)
                var layer = MapLayer(
                    name: name,
                    source: TileSource(
                        grid: grid, address: .archive(TileArchive(format: .geoTIFF, path: path)), extent: image.extent))
                layer.bounds = LayerBounds(image.extent, crs: grid.crs)
                if let attribution = specification["attribution"] { layer.attribution = attribution }
                return (layer, image.notes.map { MapWarning(.data, message: $0) })
            }
        })
}
