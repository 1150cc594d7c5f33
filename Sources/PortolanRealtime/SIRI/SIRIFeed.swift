public import Foundation
public import PortolanFetch
import PortolanTransit
public import PortolanWeb
import PortolanXML

/// A source of SIRI 2.0 as XML or JSON: addresses that are asked again and again by GET, or by POST with a request.
public struct SIRIFeed: VehicleFeed {
    private let poller: FeedPoller<SIRIPollReader>

    /// What it is called in messages, without secrets.
    public var name: String { poller.name }

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - addresses: of one or several services.
    ///   - question: the request sent by POST, as of ``SIRIQuestion``; `nil` for a GET.
    ///   - headers: such as a key.
    ///   - pace: the time between two requests of an address, at least a second.
    ///   - velocityUnit: the metres a second that a velocity of 1 means, or `nil` if the service does not use the unit of SIRI.
    public init(
        _ addresses: [NamedURL], question: HTTPQuestion? = nil, headers: [HTTPHeader] = [], fetcher: Fetcher,
        pace: Duration = .seconds(30), velocityUnit: Double? = nil
    ) {
        self.init(
            addresses, question: question, headers: headers, fetcher: fetcher, pace: pace, velocityUnit: velocityUnit,
            clock: .system)
    }

    /// Makes a source with a clock of its own, and perhaps what its first address has answered already.
    package init(
        _ addresses: [NamedURL], question: HTTPQuestion? = nil, headers: [HTTPHeader] = [], fetcher: Fetcher,
        pace: Duration = .seconds(30), velocityUnit: Double? = nil, clock: FetchClock, first: FirstAnswer? = nil
    ) {
        let name = addresses.first.map { FetchError.redacted($0.text) } ?? "SIRI"
        var reader = SIRIReader(source: name)
        reader.velocityUnit = velocityUnit
        poller = FeedPoller(
            name: name,
            requests: addresses.map {
                HTTPRequest(to: $0, headers: headers, question: question, maximumBodyByteCount: reader.byteLimit)
            }, fetcher: fetcher, pace: pace, clock: clock,
            reader: SIRIPollReader(reader: reader, count: addresses.count), first: first)
    }

    /// What is heard; what is of no interest is left out of it.
    public func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        poller.events(for: interests)
    }
}

/// Makes events of deliveries.
struct SIRIPollReader: PolledReader {
    let reader: SIRIReader
    private var times: [Date?]
    /// The latest time of all addresses: what is put together of them is as new as the newest.
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
            // What is not all there is, or comes from one of several, clears nothing.
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

/// Requests of SIRI 2.0 as XML, to be sent by POST.
public enum SIRIQuestion {
    /// Asks where vehicles are (VehicleMonitoringRequest).
    ///
    /// - Parameters:
    ///   - requestor: who asks, as agreed with the server.
    ///   - line: the identifier of a line, or `nil` for all.
    public static func vehicles(requestor: String, line: String? = nil, time: Date) -> HTTPQuestion {
        question("VehicleMonitoringRequest", requestor: requestor, time: time, ("LineRef", line))
    }

    /// Asks what comes to a stop (StopMonitoringRequest).
    public static func arrivals(at stop: String, requestor: String, time: Date) -> HTTPQuestion {
        question("StopMonitoringRequest", requestor: requestor, time: time, ("MonitoringRef", stop))
    }

    /// Asks what goes wrong (SituationExchangeRequest).
    public static func disruptions(requestor: String, time: Date) -> HTTPQuestion {
        question("SituationExchangeRequest", requestor: requestor, time: time, ("LineRef", nil))
    }

    private static func question(
        _ name: String, requestor: String, time: Date, _ part: (name: String, text: String?)
    ) -> HTTPQuestion {
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
        return HTTPQuestion(contentType: "application/xml", body: body)
    }
}
