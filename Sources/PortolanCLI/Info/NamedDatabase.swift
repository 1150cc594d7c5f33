#if PostGIS
import Portolan
import PortolanPostGIS

/// A PostGIS database of a command line: `postgis:URL[;table=NAME…]`, or its URL alone.
struct NamedDatabase {
    let database: PostGISDatabase
    /// The table and its keys, if the command line names one.
    let query: PostGISQuery

    /// Reads an argument; returns `nil` for another source.
    init?(_ text: String, _ parts: LayerSpecification.Parts?) throws(CommandFailure) {
        let isURL = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
        guard isURL || parts?.kind == .postGIS else { return nil }
        for key in (parts?.values ?? [:]).keys.sorted() where !LayerKind.postGIS.takes(key) {
            throw CommandFailure(
                .usage, "unknown key '\(key)' for postgis; see portolan help layers postgis")
        }
        var query = PostGISQuery(table: parts?.values["table"])
        query.sql = parts?.values["sql"]
        query.geometry = parts?.values["geometry"]
        query.key = parts?.values["id"]
        query.crs = parts?.values["crs"]
        self.query = query
        do throws(PostGISError) { database = try PostGISDatabase(parts?.source ?? text) } catch {
            throw CommandFailure(error)
        }
    }
}

extension CommandFailure {
    /// The failure of a database.
    init(_ error: PostGISError) {
        let status: ExitStatus =
            switch error.code {
            case .invalid: .usage
            case .missing: .noInput
            case .geometry, .tooLarge: .badData
            case .connection, .authentication, .permission, .noPostGIS, .timedOut, .cancelled, .overloaded, .failed:
                .unavailable
            }
        self.init(status, error.description)
    }
}
#endif
