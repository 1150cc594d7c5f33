public import PortolanFetch
public import PortolanWeb

/// Live vehicles of Helsinki from an MQTT 3.1.1 broker, as high-frequency positions (HFP, version 2).
///
/// The visible extent and the chosen lines become at most twenty topic filters; other vehicles are filtered out
/// locally. When the extent moves, new filters are subscribed before old ones are unsubscribed. The feed reconnects
/// after a loss, and reports it.
public struct HFPFeed: VehicleFeed {
    /// The connection parameters.
    public struct Settings: Hashable, Sendable {
        /// The client identifier, which must be unique, or an empty string to let the broker choose one.
        public var client = ""
        /// The MQTT keep-alive interval in seconds.
        ///
        /// The broker is pinged at half of it.
        public var keepAlive: UInt16 = 30
        /// The time an extent must be unchanged before new filters are subscribed.
        public var debounce = Duration.milliseconds(300)

        /// Creates the default settings.
        public init() {}
    }

    /// The URL of the broker, without secrets.
    public var name: String { endpoint.shown }

    private let endpoint: ByteEndpoint
    private let transport: any ByteTransport
    private let settings: Settings
    private let clock: FetchClock

    /// Creates a feed for the broker at a URL such as `mqtts://mqtt.example:8883`.
    ///
    /// - Throws: ``/PortolanFetch/FetchError`` if the URL is not that of a broker, or is not allowed by the policy.
    public init(
        _ address: NamedURL, settings: Settings = Settings(), transport: any ByteTransport = systemByteTransport(),
        policy: AddressPolicy = .standard
    ) throws(FetchError) {
        self.init(try ByteEndpoint(address, policy: policy), settings, transport, .system)
    }

    init(_ endpoint: ByteEndpoint, _ settings: Settings, _ transport: any ByteTransport, _ clock: FetchClock) {
        self.endpoint = endpoint
        self.settings = settings
        self.transport = transport
        self.clock = clock
    }

    /// Returns the events until the stream is released or its task is cancelled.
    public func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        FeedLoop(
            endpoint: endpoint, transport: transport, clock: clock,
            machine: HFPFeedMachine(settings, endpoint: endpoint)
        ).events(for: interests)
    }
}
