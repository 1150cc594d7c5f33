/// Watches requests, the cache and drawings, for logs, measurements and traces.
///
/// Whoever wants to know of events alone implements ``note(_:)``. The other two stand around a piece of work, for those who
/// keep something for its length, as a trace does its spans; they are called in the task whose work it is.
///
/// It is called on the path of the work, from any task, under no lock: it has to return soon. No event holds a credential.
/// The product `PortolanObservability` has one for swift-log, swift-metrics and swift-distributed-tracing.
public protocol MapObserver: Sendable {
    /// Something has happened.
    func note(_ event: MapObservation)

    /// Stands around a request; to call `work` once and return its value.
    ///
    /// - Parameter work: carries the request out, with header fields to send along. They do not count where equal requests
    ///   share a transfer, nor as keys of caches: of those who share, the first one's are sent.
    func request<Value: Sendable>(
        _ request: ObservedRequest, work: ([HTTPHeader]) async -> (Value, RequestOutcome)
    ) async -> Value

    /// Stands around a drawing; to call `work` once and return its value.
    func drawing<Value: Sendable>(work: () async -> (Value, DrawingOutcome)) async -> Value
}

extension MapObserver {
    /// Does the work, with no further header field.
    public func request<Value: Sendable>(
        _ request: ObservedRequest, work: ([HTTPHeader]) async -> (Value, RequestOutcome)
    ) async -> Value { await work([]).0 }

    /// Does the work.
    public func drawing<Value: Sendable>(work: () async -> (Value, DrawingOutcome)) async -> Value { await work().0 }
}
