#if Observability
public import Logging
public import Metrics
public import PortolanFetch
public import Tracing

/// Tells swift-log, swift-metrics and swift-distributed-tracing what a renderer does; any of the three may be left out.
///
/// Set it as `observer` of a `RendererConfiguration`. There is no credential in anything it tells.
public struct Telemetry: MapObserver {
    let log: TelemetryLog?
    let meters: TelemetryMeters?
    let spans: TelemetrySpans?

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - logger: gets single requests as `debug`, answers from caches as `trace`, drawings as `info`, what is missing or
    ///     failed as `warning`, hosts that cannot be reached as `error`.
    ///   - metrics: makes counters and timers, named `portolan_…`; their labels are `host` and `outcome`.
    ///   - tracer: makes the spans `portolan.render` and `portolan.fetch`, the latter with the attributes that OpenTelemetry
    ///     has for HTTP clients.
    ///   - propagates: whether a host is sent the trace's context (`traceparent`); all are by default.
    public init(
        logger: Logger? = nil, metrics: (any MetricsFactory)? = nil, tracer: (any Tracer)? = nil,
        propagates: @escaping @Sendable (_ host: String) -> Bool = { _ in true }
    ) {
        log = logger.map { TelemetryLog(logger: $0) }
        meters = metrics.map { TelemetryMeters(factory: $0) }
        spans = tracer.map { TelemetrySpans(tracer: $0, propagates: propagates) }
    }

    /// Tells the logger and the meters.
    public func note(_ event: MapObservation) {
        log?.note(event)
        meters?.note(event)
    }

    /// Makes a span, and has its context sent along.
    public func request<Value: Sendable>(
        _ request: ObservedRequest, work: ([HTTPHeader]) async -> (Value, RequestOutcome)
    ) async -> Value {
        guard let spans else { return await work([]).0 }
        return await spans.request(request, work: work)
    }

    /// Makes a span, under which those of its requests lie.
    public func drawing<Value: Sendable>(work: () async -> (Value, DrawingOutcome)) async -> Value {
        guard let spans else { return await work().0 }
        return await spans.drawing(work: work)
    }
}
#endif
