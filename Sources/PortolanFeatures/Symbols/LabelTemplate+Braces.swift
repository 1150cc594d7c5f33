extension LabelTemplate {
    /// An invalid template with braces.
    package struct BraceError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The kinds of faults.
        package enum Reason: Hashable, Sendable {
            /// A `{` has no `}`.
            case open
            /// A `}` has no `{`.
            case stray
            /// Nothing is between the braces.
            case empty
            /// The text after the colon is not a number format.
            case format(String)
            /// A number format is separated by a bar from its property.
            case bar(name: String, format: String)
        }

        /// The fault.
        package let reason: Reason
        /// The character where it is, counted from 1.
        package let position: Int

        package var description: String {
            let words =
                switch reason {
                case .open: "'{' has no '}'; write {{ for a brace"
                case .stray: "'}' has no '{'; write }} for a brace"
                case .empty: "no property between the braces"
                case .format(let text):
                    "'\(text)' is not a number format; write ',.0f', '.1f', ',d', '.1%' or '+.1f'"
                case .bar(let name, let format): "a number format follows a colon; write {\(name):\(format)}"
                }
            return "at character \(position): \(words)"
        }
    }

    /// Parses a text in which `{name}` is replaced by a property value: `{name}: {population:,.0f} people`.
    ///
    /// `{name:es|name}` is the first of two properties that has a value. A format after a colon applies to numbers.
    /// `${name}` equals `{name}`, `{{` and `}}` are braces, and `\n` is a line break.
    package init(braces text: String, language: String? = nil) throws(BraceError) {
        var parts: [Part] = [], literal = "", place = text.startIndex
        func error(_ reason: BraceError.Reason, at index: String.Index) -> BraceError {
            BraceError(reason: reason, position: text.distance(from: text.startIndex, to: index) + 1)
        }
        while place < text.endIndex {
            let character = text[place], next = text.index(after: place)
            let following = next < text.endIndex ? text[next] : nil
            if character == "\\", following == "n" {
                literal.append("\n")
                place = text.index(after: next)
            } else if (character == "{" || character == "}") && following == character {
                literal.append(character)
                place = text.index(after: next)
            } else if character == "}" {
                throw error(.stray, at: place)
            } else if character == "{" {
                guard let end = text[next...].firstIndex(where: { $0 == "}" || $0 == "{" }), text[end] == "}" else {
                    throw error(.open, at: place)
                }
                if literal.last == "$" { literal.removeLast() }
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal = ""
                parts.append(try Self.value(text[next..<end], error))
                place = text.index(after: end)
            } else {
                literal.append(character)
                place = next
            }
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        self.init(parts, language: language)
    }

    /// The value of a placeholder.
    private static func value(
        _ content: Substring, _ error: (BraceError.Reason, String.Index) -> BraceError
    ) throws(BraceError) -> Part {
        guard !content.allSatisfy(\.isWhitespace) else { throw error(.empty, content.startIndex) }
        let (name, text) = divided(content)
        if let bar = content.lastIndex(of: "|"), NumberPattern(content[content.index(after: bar)...]) != nil,
            let format = NumberPattern(content[content.index(after: bar)...])?.text, format != "d", format != "f"
        {
            throw error(.bar(name: String(content[..<bar]), format: format), content.index(after: bar))
        }
        // Names may have colons, as `name:es` and `addr:city`.
        guard let text else { return .value(alternatives(content), nil) }
        if let pattern = NumberPattern(text) {
            guard !name.isEmpty else { throw error(.empty, content.startIndex) }
            return .value(alternatives(name), pattern)
        }
        guard !text.isEmpty, text.allSatisfy({ !",.+~%$#".contains($0) }) else {
            throw error(.format(String(text)), text.startIndex)
        }
        return .value(alternatives(content), nil)
    }
}
