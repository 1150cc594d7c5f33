/// Makes one readable line of whatever a server sent.
package enum ReadableText {
    /// The bytes as text: UTF-8 where they are that, else Latin-1.
    package static func decode(_ bytes: [UInt8]) -> String {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        if let text = String(validating: body, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
    }

    /// `text` in one line, without control characters, cut at `limit` characters.
    static func line(_ text: String, limit: Int) -> String {
        var result = ""
        var count = 0
        var needsSpace = false
        for character in text {
            if character.isWhitespace {
                needsSpace = !result.isEmpty
                continue
            }
            guard isReadable(character) else { continue }
            guard count + (needsSpace ? 1 : 0) < limit else { return result + "…" }
            if needsSpace {
                result.append(" ")
                count += 1
                needsSpace = false
            }
            result.append(character)
            count += 1
        }
        return result
    }

    /// `text` in one line, or `nil` when most of it is not readable.
    static func readableLine(_ text: String, limit: Int) -> String? {
        let head = text.prefix(2 * limit)
        let unreadable = head.count { !$0.isWhitespace && !isReadable($0) }
        guard unreadable * 10 <= head.count else { return nil }
        let line = line(text, limit: limit)
        return line.isEmpty ? nil : line
    }

    private static func isReadable(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "\u{FFFD}"
        }
    }
}
