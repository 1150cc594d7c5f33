#if PostGIS
import Synchronization

/// The time limit of a query, and whether its task was cancelled.
final class PQTicket: Sendable {
    /// The time at which the query ends.
    let deadline: ContinuousClock.Instant
    private let cancelled = Atomic(false)

    init(_ time: Duration) { deadline = .now + time }

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Throws if the query must end.
    func check(_ database: String) throws(PostGISError) {
        if isCancelled { throw PostGISError(.cancelled, database: database, "the query was cancelled") }
        guard ContinuousClock.now < deadline else {
            throw PostGISError(
                .timedOut, database: database, "the query exceeded its time limit",
                remedy: "raise the time limit, or add an index")
        }
    }
}
#endif
