import PortolanRaster
import PortolanText
import PortolanWeb

/// The fonts that a style names and that are not installed, with their substitutes.
struct SubstitutedFonts {
    /// The most fonts that a warning names.
    private static let limit = 6
    private static let genericNames: Set<String> = ["sans-serif", "serif", "monospace"]

    private var substitutes: [String: String] = [:]
    /// The last pair of wanted families and used font; most lines have the same.
    private var last: (wanted: String, used: String)?

    /// Notes the font of a line.
    ///
    /// - Parameter families: the families that the style names, separated by commas.
    mutating func note(_ line: TextLine, wanted families: String) {
        // Other scripts usually need other fonts than the named ones.
        guard let used = line.font.families.first, line.text.unicodeScalars.allSatisfy({ $0.value < 0x250 }) else {
            return
        }
        if let last, last == (families, used) { return }
        last = (families, used)
        let wanted = families.split(separator: ",").map { $0.lowercased() }
        // Any font may stand for a generic name.
        guard !wanted.contains(where: Self.genericNames.contains) else { return }
        guard let first = families.split(separator: ",").first, !wanted.contains(used.lowercased()) else { return }
        substitutes[String(first)] = used
    }

    /// Returns a warning that names the fonts, or `nil` if all are installed.
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
