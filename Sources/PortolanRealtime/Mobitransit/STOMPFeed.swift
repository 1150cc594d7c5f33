public import PortolanFetch
public import PortolanWeb

/// Live vehicles from a broker of STOMP 1.0 to 1.2, in the messages of Mobitransit: each has a vehicle in its headers.
///
/// The broker is asked by a selector for what lies in view and is of the chosen lines, and what it sends is chosen from once more,
/// since not every broker has selectors. Where a view moves on, the new subscription is made before the old one is left. It comes
/// back after a loss, and tells of it.
public struct STOMPFeed: VehicleFeed {
    /// What is subscribed to, and how.
    public struct Settings: Hashable, Sendable {
        /// The destination of vehicles.
        public var vehicles: String
        /// The destination of notices, whose bodies are their texts; `nil` for none.
        ///
        /// One of the same `message-id` or text takes the place of that before, one without text takes it away.
        public var alerts: String?
        /// How long a notice holds that is not told again; 6 h.
        public var alertLifetime = Duration.seconds(21_600)
        /// The virtual host, or `nil` for the host of the address.
        public var host: String?
        /// The versions that are spoken.
        public var versions = STOMPVersion.allCases
        /// How often each side is to be heard; zero for no heart-beats, and a broker that is gone is not missed.
        public var heartBeat = Duration.seconds(10)
        /// Whether the broker is asked to choose.
        public var selects = true
        /// How long a view must rest before another subscription is made.
        public var debounce = Duration.milliseconds(300)
        /// Headers of the broker's own for subscriptions, as `activemq.prefetchSize`.
        public var headers: [STOMPFrame.Header] = []

        /// Makes settings.
        public init(vehicles: String = "/topic/mobitransit.helsinki", alerts: String? = "/topic/mobitransit.alerts") {
            self.vehicles = vehicles
            self.alerts = alerts
        }
    }

    /// The address, without secrets.
    public var name: String { endpoint.shown }

    private let endpoint: ByteEndpoint
    private let transport: any ByteTransport
    private let settings: Settings
    private let clock: FetchClock

    /// Makes a feed of the broker at an address, as `stomp://name:password@broker.example:61613`.
    ///
    /// - Throws: ``/PortolanFetch/FetchError`` when the address is none of a broker, or may not be led to.
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

    /// What is heard, until the stream is released or its task cancelled.
    public func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        FeedLoop(
            endpoint: endpoint, transport: transport, clock: clock,
            machine: STOMPFeedMachine(settings, endpoint: endpoint)
        ).events(for: interests)
    }
}
