import PortolanTransit

extension VehicleEngine {
    /// A sink that publishes each vehicle as a STOMP message with the header fields of Mobitransit, and alerts as text.
    ///
    /// Subscribers may filter vehicles by a selector over the header fields.
    public struct STOMPSink: VehicleEngine.Sink {
        private var publisher: STOMPPublisher
        private var messages: MobitransitMessages

        /// The URL of the broker, without secrets.
        public var name: String { publisher.name }

        /// Creates a sink.
        ///
        /// - Parameters:
        ///   - topic: the topic for vehicles, such as "/topic/mobitransit.helsinki".
        ///   - noticeTopic: the topic for alert texts, such as "/topic/mobitransit.alerts", or `nil`.
        ///   - languages: the preferred languages of alert texts, best first.
        public init(
            _ publisher: STOMPPublisher, topic: String, noticeTopic: String? = nil, languages: [String] = ["en"]
        ) {
            self.publisher = publisher
            messages = MobitransitMessages(topic: topic, noticeTopic: noticeTopic, languages: languages)
        }

        /// Sends a change, and returns when the broker has confirmed it.
        ///
        /// Vehicles without a coordinate are omitted.
        public mutating func publish(
            _ change: VehicleEngine.Change, of state: VehicleEngine.State
        ) async throws(FeedError) {
            for batch in messages.batches(of: change) {
                try await publisher.publish(batch.messages, to: batch.topic)
            }
            messages.sent(change)
        }

        /// Disconnects from the broker.
        public mutating func close() async { await publisher.close() }
    }
}

/// Converts engine changes to messages.
struct MobitransitMessages: Sendable {
    let topic: String
    let noticeTopic: String?
    let languages: [String]
    private var sentNotices: Set<String> = []

    init(topic: String, noticeTopic: String?, languages: [String]) {
        self.topic = topic
        self.noticeTopic = noticeTopic
        self.languages = languages
    }

    /// The messages for one topic.
    struct Batch: Sendable {
        var topic: String
        var messages: [(headers: [STOMPFrame.Header], body: [UInt8])]
    }

    /// Returns the messages for a change.
    ///
    /// Alerts that were ``sent(_:)`` are omitted.
    func batches(of change: VehicleEngine.Change) -> [Batch] {
        var batches: [Batch] = []
        let vehicles = change.changed.compactMap(Self.headers)
        if !vehicles.isEmpty { batches.append(Batch(topic: topic, messages: vehicles.map { ($0, []) })) }
        guard let noticeTopic, let notices = change.disruptions else { return batches }
        let new = notices.filter { $0.holds(at: change.time) && !sentNotices.contains($0.id) }
        let texts = new.compactMap { notice in
            Disruption.text(notice.title, in: languages) ?? Disruption.text(notice.text, in: languages)
        }
        if !texts.isEmpty { batches.append(Batch(topic: noticeTopic, messages: texts.map { ([], Array($0.utf8)) })) }
        return batches
    }

    /// Marks a change as confirmed by the broker.
    ///
    /// Its alerts are not sent again while they are active.
    mutating func sent(_ change: VehicleEngine.Change) {
        guard let notices = change.disruptions else { return }
        sentNotices = Set(notices.lazy.filter { $0.holds(at: change.time) }.map(\.id))
    }

    /// Returns `numberPlate`, `line` ("-" if unknown), `latitude`, `longitude` and, if known, `orientation`.
    static func headers(of report: VehicleReport) -> [STOMPFrame.Header]? {
        guard let text = VehicleLine(report).text else { return nil }
        let fields = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        var headers: [STOMPFrame.Header] = [
            .init("numberPlate", fields[0]), .init("line", fields[1]), .init("latitude", fields[3]),
            .init("longitude", fields[2]),
        ]
        if !fields[4].isEmpty { headers.append(.init("orientation", fields[4])) }
        return headers
    }
}
