import PortolanRaster
import PortolanText
import Synchronization

/// A cache of decoded glyph ranges, so that the same bytes are read once.
final class GlyphRangeCache: TrimmableCache {
    private struct Entry {
        let bytes: [UInt8]
        let range: GlyphRange
    }

    private struct State {
        /// The ranges by address, and the addresses in the order of their last use.
        var entries: [String: Entry] = [:]
        var order: [String] = []
        var byteCount = 0
        /// The ranges of the most recent picture.
        var last: GlyphRanges?

        mutating func use(_ address: String) {
            if let place = order.lastIndex(of: address) { order.remove(at: place) }
            order.append(address)
        }

        mutating func trim(to limit: Int) {
            while byteCount > limit, !order.isEmpty {
                let address = order.removeFirst()
                byteCount -= entries.removeValue(forKey: address)?.range.byteCount ?? 0
            }
        }
    }

    private static let byteBudget = 64 << 20

    private let state = Mutex(State())

    /// Returns the range in a document.
    ///
    /// - Parameters:
    ///   - address: the address of the document.
    ///   - start: the first character of the range.
    /// - Throws: ``GlyphRangeError`` if the document is invalid. Failures are not cached.
    /// - Complexity: O(bytes).
    func range(_ bytes: [UInt8], at address: String, start: UInt32) throws(GlyphRangeError) -> GlyphRange {
        let known = state.withLock { state in
            guard let entry = state.entries[address], entry.bytes == bytes else { return nil as GlyphRange? }
            state.use(address)
            return entry.range
        }
        if let known { return known }
        let range = try GlyphRange(bytes, start: start)
        state.withLock { state in
            state.byteCount -= state.entries[address]?.range.byteCount ?? 0
            state.entries[address] = Entry(bytes: bytes, range: range)
            state.byteCount += range.byteCount
            state.use(address)
            state.trim(to: Self.byteBudget)
        }
        return range
    }

    /// Returns a set of ranges, the same object for the same ranges as in the most recent picture, so that shaped texts
    /// stay in their cache.
    func ranges(_ stacks: GlyphRanges.Stacks) -> GlyphRanges {
        state.withLock { state in
            if let last = state.last, last.isSame(as: stacks) { return last }
            let ranges = GlyphRanges(stacks)
            state.last = ranges
            return ranges
        }
    }

    var byteCount: Int { state.withLock(\.byteCount) }

    func trim(to byteCount: Int) {
        state.withLock { state in
            state.trim(to: byteCount)
            state.last = nil
        }
    }
}
