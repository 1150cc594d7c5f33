public import Foundation
public import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanFormats
public import PortolanRealtime
import PortolanWeb

/// A source of live vehicles as somebody writes it: an address of GTFS Realtime or SIRI, of a broker, or a recording.
///
/// `stomp://`, `stomps://` and `stomp+ssl://` lead to a broker of STOMP with Mobitransit's messages, `mqtt://` and `mqtts://` to one
/// of Helsinki's high-frequency positions; what else is at an address or in a file, its content tells.
public struct VehicleSource: Hashable, Sendable {
    /// What a source speaks.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        case gtfsRealtime = "gtfs-rt", siri, stomp, hfp, recording
    }

    /// The address or the path.
    public let text: String
    /// What it speaks, where its content is not to tell.
    public let form: Form?

    /// Makes a source of an address or a path.
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

    /// A source that can be heard.
    public struct Opened: Sendable {
        /// The source.
        public var feed: any VehicleFeed
        /// Whether it tells all there is at once, and then waits.
        public var isAsked: Bool
        /// When its last news are from, where it is a file.
        public var end: Date?
        /// Whether it is a recording, whose positions are those of another day.
        public var isRecording = false
    }

    /// Opens it: looks at its content where that tells what it is.
    ///
    /// - Parameters:
    ///   - client: asks the server.
    ///   - pace: how often a server is asked.
    ///   - speed: how fast a recording is played.
    ///   - start: when a recording is to begin, for who takes it as live; `nil` leaves its times as they are.
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
        let bytes = try await client.data(at: FileAddress.url(of: text))
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

    /// What bytes are: XML and the JSON of SIRI, a message of GTFS Realtime, or a recording.
    static func form(of bytes: [UInt8]) -> Form {
        // The first member of a message is its header (field 1), and the header's its version (field 1), as "2.0".
        if bytes.first == 0x0A, bytes.count > 6 {
            let version = bytes[1] < 0x80 ? 2 : 3
            let isVersion = bytes[version] == 0x0A && (0x30...0x39).contains(bytes[version + 2])
            if isVersion { return .gtfsRealtime }
        }
        let text = bytes.prefix(1 << 16).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        switch text.first {
        case UInt8(ascii: "<"): return .siri
        case UInt8(ascii: "{"):
            // A recording has an object a line, of which some may be damaged.
            let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 20).prefix(20)
            return lines.contains { (try? FeedRecord(line: $0)) != nil } ? .recording : .siri
        default: return .recording
        }
    }

    /// What a file tells; one that is of another kind is named by it.
    private func told(_ bytes: [UInt8], _ found: Form) throws(FeedError) -> [FeedRecord] {
        do throws(FeedError) { return try records(bytes, found) } catch {
            guard form == nil, error.code == .malformed else { throw error }
            switch FileKind(recognizing: bytes) {
            case .gtfsRealtime, .siri, .vehicleRecording, .text, .binary, .protobuf, .xml: throw error
            default:
                throw FeedError(
                    .unsupported, source: error.source, "it is \(FileKind.words(for: bytes)), not a source of vehicles")
            }
        }
    }

    private func records(_ bytes: [UInt8], _ form: Form) throws(FeedError) -> [FeedRecord] {
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
            // The recording of lines tells no time but seconds.
            let records = try ReplayFeed.records(bytes, source: name, start: Date(timeIntervalSince1970: 0))
            guard !records.isEmpty else { throw FeedError(.malformed, source: name, "there is nothing in it") }
            return records
        }
        return ((losses.count > 0 ? [.losses(losses)] : []) + events).map { FeedRecord(time: time, event: $0) }
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

extension FeedRecord {
    /// The record at other times.
    fileprivate func moved(_ time: (Date) -> Date) -> FeedRecord {
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
        return FeedRecord(time: time(self.time), event: event)
    }
}
