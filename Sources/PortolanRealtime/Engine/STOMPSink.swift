import PortolanTransit

/// Publishes each vehicle as a message of STOMP whose headers are what Mobitransit's were, and notices as texts.
///
/// Who listens chooses by a selector over the headers what it is sent.
public struct STOMPSink: EngineSink {
    private var publisher: STOMPPublisher
    private var messages: MobitransitMessages

    /// The broker, without secrets.
    public var name: String { publisher.name }

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - topic: where vehicles go, as "/topic/mobitransit.helsinki".
    ///   - noticeTopic: where texts of notices go, as "/topic/mobitransit.alerts", or `nil`.
    ///   - languages: those of which the first that a notice has is sent.
    public init(
        _ publisher: STOMPPublisher, topic: String, noticeTopic: String? = nil, languages: [String] = ["en"]
    ) {
        self.publisher = publisher
        messages = MobitransitMessages(topic: topic, noticeTopic: noticeTopic, languages: languages)
    }

    /// Sends what changed, and returns when the broker has it; vehicles without a place are not sent.
    public mutating func publish(_ change: EngineChange, of state: EngineState) async throws(FeedError) {
        for batch in messages.batches(of: change) {
            try await publisher.publish(batch.messages, to: batch.topic)
        }
        messages.sent(change)
    }

    /// Takes leave of the broker.
    public mutating func close() async { await publisher.close() }
}

/// Makes messages of what an engine publishes.
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

    /// Messages that go to one topic.
    struct Batch: Sendable {
        var topic: String
        var messages: [(headers: [STOMPFrame.Header], body: [UInt8])]
    }

    /// What is to be sent of a change; of notices those that were not ``sent(_:)`` yet.
    func batches(of change: EngineChange) -> [Batch] {
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

    /// The broker has all of a change: its notices are not sent again for as long as they hold.
    mutating func sent(_ change: EngineChange) {
        guard let notices = change.disruptions else { return }
        sentNotices = Set(notices.lazy.filter { $0.holds(at: change.time) }.map(\.id))
    }

    /// `numberPlate`, `line` ("-" where it is not known), `latitude`, `longitude` and, where it is known, `orientation`.
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
