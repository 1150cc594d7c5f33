/// Writes Zstandard frames with stored content.
package enum ZstandardBytes {
    /// A frame with a single block without compression, of at most 255 bytes.
    package static func stored(_ content: [UInt8]) -> [UInt8] {
        precondition(content.count < 256)
        let header = content.count << 3 | 1
        return [0x28, 0xB5, 0x2F, 0xFD, 0x20, UInt8(content.count)]
            + [UInt8(header & 0xFF), UInt8(header >> 8), 0] + content
    }
}
