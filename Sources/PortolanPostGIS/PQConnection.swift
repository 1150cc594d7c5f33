#if PostGIS
import CPQ
import Foundation
import PortolanFetch

/// A connection to a database with libpq, for one thread at a time.
///
/// It waits for the socket in short steps, so that a cancelled or late query ends although the server is silent. The
/// handle is valid from `init` to `deinit` and never leaves the connection, so the class is safe.
@safe final class PQConnection {
    private let handle: OpaquePointer
    let database: String
    private let secrets: Secrets
    /// Whether the server has accepted the user.
    private var isConnected = false

    /// The longest step of a wait in milliseconds, after which the ticket is checked.
    private static let step: Int32 = 20
    /// The time for which a cancelled query may take to end.
    private static let grace = Duration.seconds(2)

    /// Connects.
    init(_ address: PostGISAddress, _ settings: PostGISSettings, _ ticket: PQTicket) throws(PostGISError) {
        database = address.place
        secrets = address.secrets
        var options = address.options
        options["client_encoding"] = "UTF8"
        options["fallback_application_name"] = options["fallback_application_name"] ?? "portolan"
        // A server that vanishes is noticed.
        options["tcp_user_timeout"] = options["tcp_user_timeout"] ?? "30000"
        let keys = options.keys.sorted()
        var opened: OpaquePointer?
        let names = unsafe keys.map { unsafe strdup($0) }, values = unsafe keys.map { unsafe strdup(options[$0] ?? "") }
        unsafe Self.withList(names) { names in
            unsafe Self.withList(values) { values in unsafe opened = PQconnectStartParams(names, values, 0) }
        }
        unsafe names.forEach { unsafe free($0) }
        unsafe values.forEach { unsafe free($0) }
        guard let handle = unsafe opened else {
            throw PostGISError(.connection, database: database, "not enough memory")
        }
        unsafe self.handle = handle
        // Notices would be printed on standard error.
        _ = unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
        guard unsafe PQstatus(handle) != CONNECTION_BAD else { throw connectionError }
        let deadline = ContinuousClock.now + settings.connectTimeout
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING else { throw connectionError }
            try ticket.check(database)
            guard ContinuousClock.now < deadline else {
                throw PostGISError(
                    .connection, database: database,
                    "no connection within \(settings.connectTimeout.components.seconds) seconds",
                    remedy: "check the host and the port")
            }
            guard wait(forWriting: state == PGRES_POLLING_WRITING) else { continue }
            unsafe state = PQconnectPoll(handle)
        }
        isConnected = true
        guard unsafe PQsetnonblocking(handle, 1) == 0 else { throw connectionError }
    }

    deinit { unsafe PQfinish(handle) }

    /// Calls a function with an array of texts that ends with a null pointer.
    private static func withList(
        _ texts: [UnsafeMutablePointer<CChar>?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Void
    ) {
        let list = unsafe texts.map { unsafe UnsafePointer($0) } + [nil]
        unsafe list.withUnsafeBufferPointer { buffer in if let start = buffer.baseAddress { unsafe body(start) }
        }
    }

    /// Whether it can be used for another query.
    var isUsable: Bool {
        unsafe PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
    }

    /// Whether the server has not closed it since the last query.
    var isAlive: Bool { unsafe PQconsumeInput(handle) == 1 && PQstatus(handle) == CONNECTION_OK }

    /// Waits for the socket at most ``step``, and returns whether it is ready.
    private func wait(forWriting: Bool) -> Bool {
        var descriptor = unsafe pollfd(
            fd: PQsocket(handle), events: Int16(forWriting ? POLLOUT | POLLIN : POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, Self.step) > 0
    }

    // MARK: - Queries

    /// Runs a function in a read-only transaction with a time limit, and rolls it back.
    func inTransaction<Result>(
        _ ticket: PQTicket, _ body: () throws(PostGISError) -> Result
    ) throws(PostGISError) -> Result {
        let rest = ticket.deadline - .now
        let milliseconds = max(rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000, 1)
        try execute(
            "BEGIN READ ONLY; SET LOCAL statement_timeout = \(min(milliseconds, Int64(Int32.max))); "
                + "SET LOCAL client_min_messages = error", ticket)
        do {
            let result = try body()
            try execute("ROLLBACK", ticket)
            return result
        } catch {
            if unsafe PQstatus(handle) == CONNECTION_OK { try? execute("ROLLBACK", PQTicket(Self.grace)) }
            throw error
        }
    }

    /// Runs statements without parameters and results.
    func execute(_ statements: String, _ ticket: PQTicket) throws(PostGISError) {
        guard unsafe PQsendQuery(handle, statements) == 1 else { throw connectionError }
        _ = try results(ticket)
    }

    /// Returns the rows of a statement without parameters.
    func query(_ statement: String, isBinary: Bool = false, _ ticket: PQTicket) throws(PostGISError) -> PQRows {
        try query(statement, [], isBinary: isBinary, ticket)
    }

    /// Returns the rows of one statement.
    ///
    /// - Parameters:
    ///   - parameters: the values of `$1`, `$2`, …, as text.
    ///   - isBinary: whether the values of the result are in binary form.
    func query(
        _ statement: String, _ parameters: [String?], isBinary: Bool = false, _ ticket: PQTicket
    ) throws(PostGISError) -> PQRows {
        guard let rows = try send(statement, parameters, isBinary: isBinary, ticket) else {
            throw PostGISError(.failed, database: database, "the statement has no result")
        }
        return rows
    }

    /// Runs one statement, and returns its rows if it has any.
    @discardableResult
    func send(
        _ statement: String, _ parameters: [String?], isBinary: Bool = false, _ ticket: PQTicket
    ) throws(PostGISError) -> PQRows? {
        guard !statement.utf8.contains(0), !parameters.contains(where: { $0?.utf8.contains(0) == true }) else {
            throw PostGISError(.invalid, database: database, "a name or a value contains a null character")
        }
        let values = unsafe parameters.map { text in unsafe text.flatMap { unsafe strdup($0) } }
        var isSent = false
        unsafe Self.withList(values) { list in
            isSent =
                unsafe PQsendQueryParams(
                    handle, statement, Int32(parameters.count), nil, list, nil, nil, isBinary ? 1 : 0) == 1
        }
        unsafe values.forEach { unsafe free($0) }
        guard isSent else { throw connectionError }
        return try results(ticket)
    }

    /// Waits for all results of what was sent, and returns the last with rows.
    private func results(_ ticket: PQTicket) throws(PostGISError) -> PQRows? {
        var rows: PQRows?, fault: PostGISError?
        var ending: (cause: PostGISError, deadline: ContinuousClock.Instant)?
        while true {
            let unsent = unsafe PQflush(handle)
            guard unsafe unsent >= 0 && PQconsumeInput(handle) == 1 else { throw ending?.cause ?? connectionError }
            if unsent == 0, unsafe PQisBusy(handle) == 0 {
                guard let result = unsafe PQgetResult(handle) else { break }
                let found = unsafe PQRows(result)
                switch unsafe PQresultStatus(result) {
                case PGRES_TUPLES_OK: rows = found
                case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
                default: fault = unsafe fault ?? queryError(result)
                }
                // A connection that broke has no more results.
                if unsafe PQstatus(handle) == CONNECTION_BAD { break }
                continue
            }
            if let ending {
                guard ContinuousClock.now < ending.deadline else {
                    // The server does not react; the connection is closed, as it is not idle.
                    throw ending.cause
                }
            } else {
                do { try ticket.check(database) } catch {
                    unsafe PQCancellation.send(PQgetCancel(handle))
                    ending = (error, .now + Self.grace)
                }
            }
            _ = wait(forWriting: unsent == 1)
        }
        if let ending { throw ending.cause }
        if let fault { throw fault }
        return rows
    }

    // MARK: - Errors

    private func queryError(_ result: OpaquePointer) -> PostGISError {
        // 'C' and 'M' are PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY, macros that Swift does not import.
        func field(_ letter: Character) -> String? {
            unsafe PQresultErrorField(result, Int32(letter.asciiValue ?? 0)).map { unsafe String(cString: $0) }
        }
        guard let state = field("C") else { return connectionError }
        return PostGISError(
            sqlState: state, database: database, message: secrets.removed(from: field("M") ?? "unknown error"))
    }

    /// The error of the connection.
    private var connectionError: PostGISError {
        let message = secrets.removed(from: unsafe String(cString: PQerrorMessage(handle)))
        if unsafe PQconnectionNeedsPassword(handle) == 1 {
            return PostGISError(
                .authentication, database: database, "the server requires a password",
                remedy: "set PGPASSWORD, or add it to the file PGPASSFILE (~/.pgpass)")
        }
        if !isConnected, unsafe PQconnectionUsedPassword(handle) == 1 {
            // libpq passes the message of the server on, but not its SQLSTATE: the password was wrong, or what follows it.
            return PostGISError(
                .authentication, database: database, message,
                remedy: "check the user, and the password in PGPASSWORD or the file PGPASSFILE")
        }
        return PostGISError(.connection, database: database, message.isEmpty ? "the connection was lost" : message)
    }
}

/// Asks a server to end a query.
@safe private struct PQCancellation: @unchecked Sendable {
    // libpq documents PGcancel as independent of its connection and usable in any thread; only the thread below uses it.
    private let handle: OpaquePointer

    /// Sends the request in its own thread, since libpq waits for the server without a time limit.
    static func send(_ handle: OpaquePointer?) {
        guard let handle = unsafe handle else { return }
        let cancellation = unsafe PQCancellation(handle: handle)
        Thread.detachNewThread { cancellation.run() }
    }

    private func run() {
        var message = [CChar](repeating: 0, count: 256)
        // The message is at most as long as the buffer.
        _ = unsafe message.withUnsafeMutableBufferPointer { buffer in
            unsafe PQcancel(handle, buffer.baseAddress, Int32(buffer.count))
        }
        unsafe PQfreeCancel(handle)
    }
}
#endif
