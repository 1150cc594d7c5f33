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

/// Settings for fetching, decoding and caching.
///
/// ```swift
/// var configuration = RendererConfiguration()
/// configuration.cacheFolder = "/var/cache/maps"
/// configuration.userAgent = "HarbourMaps/1.0"
/// let map = try MapFacade(width: 1024, height: 768, renderer: MapRenderer(configuration: configuration))
/// ```
public struct RendererConfiguration: Sendable {
    /// The structures of images on servers, which all copies of the configuration share.
    let openedImages = OpenedImages()

    /// The maximum size of decoded images in memory, in bytes.
    ///
    /// Default: 64 MiB.
    ///
    /// Images that the current view needs are kept even if they exceed the limit.
    public var imageCacheByteBudget = 64 << 20

    /// The maximum number of decoded images in memory, or `nil` for no limit.
    ///
    /// Default: `nil`.
    ///
    /// Images that the current view needs are kept even if they exceed the limit.
    public var imageCacheCapacity: Int?

    /// The folder of the disk cache for server responses, or `nil` for no disk cache.
    ///
    /// Several processes may share a folder. If it is unusable, maps are drawn without it, with a warning.
    public var cacheFolder: String?

    /// The maximum size of ``cacheFolder`` in bytes.
    ///
    /// Default: 512 MiB.
    public var cacheByteBudget = 512 << 20

    /// A custom response store that replaces ``cacheFolder``.
    public var store: (any ResponseStore)?

    /// Whether network requests are disabled.
    ///
    /// Default: `false`.
    ///
    /// Stale cache entries are then used, and uncached resources are missing. Files are read as usual.
    public var isOffline = false

    /// A copy without a cache and with network requests enabled.
    package var withoutCache: RendererConfiguration {
        var configuration = self
        configuration.cacheFolder = nil
        configuration.store = nil
        configuration.isOffline = false
        return configuration
    }

    /// The default rule for how long responses are reused.
    public var cacheRule = CacheRule()

    /// Cache rules for single hosts, by lowercase host name.
    public var hostCacheRules: [String: CacheRule] = [:]

    /// Cache rules for the images of single layers, by layer name.
    ///
    /// They take precedence over the rules for hosts.
    public var layerCacheRules: [String: CacheRule] = [:]

    /// The lifetime of documents (capabilities, features) without cache headers, in seconds.
    ///
    /// Default: 600.
    public var documentLifetime = 600

    /// The maximum number of concurrent transfers per host.
    ///
    /// Default: 6.
    public var maximumConnectionsPerHost = 6

    /// The time limits of transfers.
    public var timeouts = HTTPRequest.Timeouts()

    /// The policy for retries of failed requests.
    ///
    /// Default: two retries.
    public var retries = RetryPolicy()

    /// The policy for hosts that cannot be reached.
    ///
    /// Default: no requests after 5 consecutive failed connections.
    public var circuitBreaker = RetryPolicy.CircuitBreaker()

    /// The observer of requests, cache accesses and renders, or `nil`.
    ///
    /// Without an observer there is no cost.
    public var observer: (any MapObserver)?

    /// The clock that measures delays.
    package var clock = FetchClock.system

    /// The number of pixels above which a picture is rendered in bands of rows while it is encoded.
    package var pixelCountAtOnce = 1 << 24

    /// The maximum size of a document (capabilities, features) in bytes.
    ///
    /// Default: 256 MiB.
    public var documentByteLimit = 256 << 20

    /// The maximum size of a local file that is read as a whole in bytes.
    ///
    /// Default: 1 GiB.
    public var fileByteLimit = 1 << 30

    /// The feature document formats that are read.
    public var featureFormats = FeatureFormats.standard

    /// The feature dataset formats, such as Shapefiles, that are read.
    public var featureDatasets = FeatureDatasets.standard

    /// The tile archive formats that are read.
    public var tileArchives = TileArchiveFormats.standard

    /// The layer kinds that specifications and documents may name.
    public var layerKinds = LayerKinds.standard

    /// The image formats that are read.
    public var imageDecoders = ImageDecoders.standard

    /// The size limits of images.
    public var codecLimits = ImageDecoders.Limits()

    /// The policy for URLs in documents, and its exceptions.
    public var addressPolicy = AddressPolicy.standard

    /// The memory budget of features and decoded images.
    ///
    /// Default: 384 MiB.
    ///
    /// Renderers whose configurations have the same budget share it.
    public var memory = MemoryBudget()

    /// Additional header fields, each for one host, for the hosts that the user names, or for all hosts.
    public var headers: [HostHeader] = []

    /// The value of the `User-Agent` header field.
    public var userAgent: String {
        get { connection.userAgent }
        set { connection.userAgent = newValue }
    }

    /// Proxy and certificate settings of connections.
    public var connection = ConnectionSettings()

    /// The credentials of hosts, by host name without port.
    public var credentials: [String: Credential] = [:]

    /// Called for a new credential when a host answers 401, once for all requests that failed with the old one.
    public var refreshCredential: AuthenticatingTransport.Refresh?

    /// Font files and installed families in order of preference.
    ///
    /// They precede the system's choice.
    ///
    /// A character that one font lacks is taken from the next.
    public var fonts: [FontSource] = []

    /// The files among ``fonts``.
    ///
    /// Setting it replaces all fonts.
    public var fontFiles: [String] {
        get {
            fonts.compactMap { source in
                if case .file(let path) = source { path } else { nil }
            }
        }
        set { fonts = newValue.map(FontSource.file) }
    }

    /// Whether system fonts that are not listed in ``fonts`` may be used.
    ///
    /// Default: `true`.
    ///
    /// With `false` and a list of fonts, text is identical on all machines.
    public var usesSystemFonts = true

    /// The maximum number of threads that render one picture.
    ///
    /// Default: the number of processors.
    ///
    /// The picture does not depend on it. Use 1 if many pictures are rendered at the same time.
    public var paintingThreadCount = ProcessInfo.processInfo.activeProcessorCount

    /// Whether the last picture is kept for reuse when a view is dragged by whole pixels.
    ///
    /// Default: `false`.
    ///
    /// Only the newly visible part is then rendered. Labels, legend and furniture are drawn again each time. This is
    /// meant for an interactive map with its own renderer, and costs the memory of one picture. Tiles are identical
    /// pixel for pixel; a line or an area that extends beyond the view may be off by a fifth of a pixel. With `false`,
    /// a picture depends only on its view and layers.
    public var retainsPictures = false

    /// Whether icons may be read from files.
    ///
    /// Default: `true`.
    ///
    /// Use `false` for features from untrusted sources.
    public var allowsFiles = true

    /// Receives the hashes of documents that are read to create layers, or `nil`.
    package var readings: DocumentReadings?

    /// Creates the default configuration.
    public init() {}

    /// Returns a cache over a fetcher with this configuration, on `transport` or the platform's own.
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

    /// The secrets to redact from all messages: header values, credentials, and proxy credentials.
    package var secrets: Secrets {
        var secrets = connection.secrets
        for field in headers { secrets.add(field.header) }
        for credential in credentials.values { secrets.add(credential) }
        return secrets
    }

    /// Returns a fetcher with this configuration, for services that are not cached.
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

    /// Returns the cache rule for an image of a layer.
    func cacheRule(for url: String, layer: String? = nil) -> CacheRule {
        if let layer, let rule = layerCacheRules[layer] { return rule }
        return URLParts(url).flatMap { hostCacheRules[$0.host] } ?? cacheRule
    }

    /// Returns the cache rule for a document.
    func documentRule(for url: String) -> CacheRule {
        var rule = cacheRule(for: url)
        rule.defaultLifetime = documentLifetime
        // The body of an error response has the cause, and is not cached.
        rule.negativeLifetime = 0
        return rule
    }

    /// Returns the header fields to send to the host of a URL.
    package func headers(for url: NamedURL) -> [HTTPHeader] {
        guard !headers.isEmpty, let host = URLParts(url.text)?.host else { return [] }
        return headers.filter { $0.goes(to: host, namedBy: url.origin) }.map(\.header)
    }

    /// Returns a GET request with the header fields, limits and rules of this configuration.
    ///
    /// - Parameter limit: the maximum size of the body in bytes. For servers, the memory budget is an additional limit.
    func request(to url: NamedURL, limit: Int) -> HTTPRequest {
        let limit = LooseURL(url.text).isFile ? limit : min(limit, memory.byteLimit)
        return HTTPRequest(
            to: url, headers: headers(for: url), timeouts: timeouts, maximumBodyByteCount: max(limit, 0),
            policy: addressPolicy)
    }

    /// A header field and the hosts that receive it.
    public struct HostHeader: Hashable, Sendable {
        /// The hosts that receive a field.
        public enum Hosts: Hashable, Sendable {
            /// A single host, in lowercase.
            case one(String)
            /// The hosts that the user names: those of layer URLs, and of URLs on the same host that their services advertise.
            case userNamed
            /// All hosts, including those that remote documents name.
            case all
        }

        /// The hosts that receive the field.
        public var hosts: Hosts
        /// The header field.
        public var header: HTTPHeader

        /// Creates a field for the host named, or for those that the user names.
        public init(host: String? = nil, header: HTTPHeader) {
            self.init(hosts: host.map { .one($0.lowercased()) } ?? .userNamed, header: header)
        }

        /// Creates a field.
        public init(hosts: Hosts, header: HTTPHeader) {
            self.hosts = hosts
            self.header = header
        }

        fileprivate func goes(to host: String, namedBy origin: NamedURL.Origin) -> Bool {
            switch hosts {
            case .one(let own): own == host
            case .userNamed: origin.isUserNamed(host: host)
            case .all: true
            }
        }
    }
}
