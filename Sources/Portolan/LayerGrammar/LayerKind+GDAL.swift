#if GDAL
import PortolanArchives
package import PortolanFeatures
import PortolanFetch
import PortolanGDAL
import PortolanGeo
import PortolanPlan
package import PortolanRaster
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LayerKind {
    /// Features or an image in a file that GDAL reads and Portolan does not itself.
    public static let gdal = LayerKind(
        "gdal", source: .archive, keys: appearanceKeys + ["crs", "layer", "driver"],
        help: """
            gdal:FILE  by GDAL, an image (GeoTIFF, JPEG 2000 and more) or features in other formats (MapInfo, DXF, file \
            geodatabases, TopoJSON and more)  crs, and of features layer (of several), driver (the only one that may \
            read them), and the keys of styles
            """,
        make: { (specification, name, builder) async throws(LayerError) in
            if case .document = specification.origin { throw specification.error(.foreign) }
            let path = specification.source
            guard FileManager.default.fileExists(atPath: path) else { throw specification.error(.noFile) }
            if GDALRaster.recognizes(path: path) { return try image(specification, name) }
            let read = try FeatureDocument.gdal(
                at: path, layer: specification["layer"], driver: specification["driver"],
                memory: builder.memory(forOwn:))
            return try await featureLayer(read.collection, base: nil, specification, name, builder)
        })

    private static func image(_ specification: LayerSpecification, _ name: String) throws(LayerError) -> Made {
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
                    grid: grid, address: .archive(TileArchive(format: .image, path: path)), extent: image.extent))
            layer.bounds = LayerBounds(image.extent, crs: grid.crs)
            return (layer, image.notes.map { MapWarning(.data, message: $0) })
        } catch { throw specification.error(.archive(error)) }
    }
}

extension FeatureDocument {
    /// The features of a file that GDAL reads, and the name of the driver.
    ///
    /// - Parameters:
    ///   - layer: the one of several that is wanted.
    ///   - driver: the only one that may read it, or `nil` for any.
    ///   - memory: gives what the features are charged to, with the size of the file.
    package static func gdal(
        at path: String, layer: String? = nil, driver: String? = nil,
        memory: (_ byteCount: Int) -> MemoryBudget
    ) throws(LayerError) -> (collection: FeatureCollection, format: String) {
        do {
            let dataset = try GDALFeatures(path: path, driver: driver)
            let query = FeatureQuery(layer: layer)
            let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
            return (try dataset.read(query, limits: FeatureLimits(memory: memory(size ?? 0))), dataset.name)
        } catch let error as FeatureFileError where error.code == .memory {
            throw LayerError(.memory("\(error)"), source: path, kind: .gdal)
        } catch is CancellationError {
            throw LayerError(
                .service(ServiceError(.fetch(.cancelled(url: path)), url: path)), source: path, kind: .gdal)
        } catch { throw LayerError(.features("\(error)"), source: path, kind: .gdal) }
    }
}
#endif
