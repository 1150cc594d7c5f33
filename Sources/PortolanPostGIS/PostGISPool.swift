#if PostGIS
import Foundation
import Synchronization

/// Connections to a database, each in its own thread, so that waiting for the database blocks no other task.
///
/// Connections are opened when they are needed, and closed after a minute without queries.
final class PostGISPool: Sendable {
    /// A query that waits for a connection.
    private struct Job: Sendable {
        let ticket: PQTicket
        /// Runs with a connection, or with the reason why there is none.
        let run: @Sendable (Result<PQConnection, PostGISError>) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var threadCount = 0
        var idleCount = 0
    }

    /// The time after which an unused connection is closed.
    private static let idleTime = 60.0

    let address: PostGISAddress
    let settings: PostGISSettings
    private let state = Mutex(State())
    private let count = DispatchSemaphore(value: 0)

    init(_ address: PostGISAddress, _ settings: PostGISSettings) {
        self.address = address
        self.settings = settings
    }

    /// Runs a function in a read-only transaction, in the thread of a connection.
    ///
    /// - Parameter time: the time limit, or `nil` for that of the settings.
    func transaction<Value: Sendable>(
        within time: Duration? = nil,
        _ body: @escaping @Sendable (PQConnection, PQTicket) throws(PostGISError) -> Value
    ) async throws(PostGISError) -> Value {
        let ticket = PQTicket(time ?? settings.queryTimeout)
        let result: Result<Value, PostGISError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(
                    Job(ticket: ticket) { opened in
                        continuation.resume(
                            returning: Result { () throws(PostGISError) in
                                let connection = try opened.get()
                                return try connection.inTransaction(ticket) { () throws(PostGISError) in
                                    try body(connection, ticket)
                                }
                            })
                    })
            }
        } onCancel: {
            ticket.cancel()
            self.refuseCancelled()
        }
        return try result.get()
    }

    private func add(_ job: Job) {
        let (refusal, needsThread) = state.withLock { state -> (PostGISError?, Bool) in
            guard state.jobs.count < settings.queueLength else {
                return (
                    PostGISError(
                        .overloaded, database: address.place, "\(state.jobs.count) queries are waiting",
                        remedy: "try again later, or add connections"), false
                )
            }
            state.jobs.append(job)
            guard state.idleCount < state.jobs.count, state.threadCount < max(settings.connectionCount, 1) else {
                return (nil, false)
            }
            state.threadCount += 1
            return (nil, true)
        }
        if let refusal { return job.run(.failure(refusal)) }
        if needsThread {
            let thread = Thread { self.work() }
            thread.name = "postgis"
            thread.start()
        }
        count.signal()
        if job.ticket.isCancelled { refuseCancelled() }
    }

    /// Ends cancelled queries that still wait.
    private func refuseCancelled() {
        let cancelled = state.withLock { state in
            let found = state.jobs.filter(\.ticket.isCancelled)
            state.jobs.removeAll(where: \.ticket.isCancelled)
            return found
        }
        for job in cancelled {
            job.run(.failure(PostGISError(.cancelled, database: address.place, "the query was cancelled")))
        }
    }

    /// Runs queries with one connection until there have been none for some time.
    private func work() {
        var connection: PQConnection?
        while true {
            state.withLock { $0.idleCount += 1 }
            let isLate = count.wait(timeout: .now() + Self.idleTime) == .timedOut
            let (job, isOver) = state.withLock { state -> (Job?, Bool) in
                state.idleCount -= 1
                let job = state.jobs.isEmpty ? nil : state.jobs.removeFirst()
                guard job == nil, isLate else { return (job, false) }
                state.threadCount -= 1
                return (nil, true)
            }
            if isOver { return }
            guard let job else { continue }
            do throws(PostGISError) {
                try job.ticket.check(address.place)
                if connection?.isAlive == false { connection = nil }
                let usable: PQConnection
                if let connection {
                    usable = connection
                } else {
                    usable = try PQConnection(address, settings, job.ticket)
                    connection = usable
                }
                job.run(.success(usable))
                if !usable.isUsable { connection = nil }
            } catch {
                connection = nil
                job.run(.failure(error))
            }
        }
    }
}
#endif
