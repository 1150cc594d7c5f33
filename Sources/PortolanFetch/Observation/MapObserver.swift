import PortolanWeb

/// Observes requests, the cache and renders, for logs, metrics and traces.
///
/// For events alone, implement ``note(_:)``. The other two methods wrap a piece of work, for observers that keep state
/// for its duration, such as trace spans. They are called in the task that does the work.
///
/// An observer is called synchronously from any task, without locks held, and should return quickly. Events contain no
/// credentials. The product `PortolanObservability` has an observer for swift-log, swift-metrics and
/// swift-distributed-tracing.
public protocol MapObserver: Sendable {
    /// Receives an event.
    func note(_ event: MapObservation)

    /// Wraps a request. Implementations call `work` once and return its value.
    ///
    /// - Parameter work: performs the request with additional header fields. They are ignored when equal requests are
    ///   coalesced and when cache keys are computed: of coalesced requests, the fields of the first are sent.
    func request<Value: Sendable>(
        _ request: MapObservation.Request, work: ([HTTPHeader]) async -> (Value, MapObservation.RequestOutcome)
    ) async -> Value

    /// Wraps a render. Implementations call `work` once and return its value.
    func drawing<Value: Sendable>(work: () async -> (Value, MapObservation.DrawingOutcome)) async -> Value
}

extension MapObserver {
    /// Performs the request, without additional header fields.
    public func request<Value: Sendable>(
        _ request: MapObservation.Request, work: ([HTTPHeader]) async -> (Value, MapObservation.RequestOutcome)
    ) async -> Value { await work([]).0 }

    /// Performs the render.
    public func drawing<Value: Sendable>(work: () async -> (Value, MapObservation.DrawingOutcome)) async -> Value {
        await work().0
    }
}

/// An event for a ``MapObserver``; cases may be added.
public enum MapObservation: Sendable {
    /// An HTTP request begins; it may be queued.
    case requestBegan(MapObservation.Request)
    /// An HTTP request has ended.
    case requestEnded(MapObservation.Request, MapObservation.RequestOutcome)
    /// A response was reused.
    case cacheAnswered(MapObservation.Request, CacheOrigin)
    /// A host is unreachable and is not contacted for a while (``RetryPolicy/CircuitBreaker``).
    case hostLost(host: String, reason: String)
    /// A host that was unreachable responds again.
    case hostRestored(host: String)
    /// The response store failed; maps are rendered without it.
    case storeFailed(StoreError)
    /// A render has ended.
    case drawingEnded(MapObservation.DrawingOutcome)

    /// The origin of a reused response.
    public enum CacheOrigin: String, Hashable, Sendable {
        /// A decoded image in memory.
        case memory
        /// The store, with a fresh or revalidated response.
        case store
        /// The store, with a stale response because no newer one was available.
        case stale
    }
}

extension MapObservation {
    /// A request as a ``MapObserver`` sees it.
    public struct Request: Hashable, Sendable {
        /// The host in lower case, without a port; empty if the URL has none.
        public let host: String
        /// The port; the default of the scheme if the URL has none.
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

        /// The URL without secrets (see ``FetchError/redacted(_:)``).
        ///
        /// Secrets are recognised by their position in the URL, and secrets from the header or other parameters are removed
        /// wherever they are repeated.
        ///
        /// - Complexity: O(*n*) in its length, on each access.
        public var url: String {
            var secrets = Secrets()
            secrets.add(url: address)
            for header in headers { secrets.add(header) }
            return secrets.removed(from: FetchError.redacted(address))
        }
    }
}

extension MapObservation {
    /// The outcome of a request.
    public struct RequestOutcome: Hashable, Sendable {
        /// The HTTP status, or `nil` if none was received.
        public let status: Int?
        /// The length of the decompressed body in bytes.
        public let byteCount: Int
        /// The error, if there is no response.
        public let error: FetchError?
        /// The number of attempts; 0 if it was never sent, or was cancelled.
        public let attemptCount: Int
        /// Whether it was coalesced with an equal request in progress.
        public let isShared: Bool
        /// The duration from the call to the response, including waits in the queue and between attempts.
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

        /// A label with few values for metrics: `2xx` and so on for a response, otherwise the error code.
        public var label: String {
            if let error { return "\(error.code)" }
            return status.map { "\($0 / 100)xx" } ?? ""
        }
    }
}

extension MapObservation {
    /// The outcome of a render, with the duration of each phase.
    public struct DrawingOutcome: Hashable, Sendable {
        /// The number of layers.
        public let layerCount: Int
        /// The number of requested images.
        public let requestedCount: Int
        /// The number of missing images.
        public let failedCount: Int
        /// The error without secrets, if there is no picture.
        public let error: String?
        /// The total duration.
        public let duration: Duration
        /// The duration of planning.
        public let planning: Duration
        /// The duration of fetching and decoding.
        public let fetching: Duration
        /// The total duration of decoding, summed over images that may be decoded in parallel; a part of ``fetching``.
        public let decoding: Duration
        /// The duration of painting; zero if there is no picture.
        public let painting: Duration

        package init(
            layerCount: Int, requestedCount: Int, failedCount: Int, error: String?, duration: Duration,
            planning: Duration,
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
}
