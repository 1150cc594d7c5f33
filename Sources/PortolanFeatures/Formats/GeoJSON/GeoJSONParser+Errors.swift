import PortolanWeb

extension GeoJSONParser {
    /// An error at a byte, its line counted.
    func error(_ code: GeoJSONError.Code, _ offset: Int, _ detail: String) -> GeoJSONError {
        var line = 1
        for byte in bytes[..<min(offset, bytes.count)] where byte == 0x0A { line += 1 }
        return GeoJSONError(code: code, byteOffset: offset, line: line, detail: detail.inOneLine)
    }

    /// The error of a document that ends at the cursor, or holds something else there than `wanted`.
    func unexpected(_ text: Span<UInt8>, _ wanted: StaticString) -> GeoJSONError {
        guard position < text.count else {
            return error(.truncated, text.count, "the document ends where \(wanted) should stand")
        }
        return error(.syntax, position, "\(found(text)) where \(wanted) should stand")
    }

    /// What stands at the cursor, in words.
    func found(_ text: Span<UInt8>) -> String {
        switch byte(text, position) {
        case UInt8(ascii: "{"): return "an object"
        case UInt8(ascii: "["): return "an array"
        case UInt8(ascii: "\""): return "a text"
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return "a number"
        case let other where other >= 0x21 && other < 0x7F:
            var end = position
            while end - position < 12,
                (0x41...0x5A).contains(byte(text, end)) || (0x61...0x7A).contains(byte(text, end))
            {
                end += 1
            }
            return "'" + String(decoding: bytes[position..<max(end, position + 1)], as: UTF8.self) + "'"
        case let other: return "the byte 0x" + String(other, radix: 16)
        }
    }

    /// The error of a value of the wrong kind at the cursor, or of the end of the document there.
    func wrongType(_ text: Span<UInt8>, _ wanted: String) -> GeoJSONError {
        guard position < text.count else {
            return error(.truncated, text.count, "the document ends where \(wanted) should stand")
        }
        let starts: Bool =
            switch text[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "t"),
                UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        return error(starts ? .wrongType : .syntax, position, "\(found(text)) where \(wanted) should stand")
    }

    func duplicate(_ name: String, _ offset: Int) -> GeoJSONError {
        error(.duplicateName, offset, "the name \"\(name.prefix(80))\" stands twice in one object")
    }
}
