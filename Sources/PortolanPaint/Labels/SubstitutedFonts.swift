import PortolanRaster
import PortolanText
import PortolanWeb

/// The fonts that a style names and that are not there, and those in which its labels are set instead.
struct SubstitutedFonts {
    /// The most fonts that a warning names.
    private static let limit = 6

    private var substitutes: [String: String] = [:]

    /// Notes the font of a line.
    ///
    /// - Parameter families: those that the style names, with commas.
    mutating func note(_ line: TextLine, wanted families: String) {
        // Other scripts are set in other fonts than those named as a rule.
        guard let used = line.font.families.first, line.text.unicodeScalars.allSatisfy({ $0.value < 0x250 }) else {
            return
        }
        let wanted = families.split(separator: ",").map { $0.lowercased() }
        guard let first = families.split(separator: ",").first, !wanted.contains(used.lowercased()) else { return }
        substitutes[String(first)] = used
    }

    /// A warning that names them, or `nil` if all fonts are there.
    func warning(layer: String) -> MapWarning? {
        guard !substitutes.isEmpty else { return nil }
        let names = substitutes.sorted { $0.key < $1.key }.prefix(Self.limit)
            .map { "'\($0.key)' is replaced by '\($0.value)'" }
        let rest = substitutes.count > Self.limit ? " and \(substitutes.count - Self.limit) more" : ""
        return MapWarning(
            .style, layer: layer,
            message:
                "fonts of the style are not installed: \(names.joined(separator: ", "))\(rest); give them with --font")
    }
}
