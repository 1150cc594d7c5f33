import Synchronization

/// The request metrics since the start, in the Prometheus text format 0.0.4.
///
/// Labels have few values: the first path component if an endpoint answers it, and the status, but never a URL.
final class ServingFigures: Sendable {
    private struct Key: Hashable {
        let route: String
        let status: Int
    }

    private struct State {
        var counts: [Key: Int] = [:]
        var times: [String: RequestHistogram] = [:]
        var bytes: [String: Int] = [:]
    }

    private let state = Mutex(State())

    /// Counts a response.
    func note(route: String, status: Int, bytes: Int, seconds: Double) {
        state.withLock {
            $0.counts[Key(route: route, status: status), default: 0] += 1
            $0.times[route, default: RequestHistogram()].add(seconds)
            $0.bytes[route, default: 0] += bytes
        }
    }

    /// Returns the metrics page for Prometheus.
    ///
    /// - Parameters:
    ///   - gauges: the metrics of endpoints.
    ///   - version: the version of the program.
    func page(_ maker: PictureMaker, _ gauges: [EndpointGauge], version: String) -> String {
        let state = state.withLock(\.self), gate = maker.gateFigures, pictures = maker.figures
        var page = Page()
        page.family("portolan_http_requests_total", "counter", "Requests answered.")
        for (key, count) in state.counts.sorted(by: { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }) {
            page.line("portolan_http_requests_total", "route=\"\(key.route)\",status=\"\(key.status)\"", "\(count)")
        }
        page.family("portolan_http_request_seconds_total", "counter", "Response time.")
        let times = state.times.sorted { $0.key < $1.key }
        for (route, times) in times {
            page.line("portolan_http_request_seconds_total", "route=\"\(route)\"", "\(times.seconds)")
        }
        page.family("portolan_http_request_duration_seconds", "histogram", "Response time by route.")
        for (route, times) in times {
            let name = "portolan_http_request_duration_seconds", route = "route=\"\(route)\""
            for (bound, count) in times.buckets {
                page.line(name + "_bucket", "\(route),le=\"\(bound)\"", "\(count)")
            }
            page.line(name + "_sum", route, "\(times.seconds)")
            page.line(name + "_count", route, "\(times.count)")
        }
        page.family("portolan_http_response_bytes_total", "counter", "Response body bytes.")
        for (route, bytes) in state.bytes.sorted(by: { $0.key < $1.key }) {
            page.line("portolan_http_response_bytes_total", "route=\"\(route)\"", "\(bytes)")
        }
        page.family("portolan_pictures_total", "counter", "Renders by outcome.")
        for (outcome, count) in [
            ("drawn", pictures.drawn), ("incomplete", pictures.incomplete), ("failed", pictures.failed),
            ("abandoned", pictures.abandoned), ("kept", pictures.kept), ("shared", pictures.shared),
            ("joined", maker.joinedCount),
        ] {
            page.line("portolan_pictures_total", "outcome=\"\(outcome)\"", "\(count)")
        }
        page.value(
            "portolan_cache_hits_total", "counter", "Pictures that did not have to be drawn.",
            "\(pictures.kept + pictures.shared)")
        page.value(
            "portolan_cache_misses_total", "counter", "Pictures that had to be drawn.",
            "\(pictures.drawn + pictures.incomplete + pictures.failed)")
        page.value("portolan_picture_seconds_total", "counter", "Render time.", "\(pictures.seconds)")
        page.value("portolan_gate_running", "gauge", "Renders in progress.", "\(gate.running)")
        page.value("portolan_gate_waiting", "gauge", "Queued renders.", "\(gate.waiting)")
        page.value("portolan_gate_waiting_clients", "gauge", "Waiting clients.", "\(gate.waitingClients)")
        page.value("portolan_gate_room", "gauge", "Queue capacity.", "\(maker.settings.room)")
        page.value(
            "portolan_gate_picture_seconds", "gauge", "Mean render time of recent renders.", "\(gate.meanSeconds)")
        page.value(
            "portolan_gate_shed_total", "counter", "Renders refused because the queue was full.", "\(gate.refused)")
        page.value(
            "portolan_gate_abandoned_total", "counter",
            "Renders dropped from the queue by disconnects or deadlines.",
            "\(gate.abandoned)")
        page.value("portolan_gate_admitted_total", "counter", "Renders started from the queue.", "\(gate.admitted)")
        page.value(
            "portolan_gate_wait_seconds_total", "counter", "Queue time of started renders.", "\(gate.waitedSeconds)")
        page.family("portolan_cache_bytes", "gauge", "Cache memory by content.")
        for (kind, count) in maker.cacheByteCounts.sorted(by: { $0.key < $1.key }) {
            page.line("portolan_cache_bytes", "cache=\"\(kind)\"", "\(count)")
        }
        page.value(
            "portolan_cache_limit_bytes", "gauge", "Memory limit of all caches.",
            "\(maker.settings.memoryByteCount)")
        for figure in ProcessFigures.current { page.value(figure.name, figure.kind, figure.meaning, figure.value) }
        page.family("portolan_build_info", "gauge", "The version of the server; always 1.")
        page.line("portolan_build_info", "version=\"\(version)\"", "1")
        for gauge in gauges { page.value(gauge.name, "gauge", gauge.meaning, "\(gauge.value)") }
        return page.text
    }

    private struct Page {
        var text = ""

        mutating func family(_ name: String, _ kind: String, _ meaning: String) {
            text += "# HELP \(name) \(meaning)\n# TYPE \(name) \(kind)\n"
        }

        mutating func line(_ name: String, _ labels: String, _ value: String) {
            text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
        }

        mutating func value(_ name: String, _ kind: String, _ meaning: String, _ value: String) {
            family(name, kind, meaning)
            line(name, "", value)
        }
    }
}
