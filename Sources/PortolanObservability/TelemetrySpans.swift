#if Observability
import PortolanFetch
import Tracing

/// Creates spans of renders and requests.
struct TelemetrySpans: Sendable {
    let tracer: any Tracer
    let propagates: @Sendable (_ host: String) -> Bool

    /// Creates a span with the attributes of OpenTelemetry's semantic conventions for HTTP clients.
    func request<Value: Sendable>(
        _ request: MapObservation.Request, work: ([HTTPHeader]) async -> (Value, MapObservation.RequestOutcome)
    ) async -> Value {
        let span = tracer.startSpan("portolan.fetch", ofKind: .client)
        defer { span.end() }
        span.attributes["http.request.method"] = "GET"
        span.attributes["url.full"] = request.url
        span.attributes["server.address"] = request.host
        if let port = request.port { span.attributes["server.port"] = port }
        var fields: [HTTPHeader] = []
        if propagates(request.host) { tracer.inject(span.context, into: &fields, using: HeaderInjector()) }
        let (value, outcome) = await ServiceContext.$current.withValue(span.context) { await work(fields) }
        if let status = outcome.status { span.attributes["http.response.status_code"] = status }
        if outcome.error == nil { span.attributes["http.response.body.size"] = outcome.byteCount }
        if outcome.attemptCount > 1 { span.attributes["http.request.resend_count"] = outcome.attemptCount - 1 }
        if outcome.isShared { span.attributes["portolan.shared"] = true }
        if let error = outcome.error {
            span.attributes["error.type"] = "\(error.code)"
            if error.code != .cancelled { span.setStatus(SpanStatus(code: .error, message: error.detail)) }
        } else if let status = outcome.status, status >= 400 {
            span.attributes["error.type"] = "\(status)"
            span.setStatus(SpanStatus(code: .error))
        }
        return value
    }

    func drawing<Value: Sendable>(work: () async -> (Value, MapObservation.DrawingOutcome)) async -> Value {
        let span = tracer.startSpan("portolan.render", ofKind: .internal)
        defer { span.end() }
        let (value, outcome) = await ServiceContext.$current.withValue(span.context) { await work() }
        span.attributes["portolan.layers"] = outcome.layerCount
        span.attributes["portolan.images"] = outcome.requestedCount
        span.attributes["portolan.missing"] = outcome.failedCount
        let stages = [
            ("plan", outcome.planning), ("fetch", outcome.fetching), ("decode", outcome.decoding),
            ("paint", outcome.painting),
        ]
        for (stage, duration) in stages { span.attributes["portolan.\(stage).seconds"] = duration.seconds }
        if let error = outcome.error { span.setStatus(SpanStatus(code: .error, message: error)) }
        return value
    }
}

/// Writes a trace context into header fields.
private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [HTTPHeader]) {
        carrier.append(HTTPHeader(name: key, value: value))
    }
}
#endif
