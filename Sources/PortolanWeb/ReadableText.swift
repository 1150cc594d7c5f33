/// Makes readable lines of what servers and documents say.
package enum ReadableText {
    /// The bytes as text: UTF-8 where they are that, else Latin-1.
    package static func decode(_ bytes: [UInt8]) -> String {
        let body = bytes.withoutByteOrderMark
        if let text = String(validating: body, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
    }

    /// `text` in one line, without unreadable characters and blanks at its ends, cut at `limit` characters.
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

    /// `text` in one line, or `nil` when most of it is not readable.
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
    /// The text in one line: each run of white space and control characters, line ends among them, is one blank, and
    /// format characters, which could turn the text about or hide some of it, stand as `\u{202E}`.
    ///
    /// Text of documents and servers goes into errors and warnings, which must not move the cursor of a terminal.
    package var inOneLine: String { Self.oneLine(unicodeScalars) }

    /// The text in one line, its middle cut out when it is longer than `limit` Unicode scalars.
    package func inOneLine(limit: Int) -> String {
        let scalars = unicodeScalars
        guard scalars.count > limit else { return inOneLine }
        // What is wrong may stand at the beginning, what to try at the end.
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

    /// The text with format characters (general category Cf) written as `escape` says: they are not seen, and turn about
    /// or hide what is.
    ///
    /// Those stay that belong to writing: joiners between characters that they join, and the signs before Arabic and Syriac
    /// numbers, which are seen.
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
    /// The text without blanks and tabs at its ends.
    package var trimmed: Substring {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

extension Unicode.Scalar {
    /// Whether it is one of the control characters C0, C1 or DEL.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    /// Whether it is a format character that is not seen (UAX #44, Cf without Prepended_Concatenation_Mark).
    fileprivate var isFormatting: Bool {
        guard value >= 0xAD, properties.generalCategory == .format else { return false }
        return ![0x06DD, 0x070F, 0x08E2, 0x110BD, 0x110CD].contains(value) && !(0x0600...0x0605).contains(value)
            && !(0x0890...0x0891).contains(value)
    }

    /// ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER.
    fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }

    /// Whether a joiner beside it means something: in scripts other than Latin, Greek and Cyrillic, and between pictures.
    fileprivate var isJoinable: Bool {
        value >= 0x0530 && !isFormatting && !properties.isWhitespace && properties.generalCategory != .otherPunctuation
    }
}
