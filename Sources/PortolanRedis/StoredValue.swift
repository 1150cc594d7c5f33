package import PortolanFetch

/// An entry as a single value, with checksums to detect damage.
///
/// Layout: a signature, the header length, the checksum of the following header, the checksum of the body, the time,
/// west, south, east and north, status and delay, the number of prefix hashes and the hashes, and the header fields;
/// then the body. Numbers have 8 bytes, least significant first, except for the length with 4 and the number of hashes
/// with 1.
package struct StoredValue {
    private static let mark = Array("PTL1".utf8)
    private static let sumEnd = 16, placeBegin = 24, fixedByteCount = 81

    /// The maximum size of a written header.
    static let maximumHeadByteCount = 1 << 16

    /// The size of the start of a value that contains its location.
    static let placeByteCount = fixedByteCount + 24 * 8

    /// Returns the value of an entry, or `nil` if its header fields are too long.
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

    /// Returns the entry of a value, or `nil` if it is damaged or has another key.
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

    /// Returns whether a value that begins with these bytes has the body of the entry.
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
    /// The location of an entry, by which it can be selected: see ``StoreSelection``.
    package struct Place: Hashable {
        /// The time at which it was received or last revalidated, in seconds since 1970.
        package var time = 0
        /// Hashes of 8 bytes each: see ``StoreKey/prefixHashes(of:)``.
        package var prefixes: [UInt8] = []
        /// West, south, east and north in degrees.
        package var bounds: [Double]?

        package init(_ place: StoredResponse.Location) {
            prefixes = StoreKey.prefixHashes(of: place.url)
            bounds = place.bounds
        }

        /// Reads the start of a value, or returns `nil` if it is invalid.
        package init?(beginning bytes: [UInt8]) {
            guard bytes.count >= fixedByteCount, bytes.starts(with: mark) else { return nil }
            let end = fixedByteCount + Int(bytes[fixedByteCount - 1]) * 8
            guard end <= bytes.count else { return nil }
            time = integer(bytes, placeBegin)
            let sides = (0..<4).map { Double(bitPattern: word(bytes, placeBegin + 8 + $0 * 8)) }
            bounds = sides.contains(where: \.isNaN) ? nil : sides
            prefixes = Array(bytes[fixedByteCount..<end])
        }

        /// Returns whether a selection includes it.
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
