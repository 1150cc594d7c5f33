/// Tells by its first bytes whether a body is an image, decodable here or not.
enum ImageSignature {
    static func isImage(_ body: [UInt8]) -> Bool {
        let starts: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],  // PNG
            [0xFF, 0xD8, 0xFF],  // JPEG
            Array("GIF87a".utf8), Array("GIF89a".utf8),
            [0x49, 0x49, 0x2A, 0x00], [0x4D, 0x4D, 0x00, 0x2A],  // TIFF
            [0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20],  // JPEG 2000
        ]
        if starts.contains(where: { body.starts(with: $0) }) { return true }
        guard body.count >= 12 else { return false }
        if body.starts(with: Array("RIFF".utf8)), body[8..<12].elementsEqual("WEBP".utf8) { return true }
        return body[4..<8].elementsEqual("ftyp".utf8) && body[8..<12].starts(with: "avif".utf8)
    }
}
