package import PortolanWeb

/// The title and text of a page, whether or not its markup is well-formed.
package struct MarkupText {
    /// The text of the first `title` element.
    package private(set) var title = ""
    /// All other visible text.
    package private(set) var body = ""
    /// The links of anchors, with their texts.
    package private(set) var links: [AttributionLink] = []

    /// The title and text in one line.
    ///
    /// The title is omitted if the text starts with it.
    package var summary: String {
        let title = title.words.joined(separator: " "), body = body.words.joined(separator: " ")
        if title.isEmpty || body.hasPrefix(title) { return body }
        return body.isEmpty ? title : title + ": " + body
    }

    /// Removes the tags from `markup`.
    ///
    /// - Complexity: linear in its length.
    package init(_ markup: String) {
        let bytes = Array(markup.utf8)
        let lastClose = bytes.lastIndex(of: 0x3E) ?? -1
        var place = 0
        var element = "", anchor: (address: String, start: Int)?
        while place < bytes.count {
            if bytes[place] == 0x3C, let tag = Self.tag(in: bytes, at: place, lastClose: lastClose) {
                place = tag.end
                if let name = tag.name { element = name }
                if !tag.isCharacterData { body += " " }
                if tag.isCharacterData { body += tag.text }
                if tag.isAnchor {
                    if let open = anchor {
                        let text = String(decoding: body.utf8.dropFirst(open.start), as: UTF8.self)
                        let link = AttributionLink(
                            text: text.words.joined(separator: " "), address: Self.replacingReferences(open.address))
                        if let link { links.append(link) }
                    }
                    anchor = tag.address.map { ($0, body.utf8.count) }
                }
            } else {
                let end = bytes[(place + 1)...].firstIndex(of: 0x3C) ?? bytes.count
                let text = Self.replacingReferences(String(decoding: bytes[place..<end], as: UTF8.self))
                switch element {
                case "script", "style": break
                case "title": title += title.isEmpty ? text : ""
                default: body += text
                }
                place = end
            }
        }
    }

    private struct Tag {
        /// The element whose content follows; empty after its end, `nil` if the tag has no effect.
        var name: String?
        var text = ""
        var isCharacterData = false
        /// Whether an anchor begins or ends, and the address of one that begins.
        var isAnchor = false
        var address: String?
        let end: Int
    }

    /// Returns the tag that starts at `place`, or `nil`.
    ///
    /// `lastClose` is the index of the last `>`, which limits the search.
    private static func tag(in bytes: [UInt8], at place: Int, lastClose: Int) -> Tag? {
        let rest = bytes[place...]
        if rest.starts(with: "<!--".utf8) {
            return Tag(name: nil, end: end(of: "-->", in: bytes, from: place + 4))
        }
        if rest.starts(with: "<![CDATA[".utf8) {
            let end = end(of: "]]>", in: bytes, from: place + 9)
            let text = String(decoding: bytes[(place + 9)..<max(end - 3, place + 9)], as: UTF8.self)
            return Tag(name: nil, text: text, isCharacterData: true, end: end)
        }
        guard place < lastClose else { return nil }
        let first = bytes[place + 1]
        guard first == 0x2F || first == 0x21 || first == 0x3F || isLetter(first),
            let close = rest.firstIndex(of: 0x3E)
        else { return nil }
        let inside = bytes[(place + 1)..<close]
        guard isLetter(first) else {
            let isAnchor = inside.count == 2 && first == 0x2F && inside.last.map { $0 & 0xDF } == UInt8(ascii: "A")
            return Tag(name: first == 0x2F ? "" : nil, isAnchor: isAnchor, end: close + 1)
        }
        let name = String(decoding: inside.prefix(while: isLetter), as: UTF8.self).lowercased()
        return Tag(
            name: ["script", "style", "title"].contains(name) ? name : nil, isAnchor: name == "a",
            address: name == "a" ? address(in: inside) : nil, end: close + 1)
    }

    /// Returns the value of the attribute `href` of a tag, or `nil` without one.
    private static func address(in tag: ArraySlice<UInt8>) -> String? {
        let small = tag.map { isLetter($0) ? $0 | 0x20 : $0 }, key = Array("href".utf8)
        guard let start = small.indices.first(where: { small[$0...].starts(with: key) }) else { return nil }
        let text = String(decoding: tag.dropFirst(start + key.count), as: UTF8.self)
        var rest = text[...].drop(while: \.isWhitespace)
        guard rest.first == "=" else { return nil }
        rest = rest.dropFirst().drop(while: \.isWhitespace)
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            return String(rest.prefix { !$0.isWhitespace })
        }
        return String(rest.dropFirst().prefix { $0 != quote })
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    private static func end(of mark: StaticString, in bytes: [UInt8], from place: Int) -> Int {
        let mark = Array(mark.description.utf8)
        var index = place
        while index + mark.count <= bytes.count {
            if bytes[index] == mark[0], bytes[index..<(index + mark.count)].elementsEqual(mark) {
                return index + mark.count
            }
            index += 1
        }
        return bytes.count
    }

    private static func replacingReferences(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            let tail = rest[start...].prefix(10)
            guard let end = tail.firstIndex(of: ";"),
                let character = character(of: tail[tail.index(after: start)..<end])
            else {
                result += "&"
                rest = rest[rest.index(after: start)...]
                continue
            }
            result.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func character(of name: Substring) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return " "
        default:
            guard name.hasPrefix("#") else { return nil }
            let digits = name.dropFirst()
            let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
            let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }
}
