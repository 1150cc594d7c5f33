/// An index of distinct texts, numbered in order of insertion.
struct TextIndex: Sendable {
    private(set) var texts: TextColumn
    /// The text number of each hash slot, or -1.
    private var slots: [Int32]
    /// A random seed, so that no feed can provoke collisions.
    private static let seed = UInt64.random(in: 0 ... .max)
    private static let factor = UInt64.random(in: 0 ... .max) | 1

    init() { self.init(TextColumn()) }

    /// Indexes texts.
    ///
    /// Of equal ones the first is found.
    ///
    /// - Complexity: linear in the number of texts.
    init(_ texts: TextColumn) {
        self.texts = texts
        slots = []
        rebuild(count: 16)
    }

    var count: Int { texts.count }

    /// The approximate memory in bytes while texts are added.
    var memory: Int { 2 * texts.bytes.count + 24 * count }

    @inline(__always)
    private static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var hash = seed, place = range.lowerBound
        while range.upperBound &- place >= 8 {
            let eight = bytes.extracting(place..<(place &+ 8))
            guard eight.count >= 8 else { break }
            let low =
                UInt64(eight[0]) | UInt64(eight[1]) << 8 | UInt64(eight[2]) << 16 | UInt64(eight[3]) << 24
            let high =
                UInt64(eight[4]) | UInt64(eight[5]) << 8 | UInt64(eight[6]) << 16 | UInt64(eight[7]) << 24
            hash = (hash ^ low ^ high << 32) &* factor
            hash ^= hash >> 32
            place &+= 8
        }
        while place < range.upperBound {
            hash = (hash ^ UInt64(bytes[place])) &* factor
            place &+= 1
        }
        // Multiplication only propagates bits upwards, so the low bits are not used.
        return Int(truncatingIfNeeded: (hash ^ (hash >> 32)) &* 0x9E37_79B9_7F4A_7C15 >> 20)
    }

    /// Returns the slot of a text, or the empty slot where it should be inserted.
    @inline(__always)
    private func slot(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        let mask = slots.count &- 1
        var slot = Self.hash(bytes, range) & mask
        while true {
            let number = slots[slot]
            if number < 0 { return slot }
            let own = texts.range(of: Int(number))
            if own.count == range.count {
                var offset = 0
                while offset < own.count,
                    texts.bytes[own.lowerBound &+ offset] == bytes[range.lowerBound &+ offset]
                {
                    offset &+= 1
                }
                if offset == own.count { return slot }
            }
            slot = (slot &+ 1) & mask
        }
    }

    /// Returns the number of the text in a range of bytes, or -1.
    func number(of bytes: [UInt8], in range: Range<Int>) -> Int32 { slots[slot(bytes.span, range)] }

    /// Returns the number of the text in a range of bytes, or -1.
    ///
    /// The probable number is tried first.
    @inline(__always)
    func number(of bytes: [UInt8], in range: Range<Int>, probably number: Int32) -> Int32 {
        if number >= 0, Int(number) < texts.count {
            let own = texts.range(of: Int(number))
            if own.count == range.count {
                let a = texts.bytes.span.extracting(own), b = bytes.span.extracting(range)
                var place = 0
                while place < a.count, place < b.count, a[place] == b[place] { place &+= 1 }
                if place == own.count { return number }
            }
        }
        return self.number(of: bytes, in: range)
    }

    /// Returns the number of a text, or `nil`.
    func number(of text: String) -> Int? {
        let bytes = Array(text.utf8), number = number(of: bytes, in: bytes.indices)
        return number < 0 ? nil : Int(number)
    }

    /// Inserts a text unless it exists, and returns its number and whether it is new.
    @discardableResult
    mutating func insert(_ bytes: [UInt8], in range: Range<Int>) -> (number: Int32, isNew: Bool) {
        let slot = slot(bytes.span, range)
        if slots[slot] >= 0 { return (slots[slot], false) }
        let number = Int32(texts.append(bytes[range]))
        slots[slot] = number
        if texts.count * 2 > slots.count { rebuild(count: slots.count * 4) }
        return (number, true)
    }

    private mutating func rebuild(count least: Int) {
        var count = least
        while count < texts.count * 2 { count *= 2 }
        slots = [Int32](repeating: -1, count: count)
        let texts = self.texts
        for number in 0..<texts.count {
            let slot = slot(texts.bytes.span, texts.range(of: number))
            if slots[slot] < 0 { slots[slot] = Int32(number) }
        }
    }
}
