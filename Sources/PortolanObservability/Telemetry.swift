#if Observability
public import Logging
public import Metrics
public import PortolanFetch
public import Tracing

/// An observer that reports to swift-log, swift-metrics and swift-distributed-tracing, each of which is optional.
///
/// Set it as `observer` of a `RendererConfiguration`. It never reports credentials.
public struct Telemetry: MapObserver {
    let log: TelemetryLog?
    let meters: TelemetryMeters?
    let spans: TelemetrySpans?

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - logger: receives single requests as `debug`, cache hits as `trace`, renders as `info`, missing content and
    ///     failures as `warning`, unreachable hosts as `error`.
    ///   - metrics: creates counters and timers, named `portolan_…`; their labels are `host` and `outcome`.
    ///   - tracer: creates the spans `portolan.render` and `portolan.fetch`, the latter with the OpenTelemetry
    ///     attributes for HTTP clients.
    ///   - propagates: whether the trace context (`traceparent`) is sent to a host; to all hosts by default.
    public init(
        logger: Logger? = nil, metrics: (any MetricsFactory)? = nil, tracer: (any Tracer)? = nil,
        propagates: @escaping @Sendable (_ host: String) -> Bool = { _ in true }
    ) {
        log = logger.map { TelemetryLog(logger: $0) }
        meters = metrics.map { TelemetryMeters(factory: $0) }
        spans = tracer.map { TelemetrySpans(tracer: $0, propagates: propagates) }
    }

    /// Reports an event to the logger and the metrics.
    public func note(_ event: MapObservation) {
        log?.note(event)
        meters?.note(event)
    }

    /// Creates a span, whose context is sent with the request.
    public func request<Value: Sendable>(
        _ request: MapObservation.Request, work: ([HTTPHeader]) async -> (Value, MapObservation.RequestOutcome)
    ) async -> Value {
        guard let spans else { return await work([]).0 }
        return await spans.request(request, work: work)
    }

    /// Creates a span, which is the parent of those of its requests.
    public func drawing<Value: Sendable>(work: () async -> (Value, MapObservation.DrawingOutcome)) async -> Value {
        guard let spans else { return await work().0 }
        return await spans.drawing(work: work)
    }
}
#endif
