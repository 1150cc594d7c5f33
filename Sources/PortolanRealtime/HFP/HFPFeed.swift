public import PortolanFetch
public import PortolanWeb

/// Live vehicles of Helsinki from a broker of MQTT 3.1.1, as high-frequency positions (HFP, version 2).
///
/// A view and chosen lines become filters of topics, at most twenty; what they bring too much is left out here. Where the view
/// moves on, the new filters are subscribed to before the old ones are left. It comes back after a loss, and tells of it.
public struct HFPFeed: VehicleFeed {
    /// How it listens.
    public struct Settings: Hashable, Sendable {
        /// The identifier of the client, which no other may have; empty to have the broker find one.
        public var client = ""
        /// How often, in seconds, the broker is to hear of us at least; half as often it is asked for a sign.
        public var keepAlive: UInt16 = 30
        /// How long a view must rest before other filters are subscribed to.
        public var debounce = Duration.milliseconds(300)

        /// Makes the default settings.
        public init() {}
    }

    /// The address, without secrets.
    public var name: String { endpoint.shown }

    private let endpoint: ByteEndpoint
    private let transport: any ByteTransport
    private let settings: Settings
    private let clock: FetchClock

    /// Makes a feed of the broker at an address, as `mqtts://mqtt.example:8883`.
    ///
    /// - Throws: ``/PortolanFetch/FetchError`` when the address is none of a broker, or may not be led to.
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

    /// What is heard, until the stream is released or its task cancelled.
    public func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        FeedLoop(
            endpoint: endpoint, transport: transport, clock: clock,
            machine: HFPFeedMachine(settings, endpoint: endpoint)
        ).events(for: interests)
    }
}
