#if PostGIS
public import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
package import PortolanPlan
import Synchronization

extension TileArchive.Format {
    /// Tables and functions of a PostGIS database.
    package static let postGIS = TileArchive.Format(rawValue: "postgis")
}

/// The databases of layers, and the tables and tiles that are read from them.
///
/// Layers and reports refer to tables by ``/PortolanPlan/TileArchive``, which contains no password.
final class PostGISService: TileArchiveFormats.TableService {
    /// The content of an archive.
    enum Content: Sendable {
        /// Rows with some attributes.
        case rows(PostGISStatements, [PostGISTable.Column])
        /// Vector tiles.
        case tiles(any PostGISTiles)
    }

    private struct State {
        var databases: [String: PostGISDatabase] = [:]
        var contents: [TileArchive: (database: PostGISDatabase, content: Content)] = [:]
    }

    /// The largest number of databases, and of tables and tile sets, that are known at a time.
    private static let limit = 10_000

    private let state = Mutex(State())

    /// Returns the database at a URL; layers with the same URL and limits share its connections.
    func database(_ url: String, _ settings: PostGISSettings) throws(PostGISError) -> PostGISDatabase {
        let key = "\(url) \(settings)"
        if let known = state.withLock({ $0.databases[key] }) { return known }
        let opened = try PostGISDatabase(url, settings: settings)
        return state.withLock { state in
            if let known = state.databases[key] { return known }
            if state.databases.count >= Self.limit { state.databases.removeAll() }
            state.databases[key] = opened
            return opened
        }
    }

    /// Registers the content of an archive, and returns the archive.
    ///
    /// - Parameters:
    ///   - title: the table or function, for reports.
    ///   - identity: a text that differs for different contents, and has no secret.
    func register(
        _ content: Content, of database: PostGISDatabase, titled title: String, identity: String
    ) -> TileArchive {
        // The identity may be long; a hash that differs between processes would make reports differ. Users have different rights.
        let user = database.pool.address.options["user"] ?? ""
        let digest = SHA256.hash(Array("\(database.place) \(user) \(identity)".utf8)).prefix(4)
        let mark = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let archive = TileArchive(format: .postGIS, path: database.place, table: "\(title)~\(mark)")
        state.withLock { state in
            if state.contents.count >= Self.limit { state.contents.removeAll() }
            state.contents[archive] = (database, content)
        }
        return archive
    }

    private func found(
        _ archive: TileArchive
    ) throws(ResourceError) -> (database: PostGISDatabase, content: Content) {
        guard let found = state.withLock({ $0.contents[archive] }) else {
            throw ResourceError(.service, place: archive.path, message: "the table was not opened")
        }
        return found
    }

    func content(of entry: TileArchive.Entry) async throws(ResourceError) -> [UInt8]? {
        let (database, content) = try found(entry.archive)
        do throws(PostGISError) {
            switch content {
            case .rows(let statements, let columns):
                guard let crs = statements.table.crs, let box = FeatureTableRequest.box(of: entry, in: crs) else {
                    return nil
                }
                return try await database.rows(
                    statements, columns, in: box.extent, unitsPerPixel: box.unitsPerPixel)
            case .tiles(let tiles):
                return try await tiles.tile(level: entry.level, column: entry.column, row: entry.row, query: []).bytes
            }
        } catch { throw ResourceError(error) }
    }

    func features(
        of table: TileArchive, limit: Int, memory: MemoryBudget
    ) async throws(ResourceError) -> (collection: FeatureCollection, isCut: Bool) {
        let (database, content) = try found(table)
        guard case .rows(let statements, _) = content else {
            throw ResourceError(.service, place: table.path, message: "these are tiles, not features")
        }
        var limits = FeatureLimits(memory: memory)
        limits.maximumFeatureCount = max(limits.maximumFeatureCount, limit)
        do throws(PostGISError) {
            return try await database.features(statements, limit: limit, limits: limits)
        } catch { throw ResourceError(error) }
    }
}

extension ResourceError {
    /// Creates the error of a resource that a database does not send.
    init(_ error: PostGISError) {
        let cause: Cause =
            switch error.code {
            case .connection, .overloaded, .authentication: .connection
            case .cancelled: .cancelled
            case .timedOut: .deadline
            case .tooLarge: .transfer
            case .invalid, .permission, .missing, .noPostGIS, .geometry, .failed: .service
            }
        self.init(cause, place: error.database, message: "\(error)")
    }
}

extension RendererConfiguration {
    /// Adds PostGIS databases: layers of the kind `postgis:`.
    public mutating func addPostGIS() {
        layerKinds.kinds.append(.postGIS)
        tileArchives.services[.postGIS] = PostGISService()
    }
}
#endif
