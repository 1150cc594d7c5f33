public import PortolanFetch
package import PortolanRaster
import PortolanServices
package import PortolanWeb
import PortolanXML

/// Reads the capabilities of services and creates layers from them.
///
/// ```swift
/// let client = ServiceClient()
/// let capabilities = try await client.capabilities(of: "https://maps.example.org/wms")
/// let (layer, warnings) = try await client.wmsLayer(
///     named: "Depths", url: "https://maps.example.org/wms", options: WMSOptions(layers: ["depths"]))
/// ```
///
/// With a cache (``RendererConfiguration/cacheFolder``), documents are fetched again only when they are stale. Without
/// one, each call fetches them, so keep the layers.
public struct ServiceClient: Sendable {
    let cache: ResponseCache
    package let configuration: RendererConfiguration
    /// The origin of the requested URLs.
    package private(set) var origin = NamedURL.Origin.user

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - configuration: header fields, time limits and user agent; pass the configuration of the renderer.
    ///   - transport: the transport of the requests; `nil` for the platform's own.
    public init(configuration: RendererConfiguration = RendererConfiguration(), transport: (any HTTPTransport)? = nil) {
        self.init(configuration: configuration, cache: configuration.cache(over: transport))
    }

    init(configuration: RendererConfiguration, cache: ResponseCache) {
        self.configuration = configuration
        self.cache = cache
    }

    /// Returns a client whose requests have another origin than the user.
    package func asked(by origin: NamedURL.Origin) -> ServiceClient {
        var client = self
        client.origin = origin
        return client
    }

    /// The options of a WMS-C layer.
    public struct TileSetOptions: Hashable, Sendable {
        /// The layers in the tiles, the lowest first.
        public var layers: [String]
        /// A style for each layer, or `nil` for any.
        public var styles: [String]?
        /// The format, or `nil` for the best.
        public var format: String?
        /// The CRS of the tiles in any spelling, or `nil` for that of the map if there is such a set, else the first.
        public var crsName: String?

        /// Creates a choice.
        public init(layers: [String], styles: [String]? = nil, format: String? = nil, crsName: String? = nil) {
            self.layers = layers
            self.styles = styles
            self.format = format
            self.crsName = crsName
        }
    }

    /// Returns the content of a URL or local file.
    ///
    /// - Throws: ``MapError`` if it cannot be fetched, or the server answers with an error status and no document.
    public func data(from url: String) async throws(MapError) -> [UInt8] {
        do { return try await content(at: url).bytes } catch { throw MapError(error) }
    }

    /// Returns the content and its base URL, with the typed error `ServiceError`.
    package func content(at url: String) async throws(ServiceError) -> (bytes: [UInt8], base: BaseURL) {
        let asked = NamedURL(url, namedBy: origin)
        let response = try await document(at: asked)
        guard response.isSuccessful else {
            throw ServiceError(.status(response.status), url: url)
        }
        return (response.body, base(of: response, askedFor: asked))
    }

    /// Opens a local file if the origin may access it; returns `nil` if the source is not a local file.
    package func file(at source: String) throws(ServiceError) -> LocalFile? {
        let url = FileAddress.url(of: source)
        guard let path = try? FileURL.path(of: url) else { return nil }
        guard configuration.allowsFiles else {
            let error = FetchError(.unsupportedScheme, url: url, detail: "file: URLs are not allowed here")
            throw ServiceError(.fetch(error), url: url)
        }
        do throws(LocalFileError) {
            // A relative path is opened unchanged, as the working folder may not be readable by its absolute path.
            let isPath = !source.hasPrefix("file:")
            return try LocalFile(at: isPath ? source : path, namedBy: origin, policy: configuration.addressPolicy)
        } catch { throw ServiceError(.fetch(FetchError(error, url: url)), url: url) }
    }

    /// Returns the content of an open file, and its base URL.
    package func content(of file: LocalFile) throws(ServiceError) -> (bytes: [UInt8], base: BaseURL) {
        let url = FileAddress.url(of: file.path), bytes: [UInt8]
        do throws(LocalFileError) {
            bytes = try file.bytes(limit: configuration.fileByteLimit, endsWithTask: true)
        } catch {
            throw ServiceError(.fetch(FetchError(error, url: url)), url: url)
        }
        configuration.readings?.note(bytes, at: url)
        return (bytes, base(ofFileAt: url))
    }

    /// Returns the base URL of relative references in a local file.
    package func base(ofFileAt url: String) -> BaseURL {
        let contents = NamedURL.Origin(contentsOf: url, askedFor: NamedURL(url, namedBy: origin))
        return BaseURL(url, contents: contents, policy: configuration.addressPolicy)
    }

    /// The base URL of standard input, which is treated as a file in the working folder.
    package var baseOfStandardInput: BaseURL { base(ofFileAt: FileAddress.url(of: "standard-input")) }

    /// Returns the base URL of a document.
    ///
    /// It is the requested URL, which has the query of the user.
    ///
    /// - Parameter url: another base URL.
    package func base(of response: HTTPResponse, askedFor asked: NamedURL, at url: String? = nil) -> BaseURL {
        let contents = NamedURL.Origin(contentsOf: response.url, network: response.network, askedFor: asked)
        // After a redirect, references are relative to the final URL (RFC 3986, 5.1.3).
        let isMoved = !response.url.isEmpty && response.url != asked.text
        let address = url ?? asked.text
        return BaseURL(
            address, foundAt: isMoved ? response.url : address, contents: contents, policy: configuration.addressPolicy)
    }

    /// Returns the response at a URL, regardless of its status.
    ///
    /// Errors, and documents that look like errors, are not cached.
    package func document(at url: NamedURL) async throws(ServiceError) -> HTTPResponse {
        do throws(Undelivered<HTTPResponse>) {
            return try await delivered(at: url, rule: configuration.documentRule(for: url.text)) {
                response throws(Undelivered<HTTPResponse>) in
                guard response.isWorthKeeping else { throw .refused(response) }
                return response
            }
        } catch {
            switch error {
            case .refused(let response): return response
            case .fetch(let error): throw error
            }
        }
    }

    /// Returns the result of `reading` the document at a URL.
    ///
    /// A document that `reading` rejects is not cached; a stale cached document may replace it.
    func document<Value: Sendable>(
        at url: NamedURL, reading: @escaping @Sendable (HTTPResponse) throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        do throws(Undelivered<ServiceError>) { return try await read(at: url, reading) } catch {
            switch error {
            case .refused(let error), .fetch(let error): throw error
            }
        }
    }

    /// The maximum size of a service description (XML or JSON) in bytes.
    private static let descriptionByteLimit = XMLLimits().byteCount

    /// Returns the result of `reading` a document, and distinguishes failed requests from unreadable documents.
    func read<Value: Sendable>(
        at url: NamedURL, _ reading: @escaping @Sendable (HTTPResponse) throws(ServiceError) -> Value
    ) async throws(Undelivered<ServiceError>) -> Value {
        // The transfer limit equals that of the reader, as a compressed body expands.
        try await delivered(
            at: url, rule: configuration.documentRule(for: url.text), limit: Self.descriptionByteLimit
        ) { response throws(Undelivered<ServiceError>) in
            do throws(ServiceError) { return try reading(response) } catch { throw .refused(error) }
        }
    }

    /// Returns the result of `reading` a new response at a URL, regardless of its status.
    ///
    /// Nothing is cached.
    ///
    /// - Parameter limit: the maximum size in bytes, if lower than the configuration's.
    func fresh<Value: Sendable>(
        at url: NamedURL, limit: Int = .max,
        reading: @escaping @Sendable (HTTPResponse) throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        do throws(Undelivered<ServiceError>) {
            return try await delivered(at: url, rule: .disabled, limit: limit) {
                response throws(Undelivered<ServiceError>) in
                do throws(ServiceError) { return try reading(response) } catch { throw .refused(error) }
            }
        } catch {
            switch error {
            case .refused(let error), .fetch(let error): throw error
            }
        }
    }

    /// Fetches and reads a resource off the caller's actor, as long documents take time.
    @concurrent
    private func delivered<Value: Sendable, Refused>(
        at url: NamedURL, rule: CacheRule, limit: Int = .max,
        reading: @escaping @Sendable (HTTPResponse) throws(Undelivered<Refused>) -> Value
    ) async throws(Undelivered<Refused>) -> Value {
        let wish = CacheRequest<Value, Undelivered<Refused>>(
            request: configuration.request(to: url, limit: min(configuration.documentByteLimit, limit)), rule: rule,
            missing: { .fetch(ServiceError(.fetch($0), url: url.text)) }
        ) { [readings = configuration.readings] response throws(Undelivered<Refused>) in
            let value = try reading(response)
            readings?.note(response.body, at: url.text)
            return value
        }
        let answer = try await cache.answer(to: wish)
        if case .stale(let reason, _) = answer.origin { cache.note(stale: url.text, reason: reason) }
        return answer.value
    }

    /// Reads the document at a path or URL.
    ///
    /// - Parameter read: receives the document, its base URL and its URL. A document that it rejects is not cached.
    package func reading<Value>(
        _ address: String, _ read: (_ document: [UInt8], _ base: BaseURL, _ url: String) throws(MapError) -> Value
    ) async throws(MapError) -> Value {
        let url = FileAddress.url(of: address), document: [UInt8], base: BaseURL
        do { (document, base) = try await content(at: url) } catch { throw MapError(error) }
        do { return try read(document, base, url) } catch {
            await forget(url)
            throw error
        }
    }

    /// Removes a document of ``data(from:)`` from the cache because its reader rejected it.
    package func forget(_ url: String) async {
        let url = NamedURL(url, namedBy: origin)
        await cache.remove(configuration.request(to: url, limit: configuration.documentByteLimit))
    }

    /// A PMTiles archive on a server.
    func remoteArchive(at address: NamedURL) -> RemotePMTiles {
        RemotePMTiles(address, cache: cache, configuration: configuration)
    }

    /// Waits until all responses are written to the cache.
    package func flush() async { await cache.flush() }

    /// The memory budget of features and images.
    package var memory: MemoryBudget { configuration.memory }

    /// Returns the memory budget, enlarged for a file of the user.
    package func memory(forOwn byteCount: Int) -> MemoryBudget {
        memory.makeRoom(forOwnFile: byteCount)
        return memory
    }

    /// Warnings about the cache and about stale documents.
    package var warnings: [MapWarning] { cache.warnings }
}

/// The reason why a document is not cached.
enum Undelivered<Refused: Sendable>: Error {
    /// It could not be fetched.
    case fetch(ServiceError)
    /// Its reader rejected it.
    case refused(Refused)
}

extension HTTPResponse {
    /// Whether a document may be the requested one: not an error status, a service exception or an HTML page.
    ///
    /// Readers check further, and call ``ServiceClient/forget(_:)``.
    fileprivate var isWorthKeeping: Bool {
        guard isSuccessful, let first = body.first(where: { $0 > 0x20 }) else { return false }
        guard first == UInt8(ascii: "<") || first >= 0x80 else { return true }
        let start = String(decoding: body.prefix(4096).map(\.asciiLowercased), as: UTF8.self)
        return !["serviceexception", "exceptionreport", "wmtexception", "<html", "<!doctype html"].contains {
            start.contains($0)
        }
    }
}

extension ServiceClient {
    /// Returns the result of a request.
    ///
    /// If the response is of another kind, the error names that kind.
    ///
    /// A URL that fails for one kind of service may belong to another kind. Only then the URL is requested unchanged,
    /// and as the other kinds of services.
    package func naming<Value: Sendable>(
        _ named: NamedURL, wanted: AnswerKind, _ work: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        do { return try await work() } catch {
            guard error.answersAs?.isDefinite != true, error.mayBeOfOtherKind else { throw error }
            // A missing file is not a service. Files and TMS documents have already been requested unchanged.
            if wanted == .geoJSON, error.status == 404 { throw error }
            let url = named.text
            var addresses = wanted == .tms || wanted == .geoJSON ? [] : [url]
            if wanted != .wms { addresses.append(GetCapabilitiesRequest(version: nil, baseURL: named).url) }
            if wanted != .wmts { addresses += WMTSDocumentAddress.candidates(for: url).prefix(1) }
            for address in addresses {
                let answer = try await Self.unlessFailing { () throws(ServiceError) in
                    try await document(at: NamedURL(address, namedBy: named.origin))
                }
                guard let answer, answer.isSuccessful, let kind = AnswerKind(recognizing: answer.body), kind != wanted,
                    kind.isDefinite
                else { continue }
                throw ServiceError(.otherKind(kind, text: ""), url: url, code: error.code)
            }
            throw error
        }
    }
}

extension AnswerKind {
    /// Whether the kind identifies the URL; any server may return a page, or some JSON.
    fileprivate var isDefinite: Bool { ![.page, .json, .image].contains(self) }
}
