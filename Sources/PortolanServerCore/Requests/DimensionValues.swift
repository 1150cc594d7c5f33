import PortolanPlan
package import PortolanServices
import PortolanWeb

/// The values of a dimension as capabilities list them (OGC 06-042, annex C.3): single values, and intervals
/// `minimum/maximum/resolution`.
package struct DimensionValues {
    private enum Entry {
        case value(String)
        case interval(low: Double, high: Double, step: Double?)
    }

    private let entries: [Entry]
    private let facts: WMSCapabilities.Dimension
    /// Whether values are times, so that 2026 is a year.
    private let isTime: Bool

    /// Parses the values of a dimension; intervals that are not understood are single values.
    package init(_ facts: WMSCapabilities.Dimension) {
        self.facts = facts
        let isTime = facts.name.lowercased() == "time" || facts.units.lowercased() == "iso8601"
        self.isTime = isTime
        entries = facts.values.split(separator: ",").map { text in
            let text = String(text).trimmingSpace(),
                parts = text.split(separator: "/").map { String($0).trimmingSpace() }
            guard parts.count > 1, let low = Self.number(parts[0], isTime), let high = Self.number(parts[1], isTime)
            else {
                return .value(text)
            }
            return .interval(low: low, high: high, step: parts.count > 2 ? Self.step(parts[2]) : nil)
        }
    }

    /// Returns whether a request may ask for a value: a listed one, or several if the dimension permits them.
    package func contain(_ text: String) -> Bool {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmingSpace() }
        guard parts.count == 1 || facts.takesSeveral, parts.count <= 1000 else { return false }
        return parts.allSatisfy { part in
            let ends = part.split(separator: "/", omittingEmptySubsequences: false).map { String($0).trimmingSpace() }
            guard ends.count > 1 else { return containsSingle(part) }
            guard facts.takesSeveral, ends.count <= 3, let low = Self.number(ends[0], isTime),
                let high = Self.number(ends[1], isTime)
            else { return false }
            return low <= high
        }
    }

    private func containsSingle(_ text: String) -> Bool {
        if text.lowercased() == "current" { return facts.takesCurrent }
        let wanted = Self.number(text, isTime)
        // Without a list, or if the nearest value is used, any value of the right form will do.
        if entries.isEmpty {
            return !text.allSatisfy { $0 == "." } && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
        if facts.takesNearest, wanted != nil { return true }
        return entries.contains { entry in
            switch entry {
            case .value(let value):
                return value == text || wanted != nil && Self.number(value, isTime) == wanted
            case .interval(let low, let high, let step):
                guard let wanted, low <= wanted, wanted <= high else { return false }
                guard let step, step > 0 else { return true }
                let count = (wanted - low) / step
                return abs(count - count.rounded()) < 1e-6
            }
        }
    }

    /// Returns a number, or the seconds of a time of any precision (annex D.2), or `nil`.
    private static func number(_ text: String, _ isTime: Bool) -> Double? {
        var time = text
        if isTime, text.utf8.prefix(while: { (0x30...0x39).contains($0) }).count == 4 {
            // 2026, 2026-11, 2026-11-27 and 2026-11-27T10Z.
            switch text.utf8.count {
            case 4: time += "-01-01T00:00Z"
            case 7: time += "-01T00:00Z"
            case 10: time += "T00:00Z"
            case 13, 14: time = time.prefix(13) + ":00Z"
            default: break
            }
            if let seconds = ISOTime.seconds(time) { return seconds }
        }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns a resolution as a number or as seconds; `nil` for months and years, whose lengths differ.
    private static func step(_ text: String) -> Double? {
        guard text.hasPrefix("P") else { return Double(text).flatMap { $0.isFinite ? $0 : nil } }
        var seconds = 0.0, number = "", isTime = false
        for letter in text.dropFirst() {
            switch letter {
            case "T": isTime = true
            case "0"..."9", ".": number.append(letter)
            default:
                let units: [Character: Double] = isTime ? ["H": 3600, "M": 60, "S": 1] : ["W": 604_800, "D": 86_400]
                guard let unit = units[letter], let count = Double(number) else { return nil }
                seconds += count * unit
                number = ""
            }
        }
        return seconds
    }
}
