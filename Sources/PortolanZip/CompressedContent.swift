/// The compression formats of tiles and directories in archives, recognised by their first bytes.
package enum CompressedContent: String, Sendable {
    /// A gzip stream (RFC 1952).
    case gzip
    /// A zlib stream (RFC 1950).
    case zlib
    /// Zstandard frames (RFC 8878), decompressed with the trait `Images`.
    case zstd

    /// The most bytes of content for a compressed byte.
    package var greatestRatio: Int {
        switch self {
        case .gzip, .zlib: 1100
        // A block of 128 KiB of equal bytes takes four.
        case .zstd: 1 << 15
        }
    }

    /// Recognises the format, or returns `nil` for other bytes.
    package init?(recognizing bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        guard bytes.count >= 2 else { return nil }
        switch (bytes[start], bytes[start + 1]) {
        case (0x1F, 0x8B): self = .gzip
        case (0x28, 0xB5) where bytes.dropFirst(2).starts(with: [0x2F, 0xFD]): self = .zstd
        // Deflate with a window of 32 KiB, and a check of the two header bytes.
        case (0x78, let flags) where (0x7800 + Int(flags)).isMultiple(of: 31) && flags & 0x20 == 0: self = .zlib
        default: return nil
        }
    }

    /// Decompresses the content.
    ///
    /// - Parameter byteLimit: the maximum number of decompressed bytes.
    /// - Throws: ``ZipError`` if the content is damaged, exceeds the limit, or has an unsupported format.
    package func unpack(_ bytes: ArraySlice<UInt8>, byteLimit: Int) throws(ZipError) -> [UInt8] {
        switch self {
        case .gzip: try Self.gzipContent(bytes, byteLimit: byteLimit)
        case .zlib:
            try Self.deflated(bytes.dropFirst(2), from: bytes.startIndex, byteLimit: byteLimit).content
        case .zstd: try ZstandardFrames.content(of: bytes, byteLimit: byteLimit)
        }
    }

    /// Returns the content of all members of a gzip stream.
    private static func gzipContent(_ bytes: ArraySlice<UInt8>, byteLimit: Int) throws(ZipError) -> [UInt8] {
        var rest = bytes, content: [UInt8] = []
        repeat {
            let packed = try contentAfterHeader(rest)
            // Most streams have one member, whose length is stored at the end; a compressed byte expands to at most
            // 1,032 bytes.
            if content.isEmpty, packed.count >= 8 {
                let count = Int(word(packed.suffix(4)))
                if count <= byteLimit, count / 1032 <= packed.count,
                    let whole = Inflater.inflate(packed.dropLast(8), byteCount: count, isWhole: true)
                {
                    guard Inflater.checksum(of: whole[...]) == word(packed.suffix(8).prefix(4)) else {
                        throw ZipError(.malformed, offset: packed.startIndex, "wrong checksum of the content")
                    }
                    return whole
                }
            }
            let member = try deflated(packed, from: rest.startIndex, byteLimit: byteLimit - content.count)
            guard member.rest.count >= 8, Inflater.checksum(of: member.content[...]) == word(member.rest.prefix(4))
            else { throw ZipError(.malformed, offset: rest.startIndex, "wrong checksum of the content") }
            content += member.content
            rest = member.rest.dropFirst(8)
        } while rest.starts(with: [0x1F, 0x8B])
        return content
    }

    /// Returns the bytes after the header of a gzip member (RFC 1952, 2.3).
    private static func contentAfterHeader(_ bytes: ArraySlice<UInt8>) throws(ZipError) -> ArraySlice<UInt8> {
        let start = bytes.startIndex
        let broken = ZipError(.malformed, offset: start, "damaged gzip header")
        guard bytes.count >= 10, bytes[start + 2] == 8 else { throw broken }
        let flags = bytes[start + 3]
        var rest = bytes.dropFirst(10)
        if flags & 4 != 0 {
            guard rest.count >= 2 else { throw broken }
            rest = rest.dropFirst(2 + (Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8))
        }
        // The name and the comment are null-terminated.
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard let end = rest.firstIndex(of: 0) else { throw broken }
            rest = rest[(end + 1)...]
        }
        if flags & 2 != 0 { rest = rest.dropFirst(2) }
        guard !rest.isEmpty else { throw broken }
        return rest
    }

    /// Returns the content of a deflate stream, and the bytes after it.
    private static func deflated(
        _ packed: ArraySlice<UInt8>, from start: Int, byteLimit: Int
    ) throws(ZipError) -> (content: [UInt8], rest: ArraySlice<UInt8>) {
        guard let stream = InflateStream() else {
            throw ZipError(.malformed, offset: start, "not enough memory to decompress the content")
        }
        var packed = packed, content: [UInt8] = []
        while true {
            // Grows with the content, up to one byte beyond the limit.
            let count = min(max(1 << 14, content.count), byteLimit + 1 - content.count)
            guard let isEnded = stream.append(count, of: &packed, to: &content) else {
                throw ZipError(.malformed, offset: start, "the compressed content is damaged or incomplete")
            }
            guard content.count <= byteLimit else {
                throw ZipError(.limitExceeded, offset: start, "the content exceeds \(byteLimit) bytes")
            }
            if isEnded { return (content, packed) }
        }
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
