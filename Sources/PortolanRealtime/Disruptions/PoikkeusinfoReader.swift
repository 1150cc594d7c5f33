public import Foundation
public import PortolanTransit
import PortolanWeb
import PortolanXML

/// Reads notices of the form `DISRUPTIONS/DISRUPTION`, as the service Poikkeusinfo of Helsinki published them until the 2010s.
///
/// A notice is in effect where its `VALIDITY` has the status 1; `LINE` names a line as riders do, with its identifier and
/// direction beside it; one without lines is about the whole network. Times have no zone of their own.
public struct PoikkeusinfoReader: Hashable, Sendable {
    /// Whose clock the times are of.
    public var zone: TimeZone
    /// What the source is called in errors.
    public var source: String

    /// Makes a reader.
    public init(zone: TimeZone, source: String = "notices") {
        self.zone = zone
        self.source = source
    }

    private static let byteLimit = 16 << 20

    /// Reads a document.
    ///
    /// - Throws: ``FeedFault`` with the line, where it is none.
    public func disruptions(_ bytes: [UInt8]) throws(FeedFault) -> [Disruption] {
        var limits = XMLLimits()
        limits.byteCount = Self.byteLimit
        let root: XMLElement
        do throws(XMLError) { root = try XMLReader(limits: limits).tree(of: bytes).root } catch {
            let code: FeedFault.Code = if case .limit = error.reason { .limitExceeded } else { .malformed }
            throw FeedFault(code, source: source, "line \(error.line): \(ReadableText.line(error.message, limit: 200))")
        }
        guard root.name == "DISRUPTIONS" else { throw FeedFault(.malformed, source: source, "it has no notices") }
        return root.children("DISRUPTION").enumerated().compactMap { disruption($1, index: $0) }
    }

    /// `nil` where it is not in effect.
    private func disruption(_ element: XMLElement, index: Int) -> Disruption? {
        let validity = element.children("VALIDITY")
        guard validity.isEmpty || validity.contains(where: { ($0.attribute("status") ?? "1") == "1" }) else {
            return nil
        }
        var notice = Disruption(id: element.attribute("id") ?? "\(index + 1)")
        notice.periods = validity.filter { ($0.attribute("status") ?? "1") == "1" }.map {
            .init(from: $0.attribute("from").flatMap(moment), to: $0.attribute("to").flatMap(moment))
        }
        notice.cause = element.attribute("type") ?? ""
        for text in element.child("INFO")?.children("TEXT") ?? [] where !text.text.isEmpty {
            notice.text[text.attribute("lang") ?? ""] = text.text
        }
        notice.targets = (element.child("TARGETS")?.children("LINE") ?? []).compactMap { line in
            guard let id = line.attribute("id") ?? (line.text.isEmpty ? nil : line.text) else { return nil }
            let direction = line.attribute("direction").flatMap { Int($0) }
            return .init(line: id, direction: direction.flatMap { (1...2).contains($0) ? $0 - 1 : nil })
        }
        return notice
    }

    /// A time of the zone, where it has none of its own.
    private func moment(_ text: String) -> Date? {
        guard let utc = ISOTime.date(text) else { return nil }
        let time = text.drop { $0 != "T" && $0 != " " }
        if time.contains(where: { $0 == "Z" || $0 == "+" || $0 == "-" }) { return utc }
        return ISOTime.moment(utc, onClockOf: zone)
    }
}
