/// Where a marker's picture comes from.
public enum IconSource: Hashable, Sendable {
    /// A path, relative to the file that names it unless it begins with a slash.
    case file(String)
    /// An address with a scheme, as it is written; `data:` is one.
    case url(String)

    /// Reads the text of an `externalGraphic`: an address with a scheme, or else a path; `nil` when it is empty.
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        if let colon = text.firstIndex(of: ":"), text[..<colon].utf8.count > 1,
            text[..<colon].utf8.allSatisfy({
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
            })
        {
            self = .url(text)
        } else {
            self = .file(text)
        }
    }
}
