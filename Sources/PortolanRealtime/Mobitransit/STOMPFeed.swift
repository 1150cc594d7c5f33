public import PortolanFetch
public import PortolanWeb

/// Live vehicles from a STOMP 1.0 to 1.2 broker, as Mobitransit messages with a vehicle in the header fields.
///
/// A selector asks the broker for the visible extent and the chosen lines. Messages are also filtered locally, because
/// not every broker supports selectors. When the extent moves, the new subscription is made before the old one is
/// cancelled. The feed reconnects after a loss, and reports it.
public struct STOMPFeed: VehicleFeed {
    /// The subscription parameters.
    public struct Settings: Hashable, Sendable {
        /// The destination of vehicle messages.
        public var vehicles: String
        /// The destination of alert messages, whose body is the text, or `nil`.
        ///
        /// An alert with the same `message-id` or text replaces the previous one. An empty alert removes it.
        public var alerts: String?
        /// The lifetime of an alert that is not repeated; 6 hours by default.
        public var alertLifetime = Duration.seconds(21_600)
        /// The virtual host, or `nil` for the host of the URL.
        public var host: String?
        /// The supported versions.
        public var versions = STOMPFrame.Version.allCases
        /// The heart-beat interval of both sides.
        ///
        /// Zero disables heart-beats, so a silent broker is not detected.
        public var heartBeat = Duration.seconds(10)
        /// Whether the broker should filter with a selector.
        public var selects = true
        /// The time an extent must be unchanged before a new subscription is made.
        public var debounce = Duration.milliseconds(300)
        /// Broker-specific header fields of subscriptions, such as `activemq.prefetchSize`.
        public var headers: [STOMPFrame.Header] = []

        /// Creates settings.
        public init(vehicles: String = "/topic/mobitransit.helsinki", alerts: String? = "/topic/mobitransit.alerts") {
            self.vehicles = vehicles
            self.alerts = alerts
        }
    }

    /// The URL of the broker, without secrets.
    public var name: String { endpoint.shown }

    private let endpoint: ByteEndpoint
    private let transport: any ByteTransport
    private let settings: Settings
    private let clock: FetchClock

    /// Creates a feed for the broker at a URL such as `stomp://name:password@broker.example:61613`.
    ///
    /// - Throws: ``/PortolanFetch/FetchError`` if the URL is not that of a broker, or is not allowed by the policy.
    public init(
        _ address: NamedURL, settings: Settings = Settings(), transport: any ByteTransport = systemByteTransport(),
        policy: AddressPolicy = .standard
    ) throws(FetchError) {
        try self.init(ByteEndpoint(address, policy: policy), settings, transport, .system)
    }

    init(
        _ endpoint: ByteEndpoint, _ settings: Settings, _ transport: any ByteTransport, _ clock: FetchClock
    ) throws(FetchError) {
        self.endpoint = endpoint
        self.settings = settings
        self.transport = transport
        self.clock = clock
    }

    /// Returns the events until the stream is released or its task is cancelled.
    public func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        FeedLoop(
            endpoint: endpoint, transport: transport, clock: clock,
            machine: STOMPFeedMachine(settings, endpoint: endpoint)
        ).events(for: interests)
    }
}
