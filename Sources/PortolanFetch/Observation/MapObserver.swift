import PortolanWeb

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

/// An event for a ``MapObserver``; more may be added.
public enum MapObservation: Sendable {
    /// A request over HTTP begins; it may have to wait for its turn.
    case requestBegan(ObservedRequest)
    /// It has ended.
    case requestEnded(ObservedRequest, RequestOutcome)
    /// An answer was used again.
    case cacheAnswered(ObservedRequest, CacheOrigin)
    /// A host cannot be reached and is asked no more for a while (``CircuitBreakerPolicy``).
    case hostLost(host: String, reason: String)
    /// A host that could not be reached answers again.
    case hostRestored(host: String)
    /// The store of answers failed; maps are drawn without it.
    case storeFailed(StoreError)
    /// A drawing has ended.
    case drawingEnded(DrawingOutcome)

    /// The origin of an answer that is used again.
    public enum CacheOrigin: String, Hashable, Sendable {
        /// A decoded image in memory.
        case memory
        /// The store, where it was fresh or the server has confirmed it.
        case store
        /// It is out of date, and stands in for what could not be had.
        case stale
    }
}

/// A request as a ``MapObserver`` sees it.
public struct ObservedRequest: Hashable, Sendable {
    /// The host in small letters, without port; empty when the URL has none.
    public let host: String
    /// The port, that of the scheme when none is written.
    public let port: Int?
    private let address: String
    private let headers: [HTTPHeader]

    package init(url: String, headers: [HTTPHeader] = []) {
        let parts = URLParts(url)
        host = parts?.host ?? ""
        port = parts?.effectivePort
        address = url
        self.headers = headers
    }

    package init(_ request: HTTPRequest) { self.init(url: request.url, headers: request.headers) }

    /// The URL, without secrets (see ``FetchError/redacted(_:)``): those that their place tells, and what the request says
    /// elsewhere, in its header or in another parameter, wherever it is repeated.
    ///
    /// - Complexity: O(its length), each time.
    public var url: String {
        var secrets = Secrets()
        secrets.add(url: address)
        for header in headers { secrets.add(header) }
        return secrets.removed(from: FetchError.redacted(address))
    }
}

/// The outcome of a request.
public struct RequestOutcome: Hashable, Sendable {
    /// The HTTP status; nil when none arrived.
    public let status: Int?
    /// The bytes of the body, decompressed.
    public let byteCount: Int
    /// The failure, when there is no response.
    public let error: FetchError?
    /// The number of attempts; 0 when it was never sent, or was given up.
    public let attemptCount: Int
    /// Whether it shared the transfer of an equal one that was under way.
    public let isShared: Bool
    /// From the call to the answer, waiting for its turn and between attempts included.
    public let duration: Duration

    package init(_ reply: Result<HTTPResponse, FetchError>, attemptCount: Int, isShared: Bool, duration: Duration) {
        switch reply {
        case .success(let response):
            status = response.status
            byteCount = response.body.count
            error = nil
        case .failure(let failure):
            status = failure.status
            byteCount = 0
            error = failure
        }
        self.attemptCount = attemptCount
        self.isShared = isShared
        self.duration = duration
    }

    /// The outcome as one of few labels: `2xx` and the like for an answer, else the error's code.
    public var label: String {
        if let error { return "\(error.code)" }
        return status.map { "\($0 / 100)xx" } ?? ""
    }
}

/// The outcome of a drawing, with the time of each step.
public struct DrawingOutcome: Hashable, Sendable {
    /// The number of layers.
    public let layerCount: Int
    /// The number of images it needed.
    public let requestedCount: Int
    /// The number of missing images.
    public let failedCount: Int
    /// The failure when there is no picture, without secrets.
    public let error: String?
    /// From first to last.
    public let duration: Duration
    /// The time that planning took.
    public let planning: Duration
    /// The time that fetching and decoding took.
    public let fetching: Duration
    /// The time that decoding took, summed over images that may be decoded side by side; a part of ``fetching``.
    public let decoding: Duration
    /// The time that painting took; zero when there is no picture.
    public let painting: Duration

    package init(
        layerCount: Int, requestedCount: Int, failedCount: Int, error: String?, duration: Duration, planning: Duration,
        fetching: Duration, decoding: Duration, painting: Duration
    ) {
        self.layerCount = layerCount
        self.requestedCount = requestedCount
        self.failedCount = failedCount
        self.error = error
        self.duration = duration
        self.planning = planning
        self.fetching = fetching
        self.decoding = decoding
        self.painting = painting
    }
}
