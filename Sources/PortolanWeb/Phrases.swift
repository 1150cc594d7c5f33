/// The phrases of one language for people, with marks for what is filled in.
///
/// `{name}` stands for a value. Text in square brackets is left out where one of its values is missing, as in
/// `Turn {direction}[ onto {name}]`. Of two forms with a bar between, the first is that of the count 1: `{n} stop|{n} stops`.
package struct Phrases<Key: Hashable & Sendable>: Hashable, Sendable {
    /// The code of the language (BCP 47), as `en`.
    package let code: String
    private let texts: [Key: String]

    /// Makes a table.
    package init(_ code: String, _ texts: [Key: String]) {
        self.code = code
        self.texts = texts
    }

    /// A phrase with values in it; empty where the table has none.
    package func text(_ key: Key, _ values: [String: String] = [:]) -> String {
        PhraseText.filled(texts[key] ?? "", values)
    }

    /// A phrase in the form of a count, which stands for `{n}`.
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
    /// A phrase with its values.
    ///
    /// A mark without a value stays as it is where no brackets are around it. Marks within values are not read.
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

    /// The form of a phrase for a count: the first for 1, else the last.
    package static func form(of phrase: String, for count: Int) -> String {
        let forms = phrase.split(separator: "|", omittingEmptySubsequences: false)
        return String((count == 1 ? forms.first : forms.last) ?? "")
    }

    /// A count and what is counted, in its form: `3 rows are`.
    package static func counted(_ count: Int, _ forms: String) -> String { "\(count) \(form(of: forms, for: count))" }
}
