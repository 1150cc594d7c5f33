/// A ZIP archive in memory (PKWARE APPNOTE 6.3): its directory, and the contents of its files within limits.
///
/// Read are archives of one disk, ZIP64 among them, whose files are stored or deflated. Encrypted files are listed, and refused
/// when their content is asked for. Names are given as they stand; nothing is ever written under them.
package struct ZipArchive: Sendable {
    /// A file of the archive.
    package struct Entry: Hashable, Sendable {
        /// The path, with slashes between its parts.
        package let name: String
        /// The length of the content as the directory has it.
        package let byteCount: Int
        /// Whether its content is encrypted, by PKWARE's methods or by AES.
        package let isEncrypted: Bool
        fileprivate let compressedByteCount: Int
        let method: UInt16
        let checksum: UInt32
        fileprivate let offset: Int
    }

    /// What archives of strangers are held to.
    package struct Limits: Hashable, Sendable {
        /// The most files.
        package var entryCount: Int
        /// The most bytes of one content.
        package var byteCount: Int
        /// How many times as long as its compressed bytes a content may be, beyond a first mebibyte.
        package var ratio: Int

        package init(entryCount: Int = 65_535, byteCount: Int = 512 << 20, ratio: Int = 200) {
            self.entryCount = entryCount
            self.byteCount = byteCount
            self.ratio = ratio
        }
    }

    /// The files in the order of the directory; folders are none.
    package let entries: [Entry]
    /// The first file of each name, as it stands and in small letters.
    private let numbers: [String: Int], foldedNumbers: [String: Int]
    private let bytes: [UInt8]
    private let limits: Limits

    /// Reads the directory of an archive.
    ///
    /// - Complexity: linear in the directory.
    package init(_ bytes: [UInt8], limits: Limits = Limits()) throws(ZipError) {
        self.bytes = bytes
        self.limits = limits
        guard let end = Self.directoryEnd(in: bytes) else {
            throw ZipError(.malformed, offset: bytes.count, "it has no directory at its end: it is not whole")
        }
        func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        func long(_ offset: Int) -> Int { word(offset) | word(offset + 2) << 16 }
        // Of ZIP64 the numbers of disks may stand in its own record.
        guard [0, 0xFFFF].contains(word(end + 4)), [0, 0xFFFF].contains(word(end + 6)), word(end + 8) == word(end + 10)
        else { throw ZipError(.unsupported, offset: end, "it is one part of a split archive; join the parts first") }
        var count = word(end + 10), start = long(end + 16)
        if count == 0xFFFF || start == 0xFFFF_FFFF, let wide = Self.wideDirectory(in: bytes, before: end) {
            (count, start) = wide
        }
        guard count <= limits.entryCount else {
            throw ZipError(.limitExceeded, offset: end, "more than \(limits.entryCount) files")
        }
        guard start <= end else { throw ZipError(.malformed, offset: end, "its directory lies beyond its end") }
        var entries: [Entry] = []
        var place = start
        for _ in 0..<count {
            // Of an encrypted directory (7.3) there is a header alone.
            guard place + 4 > end || long(place) != 0x0806_4B50 else {
                throw ZipError(.encrypted, offset: place, "the archive is encrypted, its directory too")
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

    /// A number of eight bytes, as large as any offset here can be.
    private static func wide(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) & 0xFFFF_FFFF_FFFF
    }

    /// How many files a ZIP64 archive has, and where their directory begins; `nil` where it is none (APPNOTE 4.3.14, 4.3.15).
    private static func wideDirectory(in bytes: [UInt8], before end: Int) -> (count: Int, start: Int)? {
        guard end >= 20, bytes[(end - 20)..<(end - 16)] == [0x50, 0x4B, 6, 7] else { return nil }
        let record = wide(bytes[(end - 12)...])
        guard record <= end - 76, bytes[record..<(record + 4)] == [0x50, 0x4B, 6, 6] else { return nil }
        return (wide(bytes[(record + 32)...]), wide(bytes[(record + 48)...]))
    }

    /// Replaces lengths and offset that are too wide for their record by those of an extra field (APPNOTE 4.5.3).
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

    /// Where the record at the end of the directory begins, or `nil`.
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

    /// The file of a name, letters' case aside where none has it so; `nil` where there is none.
    package func entry(named name: String) -> Entry? {
        (numbers[name] ?? foldedNumbers[name.lowercased()]).map { entries[$0] }
    }

    /// The number that stands for a method where the content is encrypted by AES (WinZip AE-1, AE-2).
    private static let methodOfAES = 99

    /// The names of methods (4.4.5) that are not read.
    private static let methods: [UInt16: String] = [
        1: "Shrink", 6: "Implode", 9: "Deflate64", 12: "bzip2", 14: "LZMA", 20: "Zstandard", 93: "Zstandard", 95: "XZ",
        96: "JPEG", 97: "WavPack", 98: "PPMd",
    ]

    /// Reads the content of a file piece by piece.
    ///
    /// - Throws: if the file cannot be read at all, or exceeds the limits by what the directory says.
    package func reader(of entry: Entry) throws(ZipError) -> ZipContentReader {
        try ZipContentReader(entry, packed: packed(of: entry))
    }

    /// The content of a file.
    ///
    /// - Complexity: linear in the content.
    package func content(of entry: Entry) throws(ZipError) -> [UInt8] {
        let compressed = try packed(of: entry)
        guard
            let content = entry.method == 0
                ? Array(compressed) : Inflater.inflate(compressed, byteCount: entry.byteCount)
        else { throw ZipError(.malformed, offset: compressed.startIndex, "'\(entry.name)' cannot be unpacked") }
        guard content.count == entry.byteCount, Inflater.checksum(of: content[...]) == entry.checksum else {
            throw .damaged(entry, at: compressed.startIndex)
        }
        return content
    }

    /// The bytes of a file as they lie in the archive, stored or deflated.
    private func packed(of entry: Entry) throws(ZipError) -> ArraySlice<UInt8> {
        let offset = min(entry.offset, bytes.count)
        guard !entry.isEncrypted else {
            throw ZipError(.encrypted, offset: offset, "the archive is encrypted: '\(entry.name)' needs a password")
        }
        guard entry.byteCount <= limits.byteCount else {
            throw ZipError(.limitExceeded, offset: offset, "'\(entry.name)' is longer than \(limits.byteCount) bytes")
        }
        guard entry.byteCount <= (1 << 20) + min(entry.compressedByteCount, bytes.count) * limits.ratio else {
            throw ZipError(
                .limitExceeded, offset: offset, "'\(entry.name)' becomes more than \(limits.ratio) times as long")
        }
        guard offset + 30 <= bytes.count, bytes[offset..<(offset + 4)] == [0x50, 0x4B, 3, 4] else {
            throw ZipError(.malformed, offset: offset, "'\(entry.name)' is not where the directory has it")
        }
        func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        let start = offset + 30 + word(offset + 26) + word(offset + 28)
        guard start <= bytes.count, entry.compressedByteCount <= bytes.count - start else {
            throw ZipError(.malformed, offset: offset, "'\(entry.name)' ends behind the archive")
        }
        guard [0, 8].contains(entry.method) else {
            let method = Self.methods[entry.method].map { "\($0) (method \(entry.method))" } ?? "method \(entry.method)"
            throw ZipError(
                .unsupported, offset: offset,
                "'\(entry.name)' is packed by \(method), which is not read; pack it again by Deflate")
        }
        return bytes[start..<(start + entry.compressedByteCount)]
    }
}

/// Why an archive, or a file of it, cannot be read.
package struct ZipError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of failure.
    package enum Code: Hashable, Sendable {
        /// It is no archive, or damaged.
        case malformed
        /// It uses a part of the format that is not read.
        case unsupported
        /// It is encrypted.
        case encrypted
        /// One of the limits is exceeded.
        case limitExceeded
    }

    /// What kind of failure it is.
    package let code: Code
    /// The byte.
    package let offset: Int
    /// What is wrong.
    package let detail: String

    init(_ code: Code, offset: Int, _ detail: String) {
        self.code = code
        self.offset = offset
        self.detail = detail
    }

    static func damaged(_ entry: ZipArchive.Entry, at offset: Int) -> ZipError {
        ZipError(.malformed, offset: offset, "'\(entry.name)' is damaged: its checksum differs")
    }

    /// The place and what is wrong, in one line.
    package var description: String { "byte \(offset): \(detail)" }
}

/// The checksum of ZIP archives (ISO 3309), for other files as well.
package enum CRC32 {
    /// The checksum of bytes.
    ///
    /// - Complexity: linear in the bytes.
    package static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 { Inflater.checksum(of: bytes) }
}
