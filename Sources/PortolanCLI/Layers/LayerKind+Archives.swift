import Foundation
import Portolan

extension LayerKind {
    /// Tiles in an MBTiles file.
    package static let mbtiles = LayerKind(
        "mbtiles", source: .archive, keys: [], help: "mbtiles:FILE  images in web mercator",
        make: { specification, name, _ in
            try opened(specification.source) { path throws(ArchiveError) in
                (try MapLayer.mbtiles(named: name, path: path), [])
            }
        })

    /// Tiles in a GeoPackage.
    package static let geoPackage = LayerKind(
        "gpkg", source: .archive, keys: ["layers"],
        help: "gpkg:FILE  a GeoPackage of images  layers (the name of a table of tiles, where there are several)",
        make: { specification, name, _ in
            try opened(specification.source) { path throws(ArchiveError) in
                try MapLayer.geoPackage(named: name, path: path, table: specification["layers"])
            }
        })

    private static func opened(
        _ path: String, _ open: (String) throws(ArchiveError) -> Made
    ) throws(CommandFailure) -> Made {
        guard FileManager.default.fileExists(atPath: path) else { throw CommandFailure(noFileAt: path) }
        do { return try open(path) } catch { throw CommandFailure(error) }
    }
}

extension CommandFailure {
    /// What a missing file means for the user.
    init(noFileAt path: String) { self.init(.noInput, "\(path): there is no such file") }

    /// What a file of tiles that cannot be used means for the user.
    init(_ error: ArchiveError) {
        let status: ExitStatus =
            switch error.code {
            case .cannotOpen: .noInput
            case .invalid: .usage
            default: .badData
            }
        self.init(status, error.description)
    }
}
