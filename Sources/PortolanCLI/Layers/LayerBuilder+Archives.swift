import Foundation
import Portolan

extension LayerBuilder {
    /// A layer of the tiles in an MBTiles file.
    static func mbtilesLayer(_ specification: LayerSpecification, named name: String) throws(CommandFailure) -> MapLayer
    {
        try archive(specification) { path throws(ArchiveError) in try MapLayer.mbtiles(named: name, path: path) }
    }

    /// A layer of the tiles in a GeoPackage.
    static func geoPackageLayer(
        _ specification: LayerSpecification, named name: String
    ) throws(CommandFailure) -> (layer: MapLayer, warnings: [String]) {
        try archive(specification) { path throws(ArchiveError) in
            try MapLayer.geoPackage(named: name, path: path, table: specification["layers"])
        }
    }

    private static func archive<Value>(
        _ specification: LayerSpecification, opening: (String) throws(ArchiveError) -> Value
    ) throws(CommandFailure) -> Value {
        let path = specification.source
        guard isThere(path) else {
            throw CommandFailure(.noInput, "\(path): there is no such file")
        }
        do { return try opening(path) } catch { throw failure(error) }
    }

    /// What a file of tiles that cannot be used means for the user.
    static func failure(_ error: ArchiveError) -> CommandFailure {
        let status: ExitStatus =
            switch error.code {
            case .cannotOpen: .noInput
            case .invalid: .usage
            default: .badData
            }
        return CommandFailure(status, error.description)
    }

    /// Whether there is a file, or a folder, at a path.
    static func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
