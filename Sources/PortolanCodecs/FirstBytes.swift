/// The beginning of unknown data, written so that a person sees what it is: quoted text, or hexadecimal.
struct FirstBytes: CustomStringConvertible {
    private static let textLength = 80
    private static let binaryLength = 16

    let description: String

    init(_ bytes: [UInt8]) {
        let head = bytes.prefix(Self.textLength)
        // Text may be cut inside a character, which then decodes to one replacement character at the end.
        var text = String(decoding: head, as: UTF8.self)
        if head.count < bytes.count, text.last == "\u{fffd}" { text.removeLast() }
        let isText = text.unicodeScalars.allSatisfy { scalar in
            scalar != "\u{fffd}" && (scalar.value >= 0x20 || (0x09...0x0d).contains(scalar.value))
                && !(0x7f...0x9f).contains(scalar.value)
        }
        if isText {
            let line = text.split { $0.isWhitespace }.joined(separator: " ")
            description = "“\(line)\(head.count < bytes.count ? "…" : "")”"
        } else {
            let digits = bytes.prefix(Self.binaryLength).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            let rest = bytes.count > Self.binaryLength ? " …" : ""
            description = "the bytes " + digits.joined(separator: " ") + rest
        }
    }
}
