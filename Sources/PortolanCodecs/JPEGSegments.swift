/// The segments of a JPEG file before its first scan (ITU-T T.81, annex B).
package enum JPEGSegments {
    /// Returns the number of channels of a file that documents can embed: upright, of eight bits, with Huffman codes, in
    /// grey or YCbCr; `nil` for others.
    ///
    /// - Complexity: O(segments).
    package static func embeddableChannelCount(of bytes: [UInt8]) -> Int? {
        guard bytes.starts(with: [0xFF, 0xD8]), ExifOrientation(jpeg: bytes) == .upright else { return nil }
        var place = 2, isJFIF = false, transform: UInt8?
        while place + 4 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1], length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            guard length >= 2, place + 2 + length <= bytes.count else { return nil }
            let content = bytes[(place + 4)..<(place + 2 + length)]
            switch marker {
            case 0xE0: isJFIF = isJFIF || content.starts(with: "JFIF\0".utf8)
            case 0xEE where content.starts(with: "Adobe".utf8) && content.count >= 12: transform = content.last
            // Baseline, extended and progressive.
            case 0xC0, 0xC1, 0xC2:
                guard content.count >= 6, content.first == 8 else { return nil }
                let count = Int(content[content.startIndex + 5])
                // Without a marker, programs guess differently.
                return count == 1 || count == 3 && (transform == 1 || transform == nil && isJFIF) ? count : nil
            case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xDA, 0xD9: return nil
            default: break
            }
            place += 2 + length
        }
        return nil
    }
}
