#if canImport(CPNGShim)
/// The symbol of a length or a distance, and the bits that follow it (RFC 1951, section 3.2.5).
struct DeflateSymbol {
    /// The symbol at the end of a block.
    static let end = 256
    /// The largest distance of a repetition, in bytes (RFC 1951, section 2).
    static let largestDistance = 1 << 15

    let number: Int
    /// The bits after the symbol, and how many there are.
    let extra: Int, extraCount: Int

    /// The symbols of the lengths 0 to 258; those below three are never used.
    static let ofLength = (0...258).map { length in
        guard length < 258 else { return DeflateSymbol(number: 285, extra: 0, extraCount: 0) }
        return DeflateSymbol(max(length - 3, 0), classes: 4, first: 257)
    }

    /// Creates the symbol of a distance.
    ///
    /// - Parameter distance: 1 to 32,768 bytes.
    init(distance: Int) { self.init(distance - 1, classes: 2, first: 0) }

    private init(number: Int, extra: Int, extraCount: Int) {
        (self.number, self.extra, self.extraCount) = (number, extra, extraCount)
    }

    /// Creates a symbol; for each power of two there are `classes` symbols, whose extra bits are the rest of the value.
    private init(_ value: Int, classes: Int, first: Int) {
        let highest = value < classes ? 0 : Int.bitWidth - 1 - value.leadingZeroBitCount
        let extraCount = value < classes ? 0 : highest - classes.trailingZeroBitCount
        self.init(
            number: first + value >> extraCount + classes * extraCount, extra: value & (1 << extraCount - 1),
            extraCount: extraCount)
    }

    /// Returns the symbol and what follows it in a code.
    func word(_ code: HuffmanCode) -> CodeWord { code.words[number] + CodeWord(UInt64(extra), extraCount) }
}

/// A step in the list of code lengths: one length, or a repeated one (RFC 1951, section 3.2.7).
struct LengthStep {
    let symbol: Int
    let extra: Int, extraCount: Int

    /// The order in which the lengths of the steps' own code are written.
    static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// Returns the steps of some lengths.
    static func steps(of lengths: [UInt8]) -> [LengthStep] {
        var steps: [LengthStep] = [], index = 0
        while index < lengths.count {
            let length = lengths[index], count = lengths[index...].prefix { $0 == length }.count
            if length == 0, count >= 3 {
                let count = min(count, 138)
                steps.append(
                    count < 11
                        ? LengthStep(symbol: 17, extra: count - 3, extraCount: 3)
                        : LengthStep(symbol: 18, extra: count - 11, extraCount: 7))
                index += count
            } else if index > 0, lengths[index - 1] == length, count >= 3 {
                let count = min(count, 6)
                steps.append(LengthStep(symbol: 16, extra: count - 3, extraCount: 2))
                index += count
            } else {
                steps.append(LengthStep(symbol: Int(length), extra: 0, extraCount: 0))
                index += 1
            }
        }
        return steps
    }
}
#endif
