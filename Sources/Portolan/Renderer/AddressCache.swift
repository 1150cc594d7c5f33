import PortolanPlan
import Synchronization

/// What was found out of the addresses of services that have several (``/PortolanPlan/ResourceAlternatives``).
///
/// Only where the first has never given anything are the others tried for all that it refuses: a tile that is not there is refused
/// in every way.
final class AddressCache: Sendable {
    private struct Findings {
        /// The addresses that have given something, by their places.
        var good: Set<Int> = []
        /// How often all were tried in vain.
        var failureCount = 0
    }

    private static let failureLimit = 4

    private let findings = Mutex<[String: Findings]>([:])

    /// The places of addresses in the order in which they are to be tried.
    func order(of service: String, count: Int) -> [Int] {
        let best = findings.withLock { $0[service]?.good.min() } ?? 0
        return [best] + (0..<count).filter { $0 != best }
    }

    /// Whether another address may have what one refuses.
    func mayHelp(_ error: ResourceError, at place: Int, of service: String) -> Bool {
        switch error.cause {
        case .cancelled, .deadline, .memory, .notDrawn, .service: return false
        case .connection, .offline: return true
        case .transfer, .notFound, .exception, .status, .empty, .damaged:
            return !error.asksToStop && mayHelp(place, of: service)
        }
    }

    /// Whether another address may have what one lacks.
    func mayHelp(_ place: Int, of service: String) -> Bool {
        findings.withLock {
            guard let known = $0[service] else { return true }
            return !known.good.contains(place) && (known.failureCount < Self.failureLimit || !known.good.isEmpty)
        }
    }

    /// Notes that an address has given something.
    func noteGood(_ place: Int, of service: String) {
        findings.withLock { _ = $0[service, default: Findings()].good.insert(place) }
    }

    /// Notes that all addresses were tried in vain.
    func noteFailure(of service: String) { findings.withLock { $0[service, default: Findings()].failureCount += 1 } }
}
