public import Foundation
public import PortolanFetch
import PortolanTransit
public import PortolanWeb
import PortolanXML

/// A SIRI 2.0 source, XML or JSON, that polls URLs with GET, or with POST and a request document.
public struct SIRIFeed: VehicleFeed {
    private let poller: FeedPoller<SIRIPollReader>

    /// The name used in messages, without secrets.
    public var name: String { poller.name }

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - addresses: the URLs of one or several services.
    ///   - body: the body for POST, such as one of ``SIRIFeed/Request``, or `nil` for GET.
    ///   - headers: additional request headers, such as an API key.
    ///   - pace: the time between two requests of a URL, at least 1 s.
    ///   - velocityUnit: the unit of `Velocity` in metres per second, or `nil` to ignore velocities.
    public init(
        _ addresses: [NamedURL], body: HTTPRequest.Body? = nil, headers: [HTTPHeader] = [], fetcher: Fetcher,
        pace: Duration = .seconds(30), velocityUnit: Double? = nil
    ) {
        self.init(
            addresses, body: body, headers: headers, fetcher: fetcher, pace: pace, velocityUnit: velocityUnit,
            clock: .system)
    }

    /// Creates a source with a custom clock, and optionally the first response of the first URL.
    package init(
        _ addresses: [NamedURL], body: HTTPRequest.Body? = nil, headers: [HTTPHeader] = [], fetcher: Fetcher,
        pace: Duration = .seconds(30), velocityUnit: Double? = nil, clock: FetchClock, first: FirstAnswer? = nil
    ) {
        let name = addresses.first.map { FetchError.redacted($0.text) } ?? "SIRI"
        var reader = SIRIReader(source: name)
        reader.velocityUnit = velocityUnit
        poller = FeedPoller(
            name: name,
            requests: addresses.map {
                HTTPRequest(to: $0, headers: headers, body: body, maximumBodyByteCount: reader.byteLimit)
            }, fetcher: fetcher, pace: pace, clock: clock,
            reader: SIRIPollReader(reader: reader, count: addresses.count), first: first)
    }

    /// Returns the events, filtered by interest.
    public func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        poller.events(for: interests)
    }
}

/// Converts deliveries to events.
struct SIRIPollReader: PolledReader {
    let reader: SIRIReader
    private var times: [Date?]
    /// The latest time of all URLs, which is the time of the merged state.
    private var latest: Date?
    private var disruptions: [[Disruption]]
    private var updates: [[TripUpdate]]

    init(reader: SIRIReader, count: Int) {
        self.reader = reader
        times = Array(repeating: nil, count: count)
        disruptions = Array(repeating: [], count: count)
        updates = Array(repeating: [], count: count)
    }

    mutating func events(of body: [UInt8], from index: Int, now: Date) throws(FeedError) -> [FeedEvent] {
        let delivery = try reader.delivery(body, now: now)
        let told = delivery.time.map { $0.plausible(now: now) }
        if let told, let before = times[index], told < before { return [] }
        times[index] = told ?? times[index]
        let time = told ?? now, latest = max(time, latest ?? time)
        self.latest = latest
        var events: [FeedEvent] = []
        if delivery.isOfVehicles {
            // A partial delivery, or one of several URLs, does not remove other vehicles.
            events.append(
                delivery.isPartial || times.count > 1
                    ? .reports(delivery.vehicles) : .snapshot(delivery.vehicles, time: time))
            if !delivery.cancelledVehicles.isEmpty { events.append(.gone(delivery.cancelledVehicles, since: time)) }
        }
        if delivery.isOfArrivals {
            updates[index] = delivery.updates
            events.append(.trips(updates.flatMap { $0 }, time: latest))
        }
        if delivery.isOfDisruptions {
            disruptions[index] = delivery.disruptions
            events.append(.disruptions(disruptions.flatMap { $0 }))
        }
        let losses = delivery.losses(of: reader.source)
        if losses.count > 0 { events.append(.losses(losses)) }
        return events
    }
}

extension SIRIFeed {
    /// SIRI 2.0 request documents for POST, as XML.
    public enum Request {
        /// Returns a request for vehicle positions (VehicleMonitoringRequest).
        ///
        /// - Parameters:
        ///   - requestor: the identifier of the client, as agreed with the server.
        ///   - line: the identifier of a line, or `nil` for all.
        public static func vehicles(requestor: String, line: String? = nil, time: Date) -> HTTPRequest.Body {
            question("VehicleMonitoringRequest", requestor: requestor, time: time, ("LineRef", line))
        }

        /// Returns a request for the arrivals at a stop (StopMonitoringRequest).
        public static func arrivals(at stop: String, requestor: String, time: Date) -> HTTPRequest.Body {
            question("StopMonitoringRequest", requestor: requestor, time: time, ("MonitoringRef", stop))
        }

        /// Returns a request for service alerts (SituationExchangeRequest).
        public static func disruptions(requestor: String, time: Date) -> HTTPRequest.Body {
            question("SituationExchangeRequest", requestor: requestor, time: time, ("LineRef", nil))
        }

        private static func question(
            _ name: String, requestor: String, time: Date, _ part: (name: String, text: String?)
        ) -> HTTPRequest.Body {
            let moment = ISOTime.text(time) ?? ""
            var body: [UInt8] = Array(#"<?xml version="1.0" encoding="UTF-8"?>"#.utf8)
            body += Array(#"<Siri xmlns="http://www.siri.org.uk/siri" version="2.0"><ServiceRequest>"#.utf8)
            func element(_ name: String, _ text: String) {
                body += Array("<\(name)>".utf8)
                body.append(xml: text)
                body += Array("</\(name)>".utf8)
            }
            element("RequestTimestamp", moment)
            element("RequestorRef", requestor)
            body += Array(#"<\#(name) version="2.0">"#.utf8)
            element("RequestTimestamp", moment)
            if let text = part.text { element(part.name, text) }
            body += Array("</\(name)></ServiceRequest></Siri>".utf8)
            return HTTPRequest.Body(contentType: "application/xml", bytes: body)
        }
    }
}
