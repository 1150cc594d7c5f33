import PortolanFeatures
import PortolanFetch
import PortolanWeb

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A line of the access log: a request and its outcome.
///
/// Keys, signatures and passwords in addresses are replaced by `***`.
package struct AccessEntry: Sendable {
    /// The formats of the log.
    package enum Format: String, CaseIterable, Sendable {
        /// Text for people.
        case text
        /// One JSON object per line.
        case json
        /// The Combined Log Format of Apache and nginx.
        case combined
    }

    /// The time of the response.
    package var time: Date
    /// The method.
    package var method: String
    /// The path and the query.
    package var target: String
    /// The outcome.
    package var outcome: MapServer.Outcome
    /// The value of the field `Referer`, or `nil`.
    package var referrer: String?
    /// The value of the field `User-Agent`, or `nil`.
    package var agent: String?

    /// Creates an entry.
    package init(
        time: Date, method: String, target: String, outcome: MapServer.Outcome, referrer: String? = nil,
        agent: String? = nil
    ) {
        (self.time, self.method, self.target, self.outcome) = (time, method, target, outcome)
        (self.referrer, self.agent) = (referrer, agent)
    }

    /// Returns the line without its end.
    package func line(as format: Format) -> String {
        switch format {
        case .text: text
        case .json: json
        case .combined: combined
        }
    }

    /// The path and the query without keys.
    private var shown: String { Self.withoutKey(FetchError.redacted(target: target)) }
    private var milliseconds: Double { (outcome.duration.inSeconds * 10_000).rounded() / 10 }

    /// Replaces the key in the path `/key/{key}/…`, which may stand after a prefix.
    private static func withoutKey(_ target: String) -> String {
        let path = target.prefix { $0 != "?" }
        guard let start = path.firstRange(of: "/key/") else { return target }
        let rest = target[start.upperBound...].drop { !"/?#".contains($0) }
        return target[..<start.upperBound] + "***" + rest
    }

    private var text: String {
        let time = time.formatted(.iso8601)
        return "\(time) \(Self.plain(outcome.client)) \(Self.plain(method)) \(shown) \(outcome.response.status) "
            + "\(outcome.response.body.count) bytes \(milliseconds) ms route=\(Self.plain(outcome.route))"
            + (outcome.holder.map { " key=\(Self.plain($0))" } ?? "")
    }

    private var json: String {
        var members: Properties = [
            "time": .string(time.formatted(.iso8601)), "client": .string(outcome.client), "method": .string(method),
            "target": .string(shown), "route": .string(outcome.route), "status": .integer(outcome.response.status),
            "bytes": .integer(outcome.response.body.count), "ms": .number(milliseconds),
        ]
        if let holder = outcome.holder { members["key"] = .string(holder) }
        if let referrer { members["referrer"] = .string(Self.shown(referrer)) }
        if let agent { members["agent"] = .string(agent) }
        return String(decoding: GeoJSONWriter.json(.object(members)), as: UTF8.self)
    }

    private var combined: String {
        "\(Self.plain(outcome.client)) - \(outcome.holder.map(Self.plain) ?? "-") [\(Self.stamp(of: time))] "
            + "\"\(Self.quoted(method)) \(Self.quoted(shown)) HTTP/1.1\" \(outcome.response.status) "
            + "\(outcome.response.body.count) \"\(referrer.map { Self.quoted(Self.shown($0)) } ?? "-")\" "
            + "\"\(agent.map(Self.quoted) ?? "-")\""
    }

    private static func shown(_ referrer: String) -> String { withoutKey(FetchError.redactedWhole(referrer)) }

    /// Returns a text without spaces and control characters, which separate the parts of a line.
    private static func plain(_ text: String) -> String {
        text.isEmpty ? "-" : String(text.map { ("!"..."~").contains($0) ? $0 : "?" })
    }

    /// Returns a text for quotation marks, with the escapes of Apache.
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: quoted.unicodeScalars.append(UnicodeScalar(byte))
            default: quoted += "\\x" + EntityTag.hexadecimal([byte])
            }
        }
        return quoted
    }

    /// Returns the time as in `10/Oct/2000:13:55:36 +0000`.
    private static func stamp(of time: Date) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // 2026-11-27T01:02:03Z
        let text = time.formatted(.iso8601)
        let parts = text.split { !$0.isNumber }
        guard parts.count == 6, let month = Int(parts[1]), (1...12).contains(month) else { return text }
        return "\(parts[2])/\(months[month - 1])/\(parts[0]):\(parts[3]):\(parts[4]):\(parts[5]) +0000"
    }
}
