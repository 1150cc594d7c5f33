/// Makes text of servers and documents readable in messages.
package enum ReadableText {
    /// Decodes bytes as UTF-8 if valid, otherwise as Latin-1.
    package static func decode(_ bytes: [UInt8]) -> String {
        let body = bytes.withoutByteOrderMark
        if let text = String(validating: body, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
    }

    /// Returns `text` in one line, without unreadable characters and surrounding white space, truncated to `limit`
    /// characters.
    package static func line(_ text: String, limit: Int) -> String {
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

    /// Returns `text` in one line, or `nil` if most of it is unreadable.
    package static func readableLine(_ text: String, limit: Int) -> String? {
        let head = text.prefix(2 * limit)
        let unreadable = head.count { !$0.isWhitespace && !isReadable($0) }
        guard unreadable * 10 <= head.count else { return nil }
        let line = line(text, limit: limit)
        return line.isEmpty ? nil : line
    }

    private static func isReadable(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy { !$0.isControl && $0 != "\u{FFFD}" }
    }
}

extension String {
    /// The text in one line: each run of white space and control characters becomes one space.
    ///
    /// Format characters, which could reverse or hide text, are written as `\u{202E}`. Text of documents and servers
    /// appears in errors and warnings, which must not move the cursor of a terminal.
    package var inOneLine: String { Self.oneLine(unicodeScalars) }

    /// Returns the text in one line, with its middle removed if it is longer than `limit` Unicode scalars.
    package func inOneLine(limit: Int) -> String {
        let scalars = unicodeScalars
        guard scalars.count > limit else { return inOneLine }
        // The error may be described at the start, and the remedy at the end.
        return Self.oneLine(Array(scalars.prefix(limit * 3 / 4)) + [" ", "…", " "] + scalars.suffix(limit / 4))
    }

    private static func oneLine(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var line = String.UnicodeScalarView()
        var isAfterSpace = false
        for scalar in scalars {
            let isSpace = scalar.isControl || scalar.properties.isWhitespace
            if !isSpace || !isAfterSpace { line.append(isSpace ? " " : scalar) }
            isAfterSpace = isSpace
        }
        return String(line).withEscapedFormatting { "\\u{" + String($0.value, radix: 16, uppercase: true) + "}" }
    }

    /// Returns the text with format characters (general category Cf) escaped, because they are invisible, and reverse
    /// or hide others.
    ///
    /// Characters that are part of the writing system are kept: joiners between characters that they join, and the
    /// visible signs before Arabic and Syriac numbers.
    package func withEscapedFormatting(_ escape: (Unicode.Scalar) -> String) -> String {
        guard unicodeScalars.contains(where: \.isFormatting) else { return self }
        var result = String.UnicodeScalarView(), before: Unicode.Scalar?
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            let joins = scalar.isJoiner && before?.isJoinable == true && rest.first?.isJoinable == true
            if scalar.isFormatting, !joins {
                result.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
            before = scalar
        }
        return String(result)
    }
}

extension Substring {
    /// The text without leading and trailing spaces and tabs.
    package var trimmed: Substring {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character of C0, C1, or DEL.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    /// Whether it is an invisible format character (UAX #44, Cf without Prepended_Concatenation_Mark).
    fileprivate var isFormatting: Bool {
        guard value >= 0xAD, properties.generalCategory == .format else { return false }
        return ![0x06DD, 0x070F, 0x08E2, 0x110BD, 0x110CD].contains(value) && !(0x0600...0x0605).contains(value)
            && !(0x0890...0x0891).contains(value)
    }

    /// ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER.
    fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }

    /// Whether an adjacent joiner has a meaning: in scripts other than Latin, Greek and Cyrillic, and between emoji.
    fileprivate var isJoinable: Bool {
        value >= 0x0530 && !isFormatting && !properties.isWhitespace && properties.generalCategory != .otherPunctuation
    }
}
