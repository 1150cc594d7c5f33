public import PortolanFetch

/// Asks services what they offer and makes layers of them.
///
/// Capabilities are fetched anew for each call; keep the layers that come of them.
public struct ServiceClient: Sendable {
    private let fetcher: Fetcher
    let configuration: RendererConfiguration

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - configuration: header fields, time limits and the identification to use; give the renderer's own.
    ///   - transport: what carries the requests; the platform's own when `nil`.
    public init(configuration: RendererConfiguration = RendererConfiguration(), transport: (any HTTPTransport)? = nil) {
        self.init(configuration: configuration, fetcher: configuration.fetcher(over: transport))
    }

    init(configuration: RendererConfiguration, fetcher: Fetcher) {
        self.configuration = configuration
        self.fetcher = fetcher
    }

    /// What is wanted of a service's tile sets.
    public struct TileSetChoice: Hashable, Sendable {
        /// The layers in the tiles, the bottommost first.
        public var layers: [String]
        /// A style for each layer, or `nil` for any.
        public var styles: [String]?
        /// The format, or `nil` for the best.
        public var format: String?
        /// The system of the tiles in any spelling, or `nil` for the map's where there is such a set, else the first.
        public var crsName: String?

        /// Makes a choice.
        public init(layers: [String], styles: [String]? = nil, format: String? = nil, crsName: String? = nil) {
            self.layers = layers
            self.styles = styles
            self.format = format
            self.crsName = crsName
        }
    }

    /// The bytes of a document at a URL, a file among them.
    ///
    /// - Throws: ``ServiceError`` when it cannot be had or the server answers with an error status and no document.
    public func data(at url: String) async throws(ServiceError) -> [UInt8] {
        let response = try await document(at: url)
        guard response.isSuccessful else {
            throw ServiceError(.unavailable, url: url, detail: "HTTP status \(response.status)")
        }
        return response.body
    }

    /// What is at a URL, whatever its status.
    ///
    /// - Parameter limit: the most bytes taken, where that is less than the configuration allows.
    func document(at url: String, limit: Int = .max) async throws(ServiceError) -> HTTPResponse {
        let request = HTTPRequest(
            url: url, headers: configuration.headers(for: url), timeouts: configuration.timeouts,
            maximumBodyByteCount: min(max(configuration.documentByteLimit, 0), limit))
        do { return try await fetcher.fetch(request) } catch {
            let code: ServiceError.Code =
                switch error.code {
                case .fileNotFound: .notFound
                case .cancelled: .cancelled
                case .bodyTooLarge: .unreadable
                default: .unavailable
                }
            throw ServiceError(code, url: url, detail: "\(error.code.words): \(error.detail)")
        }
    }
}
