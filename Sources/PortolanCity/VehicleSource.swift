public import Foundation
public import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanFormats
public import PortolanRealtime
import PortolanWeb

/// A source of live vehicles as given by a user: the URL of a GTFS Realtime or SIRI service or of a broker, or a
/// recording.
///
/// `stomp://`, `stomps://` and `stomp+ssl://` are STOMP brokers with Mobitransit messages, `mqtt://` and `mqtts://` are
/// MQTT brokers with high-frequency positions of Helsinki. The format of other sources is detected from their content.
public struct VehicleSource: Hashable, Sendable {
    /// The format of a source.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        case gtfsRealtime = "gtfs-rt", siri, stomp, hfp, recording
    }

    /// The URL or path.
    public let text: String
    /// The format, or `nil` to detect it from the content.
    public let form: Form?

    /// Creates a source from a URL or path.
    public init(_ text: String, form: Form? = nil) {
        self.text = text
        self.form =
            form
            ?? ByteEndpoint.speech(at: text).map {
                switch $0 {
                case .stomp: .stomp
                case .mqtt: .hfp
                }
            }
    }

    /// A source that is ready to use.
    public struct Opened: Sendable {
        /// The source.
        public var feed: any VehicleFeed
        /// Whether the source is a polled server that sends its full state with each response.
        public var isAsked: Bool
        /// The time of the last event of a file, or `nil`.
        public var end: Date?
        /// Whether the source is a recording, whose positions are from another day.
        public var isRecording = false
    }

    /// Opens the source, and detects its format if necessary.
    ///
    /// - Parameters:
    ///   - client: the client for requests.
    ///   - pace: the polling interval.
    ///   - speed: the playback speed of recordings.
    ///   - start: the time to which the start of a recording is moved, or `nil` to keep its times.
    /// - Throws: ``/Portolan/MapError``.
    public func open(
        client: ServiceClient, pace: Duration = .seconds(30), speed: ReplayFeed.Speed = .whole,
        startingAt start: Date? = nil
    ) async throws(MapError) -> Opened {
        let configuration = client.configuration, address = NamedURL(text, namedBy: client.origin)
        switch form {
        case .stomp, .hfp:
            do throws(FetchError) {
                let transport = systemByteTransport(configuration.connection)
                let feed: any VehicleFeed =
                    form == .stomp
                    ? try STOMPFeed(address, transport: transport, policy: configuration.addressPolicy)
                    : try HFPFeed(address, transport: transport, policy: configuration.addressPolicy)
                return Opened(feed: feed, isAsked: false)
            } catch { throw MapError(error) }
        default: break
        }
        let isLocal = FileAddress.isLocal(text)
        if !isLocal, let form, form != .recording { return asked(address, form, configuration, pace) }
        let bytes = try await client.data(from: FileAddress.url(of: text))
        let found = form ?? Self.form(of: bytes)
        if !isLocal, found != .recording { return asked(address, found, configuration, pace, FirstAnswer(bytes)) }
        do throws(FeedError) {
            var records = try told(bytes, found), speed = speed
            if let start, let first = records.map(\.time).min() {
                let factor = if case .times(let factor) = speed, factor > 0 { factor } else { 1.0 }
                records = records.map { record in
                    record.moved { start.addingTimeInterval($0.timeIntervalSince(first) / factor) }
                }
                speed = .times(1)
            }
            return Opened(
                feed: ReplayFeed(records, name: FetchError.redacted(text), speed: speed), isAsked: false,
                end: records.map(\.time).max(), isRecording: found == .recording)
        } catch { throw MapError(error) }
    }

    private func asked(
        _ address: NamedURL, _ form: Form, _ configuration: RendererConfiguration, _ pace: Duration,
        _ first: FirstAnswer? = nil
    ) -> Opened {
        let fetcher = configuration.fetcher(), headers = configuration.headers(for: address)
        let feed: any VehicleFeed =
            form == .siri
            ? SIRIFeed([address], headers: headers, fetcher: fetcher, pace: pace, clock: .system, first: first)
            : GTFSRealtimeFeed([address], headers: headers, fetcher: fetcher, pace: pace, clock: .system, first: first)
        return Opened(feed: feed, isAsked: true)
    }

    /// Returns the format of bytes: XML or JSON of SIRI, a GTFS Realtime message, or a recording.
    static func form(of bytes: [UInt8]) -> Form {
        // A GTFS Realtime message starts with its header (field 1), which starts with its version (field 1), such as
        // "2.0".
        if bytes.first == 0x0A, bytes.count > 6 {
            let version = bytes[1] < 0x80 ? 2 : 3
            let isVersion = bytes[version] == 0x0A && (0x30...0x39).contains(bytes[version + 2])
            if isVersion { return .gtfsRealtime }
        }
        let text = bytes.prefix(1 << 16).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        switch text.first {
        case UInt8(ascii: "<"): return .siri
        case UInt8(ascii: "{"):
            // A recording has one object per line. Some lines may be damaged.
            let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 20).prefix(20)
            return lines.contains { (try? ReplayFeed.Record(line: $0)) != nil } ? .recording : .siri
        default: return .recording
        }
    }

    /// Parses the contents of a file.
    ///
    /// If it has an unrelated file type, the error names that type.
    private func told(_ bytes: [UInt8], _ found: Form) throws(FeedError) -> [ReplayFeed.Record] {
        do throws(FeedError) { return try records(bytes, found) } catch {
            guard form == nil, error.code == .malformed else { throw error }
            switch FeatureFileError.FileKind(recognizing: bytes) {
            case .gtfsRealtime, .siri, .vehicleRecording, .text, .binary, .protobuf, .xml: throw error
            default:
                throw FeedError(
                    .unsupported, source: error.source,
                    "it is \(FeatureFileError.FileKind.words(for: bytes)), not a vehicle source")
            }
        }
    }

    private func records(_ bytes: [UInt8], _ form: Form) throws(FeedError) -> [ReplayFeed.Record] {
        let name = FetchError.redacted(text)
        let time: Date, events: [FeedEvent], losses: FeedLosses
        switch form {
        case .gtfsRealtime:
            let message = try RealtimeMessage(bytes: bytes, source: name)
            if let fault = message.fault { throw fault }
            time = message.time ?? Date()
            events = [
                .snapshot(message.reports(now: time), time: time), .trips(message.updates, time: time),
                .disruptions(message.disruptions),
            ]
            losses = message.losses
        case .siri:
            let delivery = try SIRIReader(source: name).delivery(bytes, now: Date())
            time = delivery.time ?? delivery.vehicles.map(\.time).max() ?? Date()
            events = [
                .snapshot(delivery.vehicles, time: time), .trips(delivery.updates, time: time),
                .disruptions(delivery.disruptions),
            ]
            losses = delivery.losses(of: name)
        default:
            // Vehicle lines only have relative times.
            let records = try ReplayFeed.records(bytes, source: name, start: Date(timeIntervalSince1970: 0))
            guard !records.isEmpty else { throw FeedError(.malformed, source: name, "the file is empty") }
            return records
        }
        return ((losses.count > 0 ? [.losses(losses)] : []) + events).map { ReplayFeed.Record(time: time, event: $0) }
    }
}

extension FeedError: MapErrorConvertible {
    package var mapError: MapError {
        let mapCode: MapError.Code =
            switch code {
            case .unsupported: .unknownFormat
            case .limitExceeded: .tooLarge
            case .malformed: .malformedDocument
            default: .unavailable
            }
        return MapError(mapCode, description, underlying: self)
    }
}

extension ReplayFeed.Record {
    /// Returns the record with mapped times.
    fileprivate func moved(_ time: (Date) -> Date) -> ReplayFeed.Record {
        func moved(_ reports: [VehicleReport]) -> [VehicleReport] {
            reports.map { report in
                var report = report
                report.time = time(report.time)
                return report
            }
        }
        let event: FeedEvent =
            switch self.event {
            case .reports(let reports): .reports(moved(reports))
            case .snapshot(let reports, let date): .snapshot(moved(reports), time: time(date))
            case .gone(let ids, let date): .gone(ids, since: time(date))
            case .trips(let updates, let date): .trips(updates, time: time(date))
            case .disruptions, .losses, .state: self.event
            }
        return ReplayFeed.Record(time: time(self.time), event: event)
    }
}
