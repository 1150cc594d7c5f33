import PortolanSQLite
import PortolanWeb

/// The failure of reading or writing a tile archive.
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Hashable, Sendable {
        /// The file cannot be opened or created.
        case cannotOpen
        /// The file is read-only.
        case notWritable
        /// The disk is full.
        case full
        /// The content is damaged.
        case damaged
        /// Another process locked the file for too long.
        case busy
        /// The file has an unexpected format, or no tiles that could be drawn.
        case wrongFormat
        /// There is no such table or tile, or there are several tables to choose from.
        case invalid
        /// The output file belongs to another job, or is not a tile archive.
        case otherJob
        /// A value, row or statement of the file exceeds a limit.
        case limitExceeded
        /// The archive was replaced by another version while it was read.
        case changed
        /// The reading task was cancelled.
        case cancelled
        /// The program was built without the trait `Storage`.
        case notBuiltIn
        /// Reading or writing failed in another way.
        case failed
    }

    /// The kind of failure.
    public let code: Code
    /// The path of the file.
    public let place: String
    /// The message for people, in one line.
    public let detail: String

    /// Creates an error; the detail is converted to one line.
    public init(_ code: Code, place: String, detail: String) {
        self.code = code
        self.place = place
        self.detail = detail.inOneLine(limit: 2000)
    }

    /// The path and the message, in one line.
    public var description: String { "\(place): \(detail)" }
}

extension ArchiveError {
    /// Creates an error from one of SQLite.
    ///
    /// - Parameter kind: the expected kind of file; a file without its tables or columns is not of this kind.
    init(_ error: SQLiteError, at path: String, expected kind: TileArchiveKind? = nil) {
        let code: Code =
            switch error.kind {
            case .damaged: .damaged
            case .notADatabase, .otherVersion: .wrongFormat
            case .schema: kind == nil ? .failed : .wrongFormat
            case .full: .full
            case .notWritable, .moved: .notWritable
            case .busy: .busy
            case .cannotOpen: .cannotOpen
            case .tooLong, .memory, .endless: .limitExceeded
            case .cancelled: .cancelled
            case .notBuiltIn: .notBuiltIn
            case .constraint, .inputOutput, .other: .failed
            }
        let detail =
            switch (error.kind, kind) {
            case (.schema, .mbtiles): "not an MBTiles file (\(error.message))"
            case (.schema, .geoPackage): "not a GeoPackage with tiles (\(error.message))"
            default: error.description
            }
        self.init(code, place: path, detail: detail)
    }
}

/// The kinds of SQLite tile archives.
package enum TileArchiveKind: String, Hashable, Sendable {
    /// MBTiles.
    case mbtiles = "MBTiles"
    /// A GeoPackage.
    case geoPackage = "GeoPackage"
    /// PMTiles.
    case pmtiles = "PMTiles"

    /// Returns the kind of a file by its tables, or `nil` if it is neither.
    ///
    /// - Throws: ``ArchiveError`` if the file cannot be read as an SQLite database.
    package init?(path: String) throws(ArchiveError) {
        if PMTilesFile.recognizes(path: path) {
            self = .pmtiles
            return
        }
        var names: Set<String> = []
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(path: path, access: .reading)
            try connection.run(
                "SELECT lower(name) FROM sqlite_schema WHERE lower(name) IN ('gpkg_contents', 'metadata', 'tiles')"
            ) { names.insert($0.text(0)) }
        } catch { throw ArchiveError(error, at: path) }
        if names.contains("gpkg_contents") {
            self = .geoPackage
        } else if names.contains("metadata"), names.contains("tiles") {
            self = .mbtiles
        } else {
            return nil
        }
    }
}
