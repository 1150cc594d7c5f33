public import PortolanFetch
package import PortolanRaster
import PortolanServices
package import PortolanWeb
import PortolanXML

/// Asks services what they offer and makes layers of them.
///
/// With a cache (``RendererConfiguration/cacheFolder``) documents are fetched again only when they are out of date; without
/// one, for each call: keep the layers that come of them.
public struct ServiceClient: Sendable {
    private let cache: ResponseCache
    package let configuration: RendererConfiguration
    /// Who names the addresses that are asked.
    package private(set) var origin = AddressOrigin.user

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - configuration: header fields, time limits and the identification to use; give the renderer's own.
    ///   - transport: what carries the requests; the platform's own when `nil`.
    public init(configuration: RendererConfiguration = RendererConfiguration(), transport: (any HTTPTransport)? = nil) {
        self.init(configuration: configuration, cache: configuration.cache(over: transport))
    }

    init(configuration: RendererConfiguration, cache: ResponseCache) {
        self.configuration = configuration
        self.cache = cache
    }

    /// The same client, asked for addresses that somebody else than the user names.
    package func asked(by origin: AddressOrigin) -> ServiceClient {
        var client = self
        client.origin = origin
        return client
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
    /// - Throws: ``MapError`` when it cannot be had or the server answers with an error status and no document.
    public func data(at url: String) async throws(MapError) -> [UInt8] {
        do { return try await content(at: url).bytes } catch { throw MapError(error) }
    }

    /// The same with the base of the addresses in it, and with the closed error of connections.
    package func content(at url: String) async throws(ServiceError) -> (bytes: [UInt8], base: BaseURL) {
        let asked = NamedURL(url, namedBy: origin)
        let response = try await document(at: asked)
        guard response.isSuccessful else {
            throw ServiceError(.status(response.status), url: url)
        }
        return (response.body, base(of: response, askedFor: asked))
    }

    /// A file of this machine, open, where who names it may lead there; `nil` for the address of what is no file.
    package func file(at source: String) throws(ServiceError) -> LocalFile? {
        let url = FileAddress.url(of: source)
        guard let path = try? FileURL.path(of: url) else { return nil }
        guard configuration.allowsFiles else {
            let error = FetchError(.unsupportedScheme, url: url, detail: "file: URLs are not allowed here")
            throw ServiceError(.fetch(error), url: url)
        }
        do throws(LocalFileError) {
            // A relative path is opened as it stands: the folder that it begins in may not be readable by its name.
            let isPath = !source.hasPrefix("file:")
            return try LocalFile(at: isPath ? source : path, namedBy: origin, policy: configuration.addressPolicy)
        } catch { throw ServiceError(.fetch(FetchError(error, url: url)), url: url) }
    }

    /// The bytes of a file that is open, with the base of the addresses in it.
    package func content(of file: LocalFile) throws(ServiceError) -> (bytes: [UInt8], base: BaseURL) {
        let url = FileAddress.url(of: file.path), bytes: [UInt8]
        do throws(LocalFileError) {
            bytes = try file.bytes(limit: configuration.documentByteLimit, endsWithTask: true)
        } catch {
            throw ServiceError(.fetch(FetchError(error, url: url)), url: url)
        }
        configuration.readings?.note(bytes, at: url)
        return (bytes, base(ofFileAt: url))
    }

    /// The base of the addresses in a file of this machine.
    package func base(ofFileAt url: String) -> BaseURL {
        let contents = AddressOrigin(contentsOf: url, askedFor: NamedURL(url, namedBy: origin))
        return BaseURL(url, contents: contents, policy: configuration.addressPolicy)
    }

    /// The base of the addresses in what comes by standard input: it is taken for a file in the folder the process runs in.
    package var baseOfStandardInput: BaseURL { base(ofFileAt: FileAddress.url(of: "standard-input")) }

    /// The base of the addresses in a document: the address that was asked for, as it has what the user put in its query.
    ///
    /// - Parameter url: another address that they are relative to.
    package func base(of response: HTTPResponse, askedFor asked: NamedURL, at url: String? = nil) -> BaseURL {
        let contents = AddressOrigin(contentsOf: response.url, network: response.network, askedFor: asked)
        // Where it was redirected its references are relative to the end of the way (RFC 3986, 5.1.3).
        let isMoved = !response.url.isEmpty && response.url != asked.text
        let address = url ?? asked.text
        return BaseURL(
            address, foundAt: isMoved ? response.url : address, contents: contents, policy: configuration.addressPolicy)
    }

    /// The answer at a URL, whatever its status; an error, and what looks like one, is not kept.
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

    /// What `reading` makes of the document at a URL; one that it refuses is not kept, and one that is kept and is out of
    /// date may stand in for it.
    func document<Value: Sendable>(
        at url: NamedURL, reading: @escaping @Sendable (HTTPResponse) throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        do throws(Undelivered<ServiceError>) { return try await read(at: url, reading) } catch {
            switch error {
            case .refused(let error), .fetch(let error): throw error
            }
        }
    }

    /// The most bytes of what a service says about itself, as XML or JSON.
    private static let descriptionByteLimit = XMLLimits().byteCount

    /// The same, which tells a document that cannot be had from one that cannot be read.
    func read<Value: Sendable>(
        at url: NamedURL, _ reading: @escaping @Sendable (HTTPResponse) throws(ServiceError) -> Value
    ) async throws(Undelivered<ServiceError>) -> Value {
        // No more is taken than its reader reads: a long answer may be short on the way.
        try await delivered(
            at: url, rule: configuration.documentRule(for: url.text), limit: Self.descriptionByteLimit
        ) { response throws(Undelivered<ServiceError>) in
            do throws(ServiceError) { return try reading(response) } catch { throw .refused(error) }
        }
    }

    /// What `reading` makes of what is at a URL at this moment, whatever its status; nothing is kept.
    ///
    /// - Parameter limit: the most bytes taken, where that is less than the configuration allows.
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

    /// Long documents take long to read: not on the caller's actor.
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
    /// - Parameter read: is given the document, what addresses in it are relative to, and its URL; what it refuses is not kept:
    ///   what is no good today may be tomorrow.
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

    /// Keeps no longer what ``data(at:)`` gave, since its reader has found it to be no good.
    package func forget(_ url: String) async {
        let url = NamedURL(url, namedBy: origin)
        await cache.remove(configuration.request(to: url, limit: configuration.documentByteLimit))
    }

    /// Returns when what has been fetched is kept in the cache.
    package func flush() async { await cache.flush() }

    /// What features and images are charged to.
    package var memory: MemoryBudget { configuration.memory }

    /// The same, after it was raised for a file of the user's own.
    package func memory(forOwn byteCount: Int) -> MemoryBudget {
        memory.makeRoom(forOwnFile: byteCount)
        return memory
    }

    /// What a person should know of the cache and of documents out of date, a sentence each.
    package var warnings: [MapWarning] { cache.warnings }
}

/// Why a document is not kept.
enum Undelivered<Refused: Sendable>: Error {
    /// It cannot be had.
    case fetch(ServiceError)
    /// It came, and its reader refused it.
    case refused(Refused)
}

extension HTTPResponse {
    /// Whether a document may be what was asked for: no error, no exception of a service, no page for people.
    ///
    /// Who reads it looks closer, and says so with ``ServiceClient/forget(_:)``.
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
    /// The result of asking a service; where it answers and is not of the kind wanted, the error names what it is.
    ///
    /// An address that says no to the question for one kind of service may be one of another: it is asked as it is, and as
    /// those are, but only when something is wrong already.
    package func naming<Value: Sendable>(
        _ named: NamedURL, wanted: AnswerKind, _ work: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        do { return try await work() } catch {
            guard error.answersAs?.isDefinite != true, error.mayBeOfOtherKind else { throw error }
            // A file that is not there is no service; that and a document of TMS have been asked for as they stand.
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
    /// Whether it tells what the address is for; any server may have a page, or some JSON.
    fileprivate var isDefinite: Bool { ![.page, .json, .image].contains(self) }
}
