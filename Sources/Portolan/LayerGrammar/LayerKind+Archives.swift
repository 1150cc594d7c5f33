import PortolanArchives
import PortolanPlan

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LayerKind {
    /// Tiles in an MBTiles file.
    public static let mbtiles = LayerKind(
        "mbtiles", source: .archive, keys: [], help: "mbtiles:FILE  Tiles of an MBTiles file, in web mercator.",
        make: { (specification, name, _) throws(MapError) in
            try opened(specification) { path throws(ArchiveError) in
                (try MapLayer.openMBTiles(named: name, path: path), [])
            }
        })

    /// Tiles in a GeoPackage.
    public static let geoPackage = LayerKind(
        "gpkg", source: .archive, keys: ["layers"],
        help: "gpkg:FILE  Tiles of a GeoPackage.",
        make: { (specification, name, _) throws(MapError) in
            try opened(specification) { path throws(ArchiveError) in
                try MapLayer.openGeoPackage(named: name, path: path, table: specification["layers"])
            }
        })

    private static func opened(
        _ specification: LayerSpecification, _ open: (String) throws(ArchiveError) -> Made
    ) throws(MapError) -> Made {
        let path = specification.source
        if case .document = specification.origin { throw specification.error(.foreign) }
        guard FileManager.default.fileExists(atPath: path) else { throw specification.error(.noFile) }
        do { return try open(path) } catch { throw specification.error(.archive(error)) }
    }
}
