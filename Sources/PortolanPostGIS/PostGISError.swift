#if PostGIS
import PortolanWeb

/// The reason why a database cannot be used: what failed, where, why, and how to fix it.
///
/// Messages contain no password and no text of a query.
public struct PostGISError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The URL or an option is invalid.
        case invalid
        /// The server cannot be reached, or the connection was lost.
        case connection
        /// The server rejected the user or the password.
        case authentication
        /// The user may not read the table or call the function.
        case permission
        /// The database, table, column or function does not exist.
        case missing
        /// The database does not have PostGIS.
        case noPostGIS
        /// The table has no geometry column, or its coordinate system is unknown.
        case geometry
        /// The time limit was exceeded.
        case timedOut
        /// The task was cancelled.
        case cancelled
        /// Too many queries are waiting.
        case overloaded
        /// The result is larger than the limit.
        case tooLarge
        /// The database reported another error.
        case failed
    }

    /// The kind of failure.
    public let code: Code
    /// The SQLSTATE of the database (PostgreSQL, appendix A), or `nil` if the failure has none.
    public let sqlState: String?
    /// The database without user and password.
    public let database: String
    /// The table or function, or `nil`.
    public internal(set) var subject: String?
    /// The cause, in one line.
    public let detail: String
    /// The remedy, or `nil` if none is known.
    public let remedy: String?

    init(
        _ code: Code, sqlState: String? = nil, database: String, subject: String? = nil, _ detail: String,
        remedy: String? = nil
    ) {
        self.code = code
        self.sqlState = sqlState
        self.database = database
        self.subject = subject
        self.detail = String(detail.inOneLine(limit: 500)[...].trimmed)
        self.remedy = remedy
    }

    /// Creates the error that the database reports with an SQLSTATE.
    ///
    /// - Parameter message: the primary message; details could contain values and text of the query.
    init(sqlState: String, database: String, message: String) {
        let (code, remedy): (Code, String?) =
            switch sqlState {
            case "57014": (.timedOut, "raise the time limit, or add an index")
            case "42501": (.permission, "grant SELECT on the table, or EXECUTE on the function, to the user")
            case "3D000", "42P01", "42703", "42883", "3F000": (.missing, nil)
            case "53300": (.overloaded, "reduce the pool, or raise max_connections of the server")
            case "25006": (.failed, "queries are read-only: the function must not write")
            case _ where sqlState.hasPrefix("28"):
                (.authentication, "check the user, and the password in PGPASSWORD or the file PGPASSFILE")
            case _ where sqlState.hasPrefix("08") || sqlState.hasPrefix("57P"): (.connection, nil)
            default: (.failed, nil)
            }
        self.init(code, sqlState: sqlState, database: database, message, remedy: remedy)
    }

    /// The database, the subject, the cause, the SQLSTATE and the remedy, in one line.
    public var description: String {
        database + (subject.map { ", \($0)" } ?? "") + ": \(reason)"
    }

    /// The cause, the SQLSTATE and the remedy.
    var reason: String {
        detail + (sqlState.map { " (SQLSTATE \($0))" } ?? "") + (remedy.map { "; \($0)" } ?? "")
    }

    /// Returns the error with a subject, unless it has one.
    func about(_ subject: String) -> PostGISError {
        var error = self
        if error.subject == nil { error.subject = subject }
        return error
    }
}
#endif
