import PortolanPlan
import Synchronization

/// Records which of a service's alternative URLs work (``/PortolanPlan/ResourceAlternatives``).
///
/// The alternatives are tried for refused requests only until the first URL has worked. After that, a missing tile is
/// missing at all URLs.
final class AddressCache: Sendable {
    private struct Findings {
        /// The indices of working URLs.
        var good: Set<Int> = []
        /// The number of times that all URLs failed.
        var failureCount = 0
    }

    private static let failureLimit = 4

    private let findings = Mutex<[String: Findings]>([:])

    /// Returns the indices of the URLs in the order in which to try them.
    func order(of service: String, count: Int) -> [Int] {
        let best = findings.withLock { $0[service]?.good.min() } ?? 0
        return [best] + (0..<count).filter { $0 != best }
    }

    /// Returns whether another URL may provide a resource after an error.
    func mayHelp(_ error: ResourceError, at place: Int, of service: String) -> Bool {
        switch error.cause {
        case .cancelled, .deadline, .memory, .notDrawn, .service: return false
        case .connection, .offline: return true
        case .transfer, .notFound, .exception, .status, .empty, .damaged:
            return !error.asksToStop && mayHelp(place, of: service)
        }
    }

    /// Returns whether another URL may provide a resource that one lacks.
    func mayHelp(_ place: Int, of service: String) -> Bool {
        findings.withLock {
            guard let known = $0[service] else { return true }
            return !known.good.contains(place) && (known.failureCount < Self.failureLimit || !known.good.isEmpty)
        }
    }

    /// Records that a URL works.
    func noteGood(_ place: Int, of service: String) {
        findings.withLock { _ = $0[service, default: Findings()].good.insert(place) }
    }

    /// Records that all URLs failed.
    func noteFailure(of service: String) { findings.withLock { $0[service, default: Findings()].failureCount += 1 } }
}
