package import Foundation
import PortolanFeatures
import PortolanWeb
import PortolanXML

/// A parser for SIRI 2.0 responses, XML or JSON (SIRI Lite).
///
/// The format is detected from the first byte. XML is parsed part by part, so memory use depends on the largest part
/// only. Namespace prefixes are ignored. Times without a zone are in UTC.
package struct SIRIReader: Hashable, Sendable {
    /// The name of the source in errors, without secrets.
    package var source: String
    /// The maximum size of an XML document in bytes, 512 MiB by default.
    ///
    /// JSON, which is parsed as a whole, may have an eighth of it.
    package var byteLimit = 512 << 20
    /// The unit of `Velocity` in metres per second, or `nil` to ignore velocities because servers use different units.
    package var velocityUnit: Double?

    /// Creates a parser.
    package init(source: String = "SIRI") { self.source = source }

    /// Parses a document.
    ///
    /// Invalid parts are omitted and counted.
    ///
    /// - Throws: ``FeedError`` if the document is not SIRI, exceeds a limit, or contains only an error.
    /// - Complexity: O(*n*) in the number of bytes.
    package func delivery(_ bytes: [UInt8], now: Date) throws(FeedError) -> SIRIDelivery {
        let gatherer = SIRIGatherer(now: now, velocityUnit: velocityUnit)
        let first = bytes.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            try readJSON(bytes, into: gatherer)
        } else {
            try readXML(bytes, into: gatherer)
        }
        let delivery = gatherer.delivery
        guard gatherer.isService else { throw FeedError(.malformed, source: source, "not a SIRI delivery") }
        if let reported = gatherer.reported, !delivery.isOfVehicles || delivery.vehicles.isEmpty,
            delivery.arrivals.isEmpty, delivery.disruptions.isEmpty
        {
            throw FeedError(.reported, source: source, ReadableText.line(reported, limit: 200))
        }
        return delivery
    }

    private func readXML(_ bytes: [UInt8], into gatherer: SIRIGatherer) throws(FeedError) {
        var limits = XMLLimits()
        limits.byteCount = byteLimit
        limits.elementCount = 50_000_000
        do throws(XMLError) {
            _ = try XMLReader(limits: limits).read(bytes, inFragmentsTo: gatherer, fragmentLimit: 100_000)
        } catch {
            let code: FeedError.Code = if case .limit = error.reason { .limitExceeded } else { .malformed }
            throw FeedError(code, source: source, "line \(error.line): \(ReadableText.line(error.message, limit: 200))")
        }
    }

    private func readJSON(_ bytes: [UInt8], into gatherer: SIRIGatherer) throws(FeedError) {
        let value: PropertyValue
        do throws(GeoJSONError) {
            value = try JSONReader.value(bytes: bytes, limits: FeatureLimits(maximumByteCount: byteLimit / 8))
        } catch {
            let code: FeedError.Code = error.code == .limitExceeded ? .limitExceeded : .malformed
            throw FeedError(code, source: source, ReadableText.line(error.description, limit: 200))
        }
        gatherer.walk(.json(value), depth: 0)
    }
}

/// Collects the parts of a delivery as they are parsed.
final class SIRIGatherer: XMLFragmentHandler {
    private(set) var delivery = SIRIDelivery()
    /// Whether any element of a delivery was found.
    private(set) var isService = false
    /// The error text of the server.
    private(set) var reported: String?
    private let parts: SIRIParts

    init(now: Date, velocityUnit: Double?) { parts = SIRIParts(now: now, velocityUnit: velocityUnit) }

    /// The elements that contain parts, from the outermost one, including those of SOAP responses.
    private static let containers = [
        "Siri", "ServiceDelivery", "VehicleMonitoringDelivery", "StopMonitoringDelivery", "SituationExchangeDelivery",
        "Situations", "Envelope", "Body", "Answer", "GetVehicleMonitoringResponse", "GetStopMonitoringResponse",
        "GetSituationExchangeResponse",
    ]
    private static let wholes = [
        "ResponseTimestamp", "MoreData", "ErrorCondition", "VehicleActivity", "VehicleActivityCancellation",
        "MonitoredStopVisit", "MonitoredStopVisitCancellation", "PtSituationElement",
    ]

    func begin(_ tag: XMLStartTag) -> XMLFragmentChoice {
        if Self.containers.contains(tag.name) {
            enter(tag.name)
            return .enter
        }
        return Self.wholes.contains(tag.name) ? .whole : .skip
    }

    func whole(_ element: XMLElement) { take(.xml(element), name: element.name) }

    func end() {}

    /// Collects the parts of a JSON document.
    func walk(_ node: SIRINode, depth: Int) {
        guard depth < 8 else { return }
        for name in Self.wholes { for child in node.children(name) { take(child, name: name) } }
        for name in Self.containers {
            for child in node.children(name) {
                enter(name)
                walk(child, depth: depth + 1)
            }
        }
    }

    private func enter(_ name: String) {
        switch name {
        case "ServiceDelivery": isService = true
        case "VehicleMonitoringDelivery": (isService, delivery.isOfVehicles) = (true, true)
        case "StopMonitoringDelivery": (isService, delivery.isOfArrivals) = (true, true)
        case "SituationExchangeDelivery": (isService, delivery.isOfDisruptions) = (true, true)
        default: break
        }
    }

    private func take(_ node: SIRINode, name: String) {
        switch name {
        case "ResponseTimestamp":
            // The time of the whole delivery precedes those of its parts.
            if delivery.time == nil { delivery.time = node.text.flatMap { ISOTime.date($0) } }
        case "MoreData": if node.text == "true" { delivery.isPartial = true }
        case "ErrorCondition": reported = reported ?? parts.errorText(node)
        case "VehicleActivity": add(parts.vehicle(node, time: delivery.time), to: \.vehicles)
        case "VehicleActivityCancellation":
            if let id = node.text("VehicleMonitoringRef") ?? node.text("VehicleJourneyRef") {
                delivery.cancelledVehicles.append(id)
            }
        case "MonitoredStopVisit": add(parts.arrival(node), to: \.arrivals)
        case "PtSituationElement": if !parts.isClosed(node) { add(parts.disruption(node), to: \.disruptions) }
        default: break
        }
    }

    private func add<Part>(_ part: Part?, to list: WritableKeyPath<SIRIDelivery, [Part]>) {
        if let part { delivery[keyPath: list].append(part) } else { delivery.faultCount += 1 }
    }
}
