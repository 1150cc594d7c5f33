import PortolanFeatures

/// The headings of layers in legends that are not stated.
enum LegendHeading {
    /// The largest number of characters.
    private static let longest = 80

    /// Returns the title in a document, or `nil` if it has none, or a text that is too long for a heading.
    static func title(in members: Properties) -> String? {
        guard let text = members["name"]?.stringValue ?? members["title"]?.stringValue else { return nil }
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.isEmpty || line.count > longest ? nil : readable(line)
    }

    /// Returns the name of a file or a table as a heading: words begin with a capital letter, separated by spaces.
    ///
    /// A text with spaces or capital letters is a title already.
    static func readable(_ name: String) -> String {
        guard !name.contains(where: { $0.isWhitespace || $0.isUppercase }) else { return name }
        let words = name.split { $0 == "-" || $0 == "_" }.joined(separator: " ")
        return words.isEmpty ? name : words.prefix(1).uppercased() + words.dropFirst()
    }
}
