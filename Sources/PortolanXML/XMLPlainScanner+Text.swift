extension XMLPlainScanner {
    /// Skips the declaration `<?xml version="1.0" encoding="UTF-8"?>`, with or without the encoding.
    mutating func skipDeclaration(_ bytes: Span<UInt8>) throws(Refusal) {
        guard Self.starts(bytes, at: index, "<?xml ") else { return }
        var end = index + 6
        while end + 1 < bytes.count, end < index + 128, bytes[end] != UInt8(ascii: "?") {
            if bytes[end] == 0x0A { line += 1 }
            end += 1
        }
        guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "?"), bytes[end + 1] == UInt8(ascii: ">") else {
            throw Refusal()
        }
        var text: [UInt8] = []
        text.append(bytes.extracting((index + 6)..<end))
        let words = text.split { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }.map {
            String(decoding: $0, as: UTF8.self)
        }
        let known = [["version=1.0"], ["encoding=UTF-8", "encoding=utf-8"], ["standalone=yes", "standalone=no"]]
        let areKnown = zip(words, known).allSatisfy { word, known in
            known.contains { word == Self.quoted($0, "\"") || word == Self.quoted($0, "'") }
        }
        guard (1...3).contains(words.count), areKnown else { throw Refusal() }
        index = end + 2
    }

    /// Returns a name and a value in quotes.
    private static func quoted(_ pair: String, _ mark: String) -> String {
        pair.replacing("=", with: "=" + mark) + mark
    }

    private static func starts(_ bytes: Span<UInt8>, at place: Int, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        return text.withUTF8Buffer { wanted in
            // As many bytes of each as were counted.
            for offset in 0..<count where unsafe wanted[offset] != bytes[place + offset] { return false }
            return true
        }
    }

    /// Skips a comment, or scans a CDATA section and returns whether it has text.
    mutating func scanMark(_ bytes: Span<UInt8>) throws(Refusal) -> Bool {
        let start = index
        var place = index
        if Self.starts(bytes, at: start, "<!--") {
            place += 4
            var hyphens = 0
            while true {
                guard place < bytes.count, place - start < 1 << 20 else { throw Refusal() }
                let byte = bytes[place]
                if hyphens == 2 {
                    guard byte == UInt8(ascii: ">") else { throw Refusal() }
                    index = place + 1
                    return false
                }
                hyphens = byte == UInt8(ascii: "-") ? hyphens + 1 : 0
                try skipCharacter(bytes, &place)
            }
        }
        guard Self.starts(bytes, at: start, "<![CDATA["), !open.isEmpty else { throw Refusal() }
        place += 9
        let first = place
        while true {
            guard place + 2 < bytes.count else { throw Refusal() }
            let byte = bytes[place]
            if byte == UInt8(ascii: "]"), bytes[place + 1] == byte, bytes[place + 2] == UInt8(ascii: ">") { break }
            try skipCharacter(bytes, &place)
        }
        index = place + 3
        // Both bytes of a line end are kept, like in libxml2.
        text = first..<place
        return place > first
    }

    /// Skips a character that XML allows (clause 2.2), including a line end.
    @inline(__always)
    mutating func skipCharacter(_ bytes: Span<UInt8>, _ place: inout Int) throws(Refusal) {
        switch bytes[place] {
        case 0x20..<0x80, 0x09: place += 1
        case 0x0A:
            line += 1
            place += 1
        case 0x0D:
            // A single carriage return would have to be normalised.
            guard place + 1 < bytes.count, bytes[place + 1] == 0x0A else { throw Refusal() }
            place += 1
        case 0x80...:
            guard let length = bytes.characterLength(at: place) else { throw Refusal() }
            place += length
        default: throw Refusal()
        }
    }

    /// Returns the text of a character reference or predefined entity, and continues after it.
    mutating func reference(_ bytes: Span<UInt8>) throws(Refusal) -> [UInt8] {
        var name: [UInt8] = []
        index += 1
        while true {
            guard index < bytes.count, name.count < 10 else { throw Refusal() }
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ";") { break }
            name.append(byte)
        }
        switch String(decoding: name, as: UTF8.self) {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [0x22]
        case "apos": return [0x27]
        case let text where text.first == "#":
            let isHex = text.dropFirst().first == "x"
            let digits = text.dropFirst(isHex ? 2 : 1)
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || isHex && (0x41...0x46).contains($0 & 0xDF) }),
                let value = UInt32(digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(value),
                scalar.isAllowedInXML
            else { throw Refusal() }
            return Array(String(scalar).utf8)
        default: throw Refusal()
        }
    }
}
