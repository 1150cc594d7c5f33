#if Observability
import Metrics
import PortolanFetch
import Synchronization

/// Counts and times events.
///
/// Labels have few values: hosts beyond the first hundred are reported as `other`, and URLs are never labels.
final class TelemetryMeters: Sendable {
    private static let maximumHostCount = 100

    private struct Key: Hashable {
        let name: String
        let labels: [String]
    }

    private struct State {
        var hosts: Set<String> = []
        var counters: [Key: Counter] = [:]
        var timers: [Key: Metrics.Timer] = [:]
        var recorders: [Key: Recorder] = [:]
    }

    private let factory: any MetricsFactory
    private let state = Mutex(State())

    init(factory: any MetricsFactory) { self.factory = factory }

    func note(_ event: MapObservation) {
        switch event {
        case .requestBegan: break
        case .requestEnded(let request, let outcome): note(request, outcome)
        case .cacheAnswered(let request, let origin):
            count("portolan_cache_answers_total", [("host", host(request.host)), ("origin", origin.rawValue)])
        case .hostLost(let name, _):
            count("portolan_hosts_lost_total", [("host", host(name))])
        case .hostRestored(let name):
            count("portolan_hosts_restored_total", [("host", host(name))])
        case .storeFailed(let error):
            count("portolan_store_failures_total", [("outcome", "\(error.code)")])
        case .drawingEnded(let outcome): note(outcome)
        }
    }

    private func note(_ request: MapObservation.Request, _ outcome: MapObservation.RequestOutcome) {
        let labels = [("host", host(request.host)), ("outcome", outcome.label)]
        count("portolan_requests_total", labels)
        time("portolan_request_duration_seconds", labels, outcome.duration)
        // Coalesced requests cause no additional network traffic.
        guard !outcome.isShared else { return }
        if outcome.attemptCount > 1 { count("portolan_retries_total", [labels[0]], by: outcome.attemptCount - 1) }
        if outcome.error == nil { record("portolan_response_bytes", [labels[0]], outcome.byteCount) }
    }

    private func note(_ outcome: MapObservation.DrawingOutcome) {
        let word = outcome.error != nil ? "failed" : outcome.failedCount > 0 ? "incomplete" : "drawn"
        count("portolan_renders_total", [("outcome", word)])
        if outcome.failedCount > 0 { count("portolan_missing_images_total", [], by: outcome.failedCount) }
        time("portolan_render_duration_seconds", [("outcome", word)], outcome.duration)
        let stages = [
            ("plan", outcome.planning), ("fetch", outcome.fetching), ("decode", outcome.decoding),
            ("paint", outcome.painting),
        ]
        for (stage, duration) in stages {
            time("portolan_render_stage_duration_seconds", [("stage", stage)], duration)
        }
    }

    private func host(_ name: String) -> String {
        state.withLock { state in
            if state.hosts.contains(name) { return name }
            guard state.hosts.count < Self.maximumHostCount else { return "other" }
            state.hosts.insert(name)
            return name
        }
    }

    // Meters are created under the lock, once per key, but used without it, because they run external code.

    private func count(_ name: String, _ labels: [(String, String)], by amount: Int = 1) {
        let key = Key(name: name, labels: labels.map(\.1))
        state.withLock { $0.counters.value(of: key) { Counter(label: name, dimensions: labels, factory: factory) } }
            .increment(by: amount)
    }

    private func time(_ name: String, _ labels: [(String, String)], _ duration: Duration) {
        let key = Key(name: name, labels: labels.map(\.1))
        state.withLock { $0.timers.value(of: key) { Timer(label: name, dimensions: labels, factory: factory) } }
            .record(duration: duration)
    }

    private func record(_ name: String, _ labels: [(String, String)], _ value: Int) {
        let key = Key(name: name, labels: labels.map(\.1))
        state.withLock {
            $0.recorders.value(of: key) { Recorder(label: name, dimensions: labels, aggregate: true, factory: factory) }
        }.record(value)
    }
}

extension Dictionary {
    /// Returns the value of a key, created if necessary.
    fileprivate mutating func value(of key: Key, making: () -> Value) -> Value {
        if let value = self[key] { return value }
        let value = making()
        self[key] = value
        return value
    }
}
#endif
