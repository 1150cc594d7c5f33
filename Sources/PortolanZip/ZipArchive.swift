/// A ZIP archive in memory (PKWARE APPNOTE 6.3): its directory, and the contents of its files within limits.
///
/// It supports single-disk archives, including ZIP64, with stored or deflated files. Encrypted files are listed, but
/// their content is refused. Names are returned unchanged; nothing is ever written to disk.
package struct ZipArchive: Sendable {
    /// A file of the archive.
    package struct Entry: Hashable, Sendable {
        /// The path, separated by slashes.
        package let name: String
        /// The length of the content according to the directory.
        package let byteCount: Int
        /// Whether its content is encrypted, by PKWARE's methods or by AES.
        package let isEncrypted: Bool
        fileprivate let compressedByteCount: Int
        let method: UInt16
        let checksum: UInt32
        fileprivate let offset: Int
    }

    /// The limits of untrusted archives.
    package struct Limits: Hashable, Sendable {
        /// The maximum number of files.
        package var entryCount: Int
        /// The maximum length of a file's content in bytes.
        package var byteCount: Int
        /// The maximum ratio between content and compressed bytes, beyond a first mebibyte.
        package var ratio: Int

        package init(entryCount: Int = 65_535, byteCount: Int = 512 << 20, ratio: Int = 200) {
            self.entryCount = entryCount
            self.byteCount = byteCount
            self.ratio = ratio
        }
    }

    /// The files in the order of the directory, without folders.
    package let entries: [Entry]
    /// The index of the first file with each name, exactly and in lower case.
    private let numbers: [String: Int], foldedNumbers: [String: Int]
    private let bytes: [UInt8]
    private let limits: Limits

    /// Reads the directory of an archive.
    ///
    /// - Complexity: O(*n*) in the size of the directory.
    package init(_ bytes: [UInt8], limits: Limits = Limits()) throws(ZipError) {
        self.bytes = bytes
        self.limits = limits
        guard let end = Self.directoryEnd(in: bytes) else {
            throw ZipError(.malformed, offset: bytes.count, "no directory at the end: the archive is incomplete")
        }
        func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        func long(_ offset: Int) -> Int { word(offset) | word(offset + 2) << 16 }
        // In ZIP64 the numbers of disks may be in a separate record.
        guard [0, 0xFFFF].contains(word(end + 4)), [0, 0xFFFF].contains(word(end + 6)), word(end + 8) == word(end + 10)
        else { throw ZipError(.unsupported, offset: end, "this is one part of a split archive; join the parts first") }
        var count = word(end + 10), start = long(end + 16)
        if count == 0xFFFF || start == 0xFFFF_FFFF, let wide = Self.wideDirectory(in: bytes, before: end) {
            (count, start) = wide
        }
        guard count <= limits.entryCount else {
            throw ZipError(.limitExceeded, offset: end, "more than \(limits.entryCount) files")
        }
        guard start <= end else { throw ZipError(.malformed, offset: end, "its directory is outside the file") }
        var entries: [Entry] = []
        var place = start
        for _ in 0..<count {
            // An encrypted directory (7.3) has only a header.
            guard place + 4 > end || long(place) != 0x0806_4B50 else {
                throw ZipError(.encrypted, offset: place, "the archive and its directory are encrypted")
            }
            guard place + 46 <= end, long(place) == 0x0201_4B50 else {
                throw ZipError(.malformed, offset: place, "its directory is damaged")
            }
            let nameLength = word(place + 28)
            let next = place + 46 + nameLength + word(place + 30) + word(place + 32)
            guard next <= end else { throw ZipError(.malformed, offset: place, "its directory is damaged") }
            let name = String(decoding: bytes[(place + 46)..<(place + 46 + nameLength)], as: UTF8.self)
                .replacing("\\", with: "/")
            if name.last != "/" {
                var sizes = [long(place + 24), long(place + 20), long(place + 42)]
                let extra = (place + 46 + nameLength)..<(place + 46 + nameLength + word(place + 30))
                Self.widen(&sizes, by: bytes[extra])
                entries.append(
                    Entry(
                        name: name, byteCount: sizes[0],
                        isEncrypted: word(place + 8) & 1 == 1 || word(place + 10) == Self.methodOfAES,
                        compressedByteCount: sizes[1],
                        method: UInt16(word(place + 10)), checksum: UInt32(long(place + 16)), offset: sizes[2]))
            }
            place = next
        }
        self.entries = entries
        let names = entries.map(\.name)
        numbers = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        foldedNumbers = Dictionary(
            zip(names.map { $0.lowercased() }, names.indices), uniquingKeysWith: { first, _ in first })
    }

    /// Returns an eight-byte number, clamped to the largest possible offset.
    private static func wide(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) & 0xFFFF_FFFF_FFFF
    }

    /// Returns the number of files and the start of the directory of a ZIP64 archive, or `nil` (APPNOTE 4.3.14,
    /// 4.3.15).
    private static func wideDirectory(in bytes: [UInt8], before end: Int) -> (count: Int, start: Int)? {
        guard end >= 20, bytes[(end - 20)..<(end - 16)] == [0x50, 0x4B, 6, 7] else { return nil }
        let record = wide(bytes[(end - 12)...])
        guard record <= end - 76, bytes[record..<(record + 4)] == [0x50, 0x4B, 6, 6] else { return nil }
        return (wide(bytes[(record + 32)...]), wide(bytes[(record + 48)...]))
    }

    /// Replaces lengths and an offset too large for their record by those of an extra field (APPNOTE 4.5.3).
    private static func widen(_ sizes: inout [Int], by extra: ArraySlice<UInt8>) {
        var place = extra.startIndex
        while extra.endIndex - place >= 4 {
            let id = Int(extra[place]) | Int(extra[place + 1]) << 8
            let length = Int(extra[place + 2]) | Int(extra[place + 3]) << 8
            place += 4
            guard length <= extra.endIndex - place else { return }
            if id == 1 {
                var at = place
                for index in sizes.indices where sizes[index] == 0xFFFF_FFFF {
                    guard at + 8 <= place + length else { return }
                    sizes[index] = wide(extra[at...])
                    at += 8
                }
                return
            }
            place += length
        }
    }

    /// Returns the start of the end-of-directory record, or `nil`.
    private static func directoryEnd(in bytes: [UInt8]) -> Int? {
        // A comment of up to 65,535 bytes may follow.
        var place = bytes.count - 22
        let lowest = max(0, place - 65_535)
        while place >= lowest, place >= 0 {
            if bytes[place] == 0x50, bytes[place + 1] == 0x4B, bytes[place + 2] == 5, bytes[place + 3] == 6 {
                return place
            }
            place -= 1
        }
        return nil
    }

    /// Returns the file with a name, or `nil`.
    ///
    /// Case is ignored only if no name matches exactly.
    package func entry(named name: String) -> Entry? {
        (numbers[name] ?? foldedNumbers[name.lowercased()]).map { entries[$0] }
    }

    /// The method number for content encrypted by AES (WinZip AE-1, AE-2).
    private static let methodOfAES = 99

    /// The names of unsupported methods (4.4.5).
    private static let methods: [UInt16: String] = [
        1: "Shrink", 6: "Implode", 9: "Deflate64", 12: "bzip2", 14: "LZMA", 20: "Zstandard", 93: "Zstandard", 95: "XZ",
        96: "JPEG", 97: "WavPack", 98: "PPMd",
    ]

    /// Returns a reader for the content of a file.
    ///
    /// - Throws: ``ZipError`` if the file is not supported, or exceeds the limits according to the directory.
    package func reader(of entry: Entry) throws(ZipError) -> ZipContentReader {
        try ZipContentReader(entry, packed: packed(of: entry))
    }

    /// Returns the content of a file.
    ///
    /// - Complexity: O(*n*) in the length of the content.
    package func content(of entry: Entry) throws(ZipError) -> [UInt8] {
        let compressed = try packed(of: entry)
        guard
            let content = entry.method == 0
                ? Array(compressed) : Inflater.inflate(compressed, byteCount: entry.byteCount)
        else { throw ZipError(.malformed, offset: compressed.startIndex, "cannot decompress '\(entry.name)'") }
        guard content.count == entry.byteCount, Inflater.checksum(of: content[...]) == entry.checksum else {
            throw .damaged(entry, at: compressed.startIndex)
        }
        return content
    }

    /// Returns the bytes of a file in the archive, stored or deflated.
    private func packed(of entry: Entry) throws(ZipError) -> ArraySlice<UInt8> {
        let offset = min(entry.offset, bytes.count)
        guard !entry.isEncrypted else {
            throw ZipError(.encrypted, offset: offset, "the archive is encrypted: '\(entry.name)' needs a password")
        }
        guard entry.byteCount <= limits.byteCount else {
            throw ZipError(.limitExceeded, offset: offset, "'\(entry.name)' exceeds \(limits.byteCount) bytes")
        }
        guard entry.byteCount <= (1 << 20) + min(entry.compressedByteCount, bytes.count) * limits.ratio else {
            throw ZipError(
                .limitExceeded, offset: offset, "'\(entry.name)' exceeds the compression ratio limit of \(limits.ratio)"
            )
        }
        guard offset + 30 <= bytes.count, bytes[offset..<(offset + 4)] == [0x50, 0x4B, 3, 4] else {
            throw ZipError(.malformed, offset: offset, "'\(entry.name)' is not at the position in the directory")
        }
        func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        let start = offset + 30 + word(offset + 26) + word(offset + 28)
        guard start <= bytes.count, entry.compressedByteCount <= bytes.count - start else {
            throw ZipError(.malformed, offset: offset, "'\(entry.name)' ends outside the archive")
        }
        guard [0, 8].contains(entry.method) else {
            let method = Self.methods[entry.method].map { "\($0) (method \(entry.method))" } ?? "method \(entry.method)"
            throw ZipError(
                .unsupported, offset: offset,
                "'\(entry.name)' is compressed by \(method), which is not supported; use Deflate")
        }
        return bytes[start..<(start + entry.compressedByteCount)]
    }
}

/// The reason why an archive or a file in it cannot be read.
package struct ZipError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Hashable, Sendable {
        /// The archive is invalid or damaged.
        case malformed
        /// The archive uses an unsupported feature.
        case unsupported
        /// The content is encrypted.
        case encrypted
        /// A limit is exceeded.
        case limitExceeded
    }

    /// The kind of failure.
    package let code: Code
    /// The byte offset.
    package let offset: Int
    /// The message.
    package let detail: String

    init(_ code: Code, offset: Int, _ detail: String) {
        self.code = code
        self.offset = offset
        self.detail = detail
    }

    static func damaged(_ entry: ZipArchive.Entry, at offset: Int) -> ZipError {
        ZipError(.malformed, offset: offset, "'\(entry.name)' is damaged: wrong checksum")
    }

    /// The offset and the message, in one line.
    package var description: String { "byte \(offset): \(detail)" }
}

/// The checksum of ZIP archives (ISO 3309), also used for other files.
package enum CRC32 {
    /// Returns the checksum of bytes.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 { Inflater.checksum(of: bytes) }
}
