import PortolanSQLite
import PortolanWeb

/// The failure of reading or writing a file of tiles.
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Hashable, Sendable {
        /// The file cannot be opened or made.
        case cannotOpen
        /// It may be read and not written.
        case notWritable
        /// There is no space left.
        case full
        /// Its content is damaged.
        case damaged
        /// Another process held it for too long.
        case busy
        /// The file is of another kind than expected, or has no tiles that could be drawn.
        case wrongFormat
        /// There is no such table or tile, or several tables to choose from.
        case invalid
        /// The file to be written is one of another job, or no file of tiles.
        case otherJob
        /// A value, a row or a statement of the file exceeds a limit.
        case limitExceeded
        /// The task that was reading was cancelled.
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
    /// The failure, for a person, in one line.
    public let detail: String

    /// Makes an error; the detail is brought into one line.
    public init(_ code: Code, place: String, detail: String) {
        self.code = code
        self.place = place
        self.detail = detail.inOneLine(limit: 2000)
    }

    /// The path and the failure, in one line.
    public var description: String { "\(place): \(detail)" }
}

extension ArchiveError {
    /// - Parameter kind: the kind of file that was expected; one without its tables or columns is none.
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

/// The kinds of SQLite files that hold tiles.
public enum TileArchiveKind: String, Hashable, Sendable {
    /// MBTiles.
    case mbtiles = "MBTiles"
    /// A GeoPackage.
    case geoPackage = "GeoPackage"

    /// The kind of a file, by its tables; `nil` when it is neither.
    ///
    /// - Throws: ``ArchiveError`` when the file cannot be read as one of SQLite.
    public init?(path: String) throws(ArchiveError) {
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
