/// Recognises messages by which services report that no features were found.
enum NothingFound {
    private static let sentences: Set<String> = [
        "search returned no results", "no features were found", "no features found", "no results",
        "no data", "no hit", "no feature found",
    ]

    /// Returns whether a text is such a message, or empty.
    ///
    /// The line `GetFeatureInfo results:` and layer headings (`Layer 'name'`) are ignored.
    static func isSaid(by text: String) -> Bool {
        guard text.utf8.count <= 10_000 else { return false }
        return text.split(whereSeparator: \.isNewline).allSatisfy { line in
            let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
            let plain = words.hasSuffix(".") || words.hasSuffix(":") ? String(words.dropLast()) : words
            if plain.isEmpty || plain == "getfeatureinfo results" || sentences.contains(plain) { return true }
            return (plain.hasPrefix("layer '") || plain.hasPrefix("layer \"")) && !plain.contains("=")
        }
    }
}
