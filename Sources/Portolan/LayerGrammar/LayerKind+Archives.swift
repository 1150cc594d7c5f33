import PortolanArchives
import PortolanPlan
import PortolanServices
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LayerKind {
    /// Tiles in an MBTiles file.
    public static let mbtiles = LayerKind(
        "mbtiles", source: .archive, keys: [], help: "mbtiles:FILE  Tiles of an MBTiles file, in web mercator.",
        make: { (specification, name, builder) throws(MapError) in
            try builder.opened(specification) { path throws(ArchiveError) in
                (try MapLayer.openMBTiles(named: name, path: path), [])
            }
        })

    /// Tiles in a PMTiles archive, in a file or on a server that supports range requests.
    public static let pmtiles = LayerKind(
        "pmtiles", source: .archive, keys: ["attribution"],
        help: "pmtiles:FILE|URL  Tiles of a PMTiles archive, in a file or on a server.",
        make: { (specification, name, builder) async throws(MapError) in
            let opened = try await builder.openPMTiles(specification)
            var layer = opened.layer(named: name)
            if let attribution = specification["attribution"] { layer.attribution = attribution }
            return (layer, opened.warnings)
        })

    /// Tiles in a GeoPackage.
    public static let geoPackage = LayerKind(
        "gpkg", source: .archive, keys: ["layers"],
        help: "gpkg:FILE  Tiles of a GeoPackage.",
        make: { (specification, name, builder) throws(MapError) in
            try builder.opened(specification) { path throws(ArchiveError) in
                try MapLayer.openGeoPackage(named: name, path: path, table: specification["layers"])
            }
        })

}

extension LayerBuilder {
    /// Opens the archive in a file that a specification names by its path or a `file:` URL.
    func opened<Value>(
        _ specification: LayerSpecification, _ open: (_ path: String) throws(ArchiveError) -> Value
    ) throws(MapError) -> Value {
        if case .document = specification.origin { throw specification.error(.foreign) }
        let source = specification.source
        let path = source.hasPrefix("file:") ? (try? FileURL.path(of: source)) ?? source : source
        let policy = client.configuration.addressPolicy
        if let refusal = LocalFile.refusal(of: path, namedBy: specification.origin, policy: policy) {
            throw specification.error(.refused(refusal))
        }
        guard FileManager.default.fileExists(atPath: path) else { throw specification.error(.noFile) }
        do { return try open(path) } catch { throw specification.error(.archive(error)) }
    }

    /// Opens the PMTiles archive that a specification names, in a file or on a server.
    func openPMTiles(_ specification: LayerSpecification) async throws(MapError) -> OpenedTiles {
        var source = specification.source
        // `pmtiles://https://…`, as written in styles.
        if source.hasPrefix("//http://") || source.hasPrefix("//https://") { source.removeFirst(2) }
        guard FileAddress.isLocal(source) else {
            return try await specification.asking { () throws(ServiceError) in
                try await client(for: specification).openPMTiles(at: source)
            }
        }
        return try opened(specification) { path throws(ArchiveError) in try OpenedTiles(pmtiles: path) }
    }
}
