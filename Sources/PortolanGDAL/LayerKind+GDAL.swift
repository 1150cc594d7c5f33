#if GDAL
public import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RendererConfiguration {
    /// Adds GDAL formats: layers of the kind `gdal:` and their images.
    public mutating func addGDAL() {
        layerKinds.kinds.append(.gdal)
        tileArchives[.gdal] = { archive throws(ArchiveError) in try GDALRaster(path: archive.path) }
    }
}

extension TileArchive.Format {
    /// An image with its overviews.
    static let gdal = TileArchive.Format(rawValue: "gdal")
}

extension GDALRaster: TileArchiveFormats.Reader {
    /// Returns the tile of an entry, transparent outside of the image, or `nil` if the grid has no such tile.
    public func tile(_ entry: TileArchive.Entry) throws(ArchiveError) -> TileArchiveFormats.Content? {
        try tile(level: entry.level, column: entry.column, row: entry.row).map { .pixels($0) }
    }
}

extension LayerKind {
    /// Features or an image in a file that is read with GDAL.
    public static let gdal = LayerKind(
        "gdal", source: .archive, keys: appearanceKeys + ["crs", "layer"] + joinKeys + ["driver"],
        help: """
            gdal:FILE  Images (GeoTIFF, JPEG 2000, …) or features (MapInfo, DXF, file geodatabases, …), read by GDAL.
            """,
        dataset: { try GDALFeatures(path: $0) },
        make: { (specification, name, builder) async throws(MapError) in
            if case .document = specification.origin { throw specification.error(.foreign) }
            let path = specification.source
            guard FileManager.default.fileExists(atPath: path) else { throw specification.error(.noFile) }
            if GDALRaster.recognizes(path: path) { return try image(specification, name) }
            let dataset: GDALFeatures
            do { dataset = try GDALFeatures(path: path, driver: specification["driver"]) } catch {
                throw specification.error(.features("\(error)"))
            }
            let read = try FeatureDocument.read(
                dataset, layer: specification["layer"], from: path, kind: specification.kind,
                memory: builder.memory(forOwn: FeatureDocument.byteCount(at: path)))
            return try await featureLayer(read.collection, base: nil, specification, name, builder)
        })

    private static func image(_ specification: LayerSpecification, _ name: String) throws(MapError) -> Made {
        var crs: CRS?
        if let text = specification["crs"] {
            do { crs = try CRS(text) } catch { throw specification.invalid("crs", "cannot be used: \(error)") }
        }
        let path = FileAddress.path(of: specification.source)
        do throws(ArchiveError) {
            let image = try GDALRaster(path: path), grid = try image.grid(in: crs)
            var layer = MapLayer(
                name: name,
                source: TileSource(
                    grid: grid, address: .archive(TileArchive(format: .gdal, path: path)), extent: image.extent))
            layer.bounds = LayerBounds(image.extent, crs: grid.crs)
            return (layer, image.notes.map { MapWarning(.data, message: $0) })
        } catch { throw specification.error(.archive(error)) }
    }
}
#endif
