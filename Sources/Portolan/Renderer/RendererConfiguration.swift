public import PortolanCodecs
public import PortolanFetch
public import PortolanText

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
    /// 50.
    public var imageCacheCapacity: Int? = 50

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

    /// The time that waits are counted in.
    package var clock = FetchClock.system

    /// The most bytes of a document: capabilities, features.
    ///
    /// 256 MiB.
    public var documentByteLimit = 256 << 20

    /// How large an image may be.
    public var codecLimits = CodecLimits()

    /// Header fields to send, each to every host or to one.
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

    /// Whether icons may be read from files.
    ///
    /// Say false where features come from others.
    public var allowsFiles = true

    /// Makes the default configuration.
    public init() {}

    /// A fetcher that works as configured, over a transport or the platform's own.
    func fetcher(over transport: (any HTTPTransport)?) -> Fetcher {
        var transport = transport ?? systemTransport(connection)
        if !credentials.isEmpty || refreshCredential != nil {
            transport = AuthenticatingTransport(over: transport, credentials: credentials, refresh: refreshCredential)
        }
        return Fetcher(
            transport: transport,
            maximumConnectionsPerHost: max(maximumConnectionsPerHost, 1), allowsFiles: allowsFiles, retries: retries,
            circuitBreaker: circuitBreaker, clock: clock)
    }

    /// The fields to send to the host of a URL.
    func headers(for url: String) -> [HTTPHeader] {
        let host = URLParts(url)?.host
        return headers.filter { $0.host == nil || $0.host == host }.map(\.header)
    }

    /// A header field for one host, or for all.
    public struct HostHeader: Hashable, Sendable {
        /// The host it is for, or `nil` for all.
        public var host: String?
        /// The field.
        public var header: HTTPHeader

        /// Makes a field for one host, or for all.
        public init(host: String? = nil, header: HTTPHeader) {
            self.host = host?.lowercased()
            self.header = header
        }
    }
}
