#if canImport(CPNGShim)
/// A canonical Huffman code of limited lengths (RFC 1951, section 3.2.2).
struct HuffmanCode {
    /// The bits per symbol; 0 for symbols without a code.
    let lengths: [UInt8]
    /// The code of each symbol, as it is written.
    let words: [CodeWord]

    /// Creates the code for symbols that occur with some frequencies.
    ///
    /// A single symbol has a code of one bit; if there is none, the first one, as all decoders accept.
    ///
    /// - Parameter limit: the maximum length, enough for all symbols.
    init(frequencies: [Int], limit: Int) {
        lengths = Self.lengths(frequencies, limit: limit)
        words = Self.words(lengths)
    }

    /// The number of symbols up to the last one with a code.
    var count: Int { 1 + (lengths.lastIndex { $0 > 0 } ?? -1) }

    /// Returns the bits that all symbols take.
    func size(_ frequencies: [Int]) -> Int {
        zip(frequencies, lengths).reduce(0) { $0 + $1.0 * Int($1.1) }
    }

    private static func lengths(_ frequencies: [Int], limit: Int) -> [UInt8] {
        var lengths = [UInt8](repeating: 0, count: frequencies.count)
        let symbols = frequencies.indices.filter { frequencies[$0] > 0 }.sorted {
            (frequencies[$0], $0) < (frequencies[$1], $1)
        }
        guard symbols.count > 1 else {
            lengths[symbols.first ?? 0] = 1
            return lengths
        }
        var counts = [Int](repeating: 0, count: limit + 1)
        for depth in depths(symbols.map { frequencies[$0] }) { counts[min(depth, limit)] += 1 }
        // Until the lengths fit (Kraft's inequality), a code of the maximum length goes beside a shorter one.
        var excess = counts.indices.dropFirst().reduce(0) { $0 + counts[$1] << (limit - $1) } - 1 << limit
        while excess > 0, let length = (1..<limit).last(where: { counts[$0] > 0 }) {
            counts[limit] -= 1
            counts[length] -= 1
            counts[length + 1] += 2
            excess -= 1
        }
        var rest = symbols[...]
        for length in (1...limit).reversed() {
            for symbol in rest.prefix(counts[length]) { lengths[symbol] = UInt8(length) }
            rest = rest.dropFirst(counts[length])
        }
        return lengths
    }

    /// Returns the depth of each leaf in the tree of least weight, for at least two weights in ascending order.
    private static func depths(_ leaves: [Int]) -> [Int] {
        let count = leaves.count
        // The leaves, then the inner nodes, both in ascending order of weight.
        var weights = leaves, parents = [Int](repeating: 0, count: 2 * count - 1)
        var leaf = 0, inner = count
        for parent in count..<(2 * count - 1) {
            var sum = 0
            for _ in 0..<2 {
                let isLeaf = leaf < count && (inner == weights.count || weights[leaf] <= weights[inner])
                let child = isLeaf ? leaf : inner
                if isLeaf { leaf += 1 } else { inner += 1 }
                parents[child] = parent
                sum += weights[child]
            }
            weights.append(sum)
        }
        var depths = [Int](repeating: 0, count: 2 * count - 1)
        for node in (0..<(2 * count - 2)).reversed() { depths[node] = depths[parents[node]] + 1 }
        return Array(depths.prefix(count))
    }

    private static func words(_ lengths: [UInt8]) -> [CodeWord] {
        var next = [UInt64](repeating: 0, count: 17)
        for length in lengths where length > 0 { next[Int(length) + 1] += 1 }
        for length in 1..<17 { next[length] = (next[length] + next[length - 1]) << 1 }
        return lengths.map { length in
            guard length > 0 else { return CodeWord(0, 0) }
            let code = next[Int(length)]
            next[Int(length)] += 1
            // Codes are written from their highest bit on.
            return CodeWord((0..<UInt64(length)).reduce(0) { $0 << 1 | code >> $1 & 1 }, Int(length))
        }
    }
}

/// Some bits of a stream, the first one lowest.
struct CodeWord {
    let bits: UInt64
    let count: Int

    @inline(__always) init(_ bits: UInt64, _ count: Int) { (self.bits, self.count) = (bits, count) }

    /// Returns one word after the other, together at most 64 bits.
    @inline(__always) static func + (one: CodeWord, other: CodeWord) -> CodeWord {
        CodeWord(one.bits | other.bits &<< UInt64(truncatingIfNeeded: one.count), one.count &+ other.count)
    }
}
#endif
