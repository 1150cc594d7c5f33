package import PortolanFetch

/// An entry as one value, with a checksum by which damage is found.
///
/// A mark, the length of the head, the sum of what follows of it, the sum of the body, the time, west, south, east and
/// north, status and delay, the number of prefix hashes and these, and the header fields; then the body. Numbers are of
/// 8 bytes, the least significant first, but for the length, of 4, and the number of hashes, of 1.
package struct StoredValue {
    private static let mark = Array("PTL1".utf8)
    private static let sumEnd = 16, placeBegin = 24, fixedByteCount = 81

    /// The longest head that is written.
    static let maximumHeadByteCount = 1 << 16

    /// Bytes from the beginning in which the place is found.
    static let placeByteCount = fixedByteCount + 24 * 8

    /// The value of an entry; nil when its header fields are too long.
    package static func bytes(of entry: StoredResponse, for key: StoreKey, at place: Place) -> [UInt8]? {
        var head: [UInt8] = []
        append(entry.bodySum(for: key), to: &head)
        append(entry.responseTime, to: &head)
        for index in 0..<4 { append((place.bounds?[index] ?? .nan).bitPattern, to: &head) }
        append(entry.status, to: &head)
        append(entry.delay, to: &head)
        head.append(UInt8(place.prefixes.count / 8))
        head += place.prefixes
        head += entry.headerText.utf8
        let count = sumEnd + head.count
        guard count <= maximumHeadByteCount else { return nil }
        var bytes = mark
        bytes.reserveCapacity(count + entry.body.count)
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
        append(headSum(head, key), to: &bytes)
        return bytes + head + entry.body
    }

    /// The entry that a value was made of; nil when it is damaged, or another's.
    package static func entry(in bytes: [UInt8], for key: StoreKey) -> StoredResponse? {
        guard bytes.count >= fixedByteCount, bytes.starts(with: mark) else { return nil }
        let count = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << ($1 * 8) }
        let textBegin = fixedByteCount + Int(bytes[fixedByteCount - 1]) * 8
        guard textBegin <= count, count <= min(bytes.count, maximumHeadByteCount),
            headSum(Array(bytes[sumEnd..<count]), key) == word(bytes, 8)
        else { return nil }
        let entry = StoredResponse(
            status: integer(bytes, 64),
            headers: StoredResponse.headers(in: String(decoding: bytes[textBegin..<count], as: UTF8.self)),
            body: Array(bytes[count...]), responseTime: integer(bytes, placeBegin), delay: integer(bytes, 72))
        return entry.bodySum(for: key) == word(bytes, sumEnd) ? entry : nil
    }

    /// Whether the body of the value that begins so is the entry's.
    package static func isBody(of entry: StoredResponse, for key: StoreKey, inValueBeginning bytes: [UInt8]) -> Bool {
        bytes.count >= fixedByteCount && entry.bodySum(for: key) == word(bytes, sumEnd)
    }

    private static func headSum(_ head: [UInt8], _ key: StoreKey) -> UInt64 {
        Checksum.of(head, seed: Checksum.of(key.bytes, seed: 1))
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private static func word(_ bytes: [UInt8], _ begin: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[begin + $1]) << UInt64($1 * 8) }
    }

    private static func integer(_ bytes: [UInt8], _ begin: Int) -> Int { Int(truncatingIfNeeded: word(bytes, begin)) }
}

extension StoredValue {
    /// By what an entry is found without its address: see ``StoreSelection``.
    package struct Place: Hashable {
        /// The time it came or was last confirmed, in seconds since 1970.
        package var time = 0
        /// Hashes of 8 bytes each: see ``StoreKey/prefixHashes(of:)``.
        package var prefixes: [UInt8] = []
        /// West, south, east and north, in degrees.
        package var bounds: [Double]?

        package init(_ place: StorePlace) {
            prefixes = StoreKey.prefixHashes(of: place.url)
            bounds = place.bounds
        }

        /// Reads the beginning of a value; nil when it is none.
        package init?(beginning bytes: [UInt8]) {
            guard bytes.count >= fixedByteCount, bytes.starts(with: mark) else { return nil }
            let end = fixedByteCount + Int(bytes[fixedByteCount - 1]) * 8
            guard end <= bytes.count else { return nil }
            time = integer(bytes, placeBegin)
            let sides = (0..<4).map { Double(bitPattern: word(bytes, placeBegin + 8 + $0 * 8)) }
            bounds = sides.contains(where: \.isNaN) ? nil : sides
            prefixes = Array(bytes[fixedByteCount..<end])
        }

        /// Whether a selection names it.
        package func isNamed(by selection: StoreSelection) -> Bool {
            if let before = selection.before, time >= before { return false }
            if let wanted = selection.bounds, wanted.count == 4 {
                guard let bounds, bounds[0] < wanted[2], bounds[2] > wanted[0], bounds[1] < wanted[3],
                    bounds[3] > wanted[1]
                else { return false }
            }
            guard let prefix = selection.prefix else { return true }
            guard let wanted = StoreKey.prefixHash(prefix) else { return false }
            return stride(from: 0, to: prefixes.count, by: 8).contains {
                prefixes[$0..<min($0 + 8, prefixes.count)].elementsEqual(wanted)
            }
        }
    }
}
