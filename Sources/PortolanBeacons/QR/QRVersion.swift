extension QRCode {
    /// The error correction level of a QR code: the fraction of the code that may be damaged.
    public enum Correction: String, Hashable, Sendable, CaseIterable {
        /// About 7 %.
        case low = "L"
        /// About 15 %.
        case medium = "M"
        /// About 25 %.
        case quartile = "Q"
        /// About 30 %.
        case high = "H"

        /// The two bits of the format information (ISO/IEC 18004:2015, table 12).
        var formatBits: Int {
            switch self {
            case .low: 1
            case .medium: 0
            case .quartile: 3
            case .high: 2
            }
        }

        var index: Int {
            switch self {
            case .low: 0
            case .medium: 1
            case .quartile: 2
            case .high: 3
            }
        }
    }
}

/// The versions of QR codes, 1 to 10, and the division of their bytes into blocks (ISO/IEC 18004:2015, tables 1, 9 and
/// E.1).
struct QRVersion: Hashable, Sendable {
    static let all = (1...10).map { QRVersion(number: $0) }

    let number: Int

    /// The number of modules along a side.
    var side: Int { 17 + 4 * number }

    /// The number of bits of the byte count.
    var countBits: Int { number < 10 ? 8 : 16 }

    private static let totals = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346]
    /// The number of error correction bytes of each block and the number of blocks, by level.
    private static let blocks: [[(Int, Int)]] = [
        [(7, 1), (10, 1), (13, 1), (17, 1)], [(10, 1), (16, 1), (22, 1), (28, 1)],
        [(15, 1), (26, 1), (18, 2), (22, 2)], [(20, 1), (18, 2), (26, 2), (16, 4)],
        [(26, 1), (24, 2), (18, 4), (22, 4)], [(18, 2), (16, 4), (24, 4), (28, 4)],
        [(20, 2), (18, 4), (18, 6), (26, 5)], [(24, 2), (22, 4), (22, 6), (26, 6)],
        [(30, 2), (22, 5), (20, 8), (24, 8)], [(18, 4), (26, 5), (24, 8), (28, 8)],
    ]

    /// Returns the number of error correction bytes of each block.
    func correctionByteCount(_ correction: QRCode.Correction) -> Int { Self.blocks[number - 1][correction.index].0 }

    /// Returns the number of data bytes of each block.
    ///
    /// Shorter blocks come first.
    func dataByteCounts(_ correction: QRCode.Correction) -> [Int] {
        let (each, count) = Self.blocks[number - 1][correction.index]
        let data = Self.totals[number - 1] - each * count
        return (0..<count).map { data / count + ($0 >= count - data % count ? 1 : 0) }
    }

    /// Returns the maximum number of message bytes, without mode and count.
    func capacity(_ correction: QRCode.Correction) -> Int {
        dataByteCounts(correction).reduce(0, +) - (4 + countBits + 7) / 8
    }

    /// The centre coordinates of alignment patterns along both axes.
    var alignmentPlaces: [Int] {
        switch number {
        case 1: []
        case 2...6: [6, side - 7]
        default: [6, (side - 1) / 2, side - 7]
        }
    }
}

/// Arithmetic in GF(256) modulo x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004:2015, section 7.5.2).
enum ReedSolomon {
    private static let powers: [UInt8] = {
        var value = 1
        return (0..<255).map { _ in
            defer { value = value << 1 ^ (value > 127 ? 0x11D : 0) }
            return UInt8(value)
        }
    }()
    private static let logarithms: [Int] = {
        var all = Array(repeating: 0, count: 256)
        for (power, value) in powers.enumerated() { all[Int(value)] = power }
        return all
    }()

    static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        a == 0 || b == 0 ? 0 : powers[(logarithms[Int(a)] + logarithms[Int(b)]) % 255]
    }

    /// Returns the error correction bytes of data.
    ///
    /// - Complexity: O(data × count).
    static func correction(of data: [UInt8], count: Int) -> [UInt8] {
        // The product of (x - 2ⁱ) without its highest power.
        var divisor = Array(repeating: UInt8(0), count: count - 1) + [1]
        for power in 0..<count {
            for index in 0..<count {
                divisor[index] = product(divisor[index], powers[power]) ^ (index + 1 < count ? divisor[index + 1] : 0)
            }
        }
        var rest = Array(repeating: UInt8(0), count: count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for index in 0..<count { rest[index] ^= product(divisor[index], factor) }
        }
        return rest
    }
}
