#if canImport(CPNGShim)
/// A picture as runs of pixels that repeat the pixel to their left or those above them, and the pixels between the runs.
///
/// With flat colours nearly all pixels repeat others, and finding them so takes a fraction of the time that a search for
/// any repeated bytes takes.
struct PixelRuns {
    /// What follows in a row.
    enum Run: UInt32 {
        /// Pixels that repeat nothing.
        case samples
        /// Pixels that repeat the one to their left.
        case left
        /// Pixels that repeat those above them.
        case above
        /// No pixel, but the byte before each row that states its filter: none (PNG 3rd edition, clause 9).
        case filter
    }

    /// A run and the number of its pixels, in one word.
    struct Token {
        private let bits: UInt32

        @inline(__always) init(_ run: Run, _ count: Int) {
            bits = run.rawValue &<< 30 | UInt32(truncatingIfNeeded: count)
        }

        // Two bits have four values.
        @inline(__always) var run: Run { Run(rawValue: bits &>> 30) ?? .samples }
        @inline(__always) var count: Int { Int(bits & 0x3fff_ffff) }
    }

    let pixels: [UInt32]
    /// The runs from ``start`` to ``end``.
    private(set) var tokens: [Token] = []
    /// The pixels of the runs.
    private(set) var start = 0, end = 0
    private let width: Int

    /// Creates no runs yet.
    init(_ pixels: [UInt32], width: Int) { (self.pixels, self.width) = (pixels, width) }

    var isFinished: Bool { end == pixels.count }

    /// Whether most pixels are those to their left, in four stripes of sixteen rows or in all if there are no more.
    static func isFlat(_ pixels: [UInt32], width: Int) -> Bool {
        let rows = pixels.count / width, span = pixels.span, stripeCount = rows > 64 ? 4 : 1
        let length = (rows > 64 ? 16 : rows) * width
        var equalCount = 0
        for stripe in 0..<stripeCount {
            let first = rows > 64 ? stripe * (rows - 16) / 3 * width : 0
            for index in (first + 1)..<(first + length) { equalCount &+= span[index] == span[index &- 1] ? 1 : 0 }
        }
        return 2 * equalCount >= stripeCount * length
    }

    /// The pixels to the left from which on a run is an area of one colour.
    private static let areaCount = 64
    /// The tokens and samples that share a code, in whole rows.
    private static let codeCount = 1 << 16

    /// Replaces the runs by the following ones, as many as share a code well.
    mutating func advance() {
        tokens.removeAll(keepingCapacity: true)
        start = end
        let pixels = pixels, span = pixels.span
        var row = start, weight = 0
        while row < span.count, weight < Self.codeCount {
            tokens.append(Token(.filter, 0))
            let rowEnd = row &+ width, before = tokens.count
            var index = row
            while index < rowEnd {
                let pixel = span[index], rest = rowEnd &- index
                let hasLeft = index > row && span[index &- 1] == pixel
                let hasAbove = row > 0 && span[index &- width] == pixel
                if hasLeft || hasAbove {
                    let left = hasLeft ? pixels.repetition(from: index, back: 1, limit: rest) : 0
                    // A match above takes about ten bits more, so areas of one colour repeat the pixel to their left.
                    let isArea = left >= Self.areaCount || index == row && rest > 1 && span[index &+ 1] == pixel
                    let above = !hasAbove ? 0 : isArea ? 1 : pixels.repetition(from: index, back: width, limit: rest)
                    let isAbove = above > (left > 0 ? left &+ 2 : 0)
                    tokens.append(Token(isAbove ? .above : .left, isAbove ? above : left))
                    index &+= isAbove ? above : left
                } else {
                    // Up to the next pixel that repeats another one, or to the end of the row.
                    let first = index
                    repeat {
                        index &+= 1
                    } while index < rowEnd && span[index] != span[index &- 1]
                        && (row == 0 || span[index] != span[index &- width])
                    tokens.append(Token(.samples, index &- first))
                    weight &+= index &- first
                }
            }
            weight &+= 2 &* (tokens.count &- before)
            row = rowEnd
        }
        end = row
    }
}

extension [UInt32] {
    /// Returns how many elements from an index on, at most `limit`, equal those that lie some elements before them.
    @inline(__always) fileprivate func repetition(from start: Int, back: Int, limit: Int) -> Int {
        var count = 0
        while count &+ 8 <= limit, eight(at: start &+ count) == eight(at: start &+ count &- back) { count &+= 8 }
        while count < limit, self[start &+ count] == self[start &+ count &- back] { count &+= 1 }
        return count
    }

    /// Returns eight elements.
    @inline(__always) func eight(at index: Int) -> SIMD8<UInt32> {
        precondition(index >= 0 && index &+ 8 <= count, "the elements are within the array")
        // Memory safety: the eight elements were checked.
        return unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<UInt32>.self) }
    }
}
#endif
