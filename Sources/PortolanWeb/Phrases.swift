/// The phrases of one language, with placeholders for values.
///
/// `{name}` is replaced by a value. Text in square brackets is omitted if one of its values is missing, as in
/// `Turn {direction}[ onto {name}]`. Of two forms separated by a bar, the first is used for the count 1:
/// `{n} stop|{n} stops`.
package struct Phrases<Key: Hashable & Sendable>: Hashable, Sendable {
    /// The language code (BCP 47), such as `en`.
    package let code: String
    private let texts: [Key: String]

    /// Creates a table.
    package init(_ code: String, _ texts: [Key: String]) {
        self.code = code
        self.texts = texts
    }

    /// Returns a phrase with values; empty if the table has no phrase for the key.
    package func text(_ key: Key, _ values: [String: String] = [:]) -> String {
        PhraseText.filled(texts[key] ?? "", values)
    }

    /// Returns the phrase in its form for a count, which replaces `{n}`.
    package func text(_ key: Key, count: Int, _ values: [String: String] = [:]) -> String {
        PhraseText.filled(
            PhraseText.form(of: texts[key] ?? "", for: count), values.merging(["n": "\(count)"]) { $1 })
    }
}

extension Array {
    /// The table of the first language that a reader likes, as `es-MX` or `fi_FI`, that there is; else the first table.
    package func preferred<Key>(_ codes: [String]) -> Phrases<Key> where Element == Phrases<Key> {
        LanguageLookup.first(for: codes, among: self, code: \.code) ?? self[0]
    }
}

/// Fills phrases: see `Phrases` for their marks.
package enum PhraseText {
    /// Returns a phrase with its values.
    ///
    /// A placeholder without a value is kept unless it is in brackets. Placeholders within values are not replaced.
    package static func filled(_ phrase: String, _ values: [String: String]) -> String {
        var result = "", rest = phrase[...], beforeBracket: String?, isMissing = false
        while let index = rest.firstIndex(where: { "{[]".contains($0) }) {
            result += rest[..<index]
            let mark = rest[index]
            rest = rest[rest.index(after: index)...]
            switch mark {
            case "[": (beforeBracket, isMissing) = (result, false)
            case "]":
                if isMissing, let beforeBracket { result = beforeBracket }
                beforeBracket = nil
            default:
                guard let end = rest.firstIndex(of: "}") else {
                    result.append(mark)
                    continue
                }
                let name = rest[..<end]
                rest = rest[rest.index(after: end)...]
                if let value = values[String(name)] {
                    result += value
                } else {
                    isMissing = true
                    result += "{\(name)}"
                }
            }
        }
        return result + rest
    }

    /// Returns the form of a phrase for a count: the first for 1, otherwise the last.
    package static func form(of phrase: String, for count: Int) -> String {
        let forms = phrase.split(separator: "|", omittingEmptySubsequences: false)
        return String((count == 1 ? forms.first : forms.last) ?? "")
    }

    /// Returns a count with the corresponding form, such as `3 rows are`.
    package static func counted(_ count: Int, _ forms: String) -> String { "\(count) \(form(of: forms, for: count))" }
}
