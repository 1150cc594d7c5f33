/// The beginning of a TIFF file: its byte order and kind, and the first directory.
struct TIFFHeader: Hashable, Sendable {
    let isLittleEndian: Bool
    /// Whether offsets have 64 bits (BigTIFF).
    let isBig: Bool
    let firstDirectory: UInt64

    /// Reads the header (TIFF 6.0, section 2).
    init(_ parts: TIFFParts) throws(TIFFParts.Stop) {
        guard parts.byteCount >= 16 else { throw .init(.wrongFormat, offset: 0, "the file is too short for a TIFF") }
        let bytes = Array(try parts.bytes(0..<16))
        guard Self.recognizes(bytes) else {
            throw .init(.wrongFormat, offset: 0, "the file does not begin like a TIFF")
        }
        let isLittleEndian = bytes[0] == 0x49
        func number(_ range: Range<Int>) -> UInt64 { TIFFValue.number(bytes[range], isLittleEndian) }
        self.isLittleEndian = isLittleEndian
        isBig = number(2..<4) == 43
        guard !isBig || number(4..<6) == 8 && number(6..<8) == 0 else {
            throw .init(.unsupported, offset: 4, "a BigTIFF with offsets of \(number(4..<6)) bytes")
        }
        firstDirectory = isBig ? number(8..<16) : number(4..<8)
    }

    /// Whether bytes begin like a TIFF file.
    static func recognizes(_ head: [UInt8]) -> Bool {
        let starts: [[UInt8]] = [
            [0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43],
        ]
        return starts.contains { head.starts(with: $0) }
    }
}
