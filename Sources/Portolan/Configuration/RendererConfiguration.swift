public import PortolanCodecs
import PortolanDiskCache
import PortolanFeatures
public import PortolanFetch
public import PortolanFormats
public import PortolanRaster
public import PortolanText
public import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a renderer fetches, decodes and remembers.
public struct RendererConfiguration: Sendable {
    /// The most bytes of decoded pixels kept in memory; what the current view needs is kept beyond it.
    ///
    /// 64 MiB.
    public var imageCacheByteBudget = 64 << 20

    /// The most decoded images kept in memory, or `nil` for no such bound; what the current view needs is kept beyond
    /// it.
    ///
    /// `nil`: the budget in bytes is the bound.
    public var imageCacheCapacity: Int?

    /// The folder in which answers of servers are kept beyond the life of the process, or `nil` for none.
    ///
    /// Several processes may share one. Where it cannot be used, maps are drawn without it, with a warning.
    public var cacheFolder: String?

    /// The most bytes of ``cacheFolder``.
    ///
    /// 512 MiB.
    public var cacheByteBudget = 512 << 20

    /// A store of your own for answers, in place of ``cacheFolder``.
    public var store: (any ResponseStore)?

    /// Whether no server is asked: what is not in the cache is missing, and what is out of date is shown.
    ///
    /// Files are read all the same.
    public var isOffline = false

    /// The same without a cache: the servers themselves are asked, also where it is offline.
    package var withoutCache: RendererConfiguration {
        var configuration = self
        configuration.cacheFolder = nil
        configuration.store = nil
        configuration.isOffline = false
        return configuration
    }

    /// How long answers are used again.
    public var cacheRule = CacheRule()

    /// Rules for single hosts, by the host's name in small letters.
    public var hostCacheRules: [String: CacheRule] = [:]

    /// Rules for the images of single layers, by the layer's name; they come before those for hosts.
    public var layerCacheRules: [String: CacheRule] = [:]

    /// Seconds that a document (capabilities, features) is used again about which the server says nothing.
    ///
    /// 600.
    public var documentLifetime = 600

    /// Transfers at once to one host.
    ///
    /// 6.
    public var maximumConnectionsPerHost = 6

    /// How long a transfer may take.
    public var timeouts = ConnectionTimeouts()

    /// What is asked again when it fails, and when.
    ///
    /// Twice by default.
    public var retries = RetryPolicy()

    /// When a host that cannot be reached is asked no more.
    ///
    /// After 5 connections in a row that failed.
    public var circuitBreaker = CircuitBreakerPolicy()

    /// Is told of requests, of the cache and of drawings, or `nil`, which costs nothing.
    public var observer: (any MapObserver)?

    /// The time that waits are counted in.
    package var clock = FetchClock.system

    /// From how many pixels on a picture is painted when its pixels are wanted, some rows at a time.
    package var pixelCountAtOnce = 1 << 24

    /// The most bytes of a document: capabilities, features.
    ///
    /// 256 MiB.
    public var documentByteLimit = 256 << 20

    /// The formats of documents with features that are read.
    public var featureFormats = FeatureFormats.standard

    /// The formats of feature datasets, such as Shapefiles, that are read.
    public var featureDatasets = FeatureDatasets.standard

    /// The formats of tile archives that are read.
    public var tileArchives = TileArchiveFormats.standard

    /// The kinds of layers that words and documents may name.
    public var layerKinds = LayerKinds.standard

    /// The formats of images that are read.
    public var imageDecoders = ImageDecoders.standard

    /// How large an image may be.
    public var codecLimits = CodecLimits()

    /// The rule of what documents may lead to, and its holes.
    public var addressPolicy = AddressPolicy.standard

    /// How much memory features and decoded images may take at the same time.
    ///
    /// 384 MiB. Renderers whose configurations have the same budget share it.
    public var memory = MemoryBudget()

    /// Header fields to send, each to one host, to those that the user names, or to all.
    public var headers: [HostHeader] = []

    /// What is sent as `User-Agent`.
    public var userAgent: String {
        get { connection.userAgent }
        set { connection.userAgent = newValue }
    }

    /// By which proxy connections are made, and whom they trust.
    public var connection = ConnectionSettings()

    /// What tells each host who asks, by host name without port.
    public var credentials: [String: Credential] = [:]

    /// Called when a host answers 401, for a new credential; once for all requests that failed with the old one.
    public var refreshCredential: AuthenticatingTransport.Refresh?

    /// Font files and installed families that come before the system's choice, the most wanted first.
    ///
    /// A character that the first lacks is taken from the next.
    public var fonts: [FontSource] = []

    /// The files among ``fonts``; to set them leaves no others.
    public var fontFiles: [String] {
        get {
            fonts.compactMap { source in
                if case .file(let path) = source { path } else { nil }
            }
        }
        set { fonts = newValue.map(FontSource.file) }
    }

    /// Whether fonts of the system that are not named may be used.
    ///
    /// Without them, and with fonts given, text is the same on every machine.
    public var usesSystemFonts = true

    /// How many threads may paint one picture; the picture does not depend on it.
    ///
    /// As many as there are processors. Say 1 where many pictures are drawn at the same time.
    public var paintingThreadCount = ProcessInfo.processInfo.activeProcessorCount

    /// Whether the last picture is kept, so that of a view that was dragged by whole pixels only what came into view is
    /// painted: for a map on a screen, with a renderer of its own.
    ///
    /// Labels, legend and furniture are drawn anew each time. Tiles are the same pixel for pixel; a line or an area that
    /// reaches out of the view may lie a fifth of a pixel beside its place. Off, each picture depends on its
    /// view and its layers alone. It costs the memory of one picture.
    public var retainsPictures = false

    /// Whether icons may be read from files.
    ///
    /// Say false where features come from others.
    public var allowsFiles = true

    /// Takes the hashes of documents that are read to make layers, or `nil`.
    package var readings: DocumentReadings?

    /// Makes the default configuration.
    public init() {}

    /// A cache over a fetcher that works as configured, over a transport or the platform's own.
    func cache(over transport: (any HTTPTransport)?) -> ResponseCache {
        let carrier = transport ?? systemTransport(connection)
        var authenticating: AuthenticatingTransport?
        if !credentials.isEmpty || refreshCredential != nil {
            authenticating = AuthenticatingTransport(
                over: carrier, credentials: credentials, refresh: refreshCredential)
        }
        let names = credentials.map { ($0.key.lowercased(), $0.value) }
        let accounts = Dictionary(names) { first, _ in first }
        return ResponseCache(
            fetcher: fetching(over: authenticating ?? carrier),
            store: store ?? cacheFolder.map { SQLiteStore(folder: $0, byteBudget: cacheByteBudget) },
            isOffline: isOffline, observer: observer,
            identity: { [authenticating] host in
                if let account = accounts[host] { return .account(account) }
                return authenticating?.hasCredential(forHost: host) == true ? .unknown : .anonymous
            },
            secrets: { [secrets, authenticating] in
                var all = secrets
                if let authenticating { all.formUnion(authenticating.secrets) }
                return all
            }, now: { WallClock.milliseconds() / 1000 })
    }

    /// What no text may show: values of header fields, credentials, and what proxies are told.
    package var secrets: Secrets {
        var secrets = connection.secrets
        for field in headers { secrets.add(field.header) }
        for credential in credentials.values { secrets.add(credential) }
        return secrets
    }

    /// A fetcher that works as configured, for services that no cache keeps.
    package func fetcher(over transport: (any HTTPTransport)? = nil) -> Fetcher {
        let carrier = transport ?? systemTransport(connection)
        guard !credentials.isEmpty || refreshCredential != nil else { return fetching(over: carrier) }
        return fetching(
            over: AuthenticatingTransport(over: carrier, credentials: credentials, refresh: refreshCredential))
    }

    private func fetching(over transport: any HTTPTransport) -> Fetcher {
        Fetcher(
            transport: transport,
            maximumConnectionsPerHost: max(maximumConnectionsPerHost, 1), allowsFiles: allowsFiles, retries: retries,
            circuitBreaker: circuitBreaker, clock: clock, observer: observer)
    }

    /// The rule for an image of a layer.
    func cacheRule(for url: String, layer: String? = nil) -> CacheRule {
        if let layer, let rule = layerCacheRules[layer] { return rule }
        return URLParts(url).flatMap { hostCacheRules[$0.host] } ?? cacheRule
    }

    /// The rule for a document.
    func documentRule(for url: String) -> CacheRule {
        var rule = cacheRule(for: url)
        rule.defaultLifetime = documentLifetime
        // The body of an error tells why, and is not kept.
        rule.negativeLifetime = 0
        return rule
    }

    /// The fields to send to the host of a URL.
    package func headers(for url: NamedURL) -> [HTTPHeader] {
        guard !headers.isEmpty, let host = URLParts(url.text)?.host else { return [] }
        return headers.filter { $0.goes(to: host, namedBy: url.origin) }.map(\.header)
    }

    /// A GET with the fields, limits and rules of this configuration.
    ///
    /// - Parameter limit: the most bytes taken; of what a server sends never more than the budget of memory has in all.
    func request(to url: NamedURL, limit: Int) -> HTTPRequest {
        let limit = LooseURL(url.text).isFile ? limit : min(limit, memory.byteLimit)
        return HTTPRequest(
            to: url, headers: headers(for: url), timeouts: timeouts, maximumBodyByteCount: max(limit, 0),
            policy: addressPolicy)
    }

    /// A header field, and the hosts it is for.
    public struct HostHeader: Hashable, Sendable {
        /// The hosts that get a field.
        public enum Hosts: Hashable, Sendable {
            /// The one that is named, in small letters.
            case one(String)
            /// Those that the user names: addresses of layers, and what their services advertise on the same host.
            case userNamed
            /// All, those among them that documents from elsewhere lead to.
            case all
        }

        /// The hosts it is for.
        public var hosts: Hosts
        /// The field.
        public var header: HTTPHeader

        /// Makes a field for the host named, or for those that the user names.
        public init(host: String? = nil, header: HTTPHeader) {
            self.init(hosts: host.map { .one($0.lowercased()) } ?? .userNamed, header: header)
        }

        /// Makes a field.
        public init(hosts: Hosts, header: HTTPHeader) {
            self.hosts = hosts
            self.header = header
        }

        fileprivate func goes(to host: String, namedBy origin: AddressOrigin) -> Bool {
            switch hosts {
            case .one(let own): own == host
            case .userNamed: origin.isUserNamed(host: host)
            case .all: true
            }
        }
    }
}
