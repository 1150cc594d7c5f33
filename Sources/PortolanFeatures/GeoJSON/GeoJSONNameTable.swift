/// The member names seen so far, each converted to a `String` once.
///
/// The table has a fixed size. A name whose slots are occupied is not shared, so that a hostile document can make the
/// table useless but not slow.
struct GeoJSONNameTable {
    /// The numbers of the names that GeoJSON defines.
    enum Known {
        static let type = 0, features = 1, crs = 2, bbox = 3, id = 4, properties = 5, geometry = 6, coordinates = 7
        static let geometries = 8
        static let all = [
            "type", "features", "crs", "bbox", "id", "properties", "geometry", "coordinates", "geometries",
        ]
    }

    private static let slotCount = 2048
    private static let probeLimit = 8
    static let maximumNameCount = 1024

    private var slots = [Int32](repeating: -1, count: GeoJSONNameTable.slotCount)
    private var storage: [UInt8] = []
    private var starts: [Int] = [0]
    private(set) var names: [String] = []
    /// The last successor of each name, for objects of even and of odd depth.
    private var followers = [Int32](repeating: -1, count: 2 * GeoJSONNameTable.maximumNameCount)
    private var last = 0
    /// Each name with its closing quote and colon.
    private var words: [ByteWords] = []

    init() {
        for name in Known.all {
            let bytes = Array(name.utf8)
            _ = number(of: bytes.span, 0, bytes.count) { name }
        }
    }

    /// Returns the number of the name in `text[start..<end]`, or -1 if it is not shared.
    ///
    /// `make` returns the name as a text, or `nil` if it is not valid UTF-8. It is called for unknown names only.
    @inline(__always)
    mutating func number(of text: Span<UInt8>, _ start: Int, _ end: Int, make: () -> String?) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for index in start..<end { hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01b3 }
        var slot = Int(truncatingIfNeeded: hash ^ (hash &>> 32)) & (Self.slotCount - 1)
        for _ in 0..<Self.probeLimit {
            let number = Int(slots[slot])
            if number < 0 {
                guard names.count < Self.maximumNameCount, end - start <= 64, let name = make() else { return -1 }
                slots[slot] = Int32(names.count)
                for index in start..<end { storage.append(text[index]) }
                starts.append(storage.count)
                names.append(name)
                words.append(ByteWords(storage[(storage.count - (end - start))...] + "\":".utf8))
                return names.count - 1
            }
            if equals(number, text, start, end) { return number }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return -1
    }

    /// Returns the expected name if it is at an index with its colon, and the index after the colon; otherwise `nil`.
    ///
    /// The expected name is the last successor of the previous name. Names in the table have no quotes and no escapes.
    @inline(__always)
    mutating func expected(in text: Span<UInt8>, at start: Int, depth: Int) -> (number: Int, end: Int)? {
        let number = Int(followers[2 * last + depth & 1])
        guard number >= 0 else { return nil }
        guard words[number].stands(in: text, at: start) else { return nil }
        last = number
        return (number, start &+ words[number].count)
    }

    /// Records that a name followed the previous one.
    mutating func note(_ number: Int, depth: Int) {
        followers[2 * last + depth & 1] = Int32(number)
        last = number
    }

    /// Makes an expected name the previous one.
    @inline(__always)
    mutating func pass(_ number: Int) { last = number }

    @inline(__always)
    private func equals(_ number: Int, _ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        let first = starts[number]
        guard starts[number + 1] - first == end - start else { return false }
        for index in 0..<(end - start) where storage[first + index] != text[start + index] { return false }
        return true
    }
}

/// The names in an object during reading, by their numbers in the table.
struct SeenNames {
    /// The lowest numbers, one bit each.
    private var low: UInt64 = 0
    /// The other numbers, one bit each, allocated on demand.
    private var high: [UInt64] = []
    /// Names that are not in the table.
    private var unshared: Set<String> = []
    /// Whether a name occurred twice.
    var hasDuplicates = false

    /// Inserts a name; returns `false` if it was present.
    @inline(__always)
    mutating func insert(_ number: Int) -> Bool {
        guard number < 64 else { return insert(high: number) }
        let bit = (1 as UInt64) &<< UInt64(truncatingIfNeeded: number), isNew = low & bit == 0
        low |= bit
        return isNew
    }

    private mutating func insert(high number: Int) -> Bool {
        if high.isEmpty { high = [UInt64](repeating: 0, count: GeoJSONNameTable.maximumNameCount / 64) }
        let bit = (1 as UInt64) << UInt64(number % 64), isNew = high[number / 64] & bit == 0
        high[number / 64] |= bit
        return isNew
    }

    /// Inserts a name that is not in the table; returns `false` if it was present.
    mutating func insert(unshared name: String) -> Bool { unshared.insert(name).inserted }

    /// Returns the properties for the elements of the object.
    func properties(_ elements: [Properties.Element]) -> Properties {
        hasDuplicates ? Properties(lastOf: elements) : Properties(distinct: elements)
    }

    /// Returns whether a name that GeoJSON defines is present.
    func contains(_ number: Int) -> Bool { low & 1 << UInt64(number) != 0 }
}
