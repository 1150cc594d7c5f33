/// The modules of a QR code before masking.
struct QRSheet {
    private let version: QRVersion
    private var modules: [Bool]
    /// Whether a module belongs to a function pattern rather than to the data.
    private var isFixed: [Bool]

    private var side: Int { version.side }

    /// Draws function patterns and data (ISO/IEC 18004:2015, sections 6.3 and 7.7.3).
    init(_ version: QRVersion, bits codewords: [UInt8]) {
        self.version = version
        modules = Array(repeating: false, count: version.side * version.side)
        isFixed = modules
        placePatterns()
        placeVersion()
        place(codewords)
    }

    private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard (0..<side).contains(x), (0..<side).contains(y) else { return }
        modules[y * side + x] = isDark
        isFixed[y * side + x] = true
    }

    private mutating func placePatterns() {
        for index in 0..<side {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (side - 4, 3), (3, side - 4)] {
            for dy in -4...4 {
                for dx in -4...4 {
                    let ring = max(abs(dx), abs(dy))
                    fix(x + dx, y + dy, ring != 2 && ring != 4)
                }
            }
        }
        let places = version.alignmentPlaces
        let last = places.count - 1
        for (row, y) in places.enumerated() {
            for (column, x) in places.enumerated() {
                // These positions are covered by finder patterns.
                if [[0, 0], [0, last], [last, 0]].contains([row, column]) { continue }
                for dy in -2...2 { for dx in -2...2 { fix(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) } }
            }
        }
        // Reserves the modules of the format information.
        for index in 0..<9 where index != 6 {
            fix(8, index, false)
            fix(index, 8, false)
        }
        for index in 0..<8 {
            fix(side - 1 - index, 8, false)
            fix(8, side - 1 - index, false)
        }
        fix(8, side - 8, true)
    }

    /// Draws the version information (section 7.10), which exists from version 7.
    private mutating func placeVersion() {
        guard version.number >= 7 else { return }
        let bits = Self.remainder(version.number, bits: 12, by: 0x1F25)
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            fix(side - 11 + index % 3, index / 3, isDark)
            fix(index / 3, side - 11 + index % 3, isDark)
        }
    }

    /// Draws the data in pairs of columns from the right, alternately upwards and downwards.
    private mutating func place(_ codewords: [UInt8]) {
        var bit = 0
        for right in stride(from: side - 1, through: 1, by: -2) {
            // The column of the timing pattern does not belong to a pair.
            let right = right <= 6 ? right - 1 : right
            for step in 0..<side {
                let y = (right + 1) & 2 == 0 ? side - 1 - step : step
                for x in [right, right - 1] where !isFixed[y * side + x] {
                    if bit < codewords.count * 8 {
                        modules[y * side + x] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    }
                    bit += 1
                }
            }
        }
    }

    /// Returns the modules with masked data and the format information (sections 7.8 and 7.9).
    func masked(by mask: Int, _ correction: QRCode.Correction) -> [Bool] {
        var masked = self
        for y in 0..<side {
            for x in 0..<side where !isFixed[y * side + x] && Self.inverts(mask, row: y, column: x) {
                masked.modules[y * side + x].toggle()
            }
        }
        let bits = Self.format(mask, correction)
        func isDark(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0..<15 {
            // Bit 0 is at the top of the column and at the right of the row.
            masked.fix(8, index < 6 ? index : index < 8 ? index + 1 : side - 15 + index, isDark(index))
            masked.fix(index < 8 ? side - 1 - index : index == 8 ? 7 : 14 - index, 8, isDark(index))
        }
        return masked.modules
    }

    /// Returns the fifteen bits that encode error correction level and mask.
    static func format(_ mask: Int, _ correction: QRCode.Correction) -> Int {
        remainder(correction.formatBits << 3 | mask, bits: 10, by: 0x537) ^ 0x5412
    }

    /// Returns a value followed by the remainder of its division by a polynomial of that degree.
    static func remainder(_ value: Int, bits: Int, by divisor: Int) -> Int {
        var rest = value
        for _ in 0..<bits { rest = rest << 1 ^ (rest >> (bits - 1) & 1) * divisor }
        return value << bits | rest
    }

    private static func inverts(_ mask: Int, row i: Int, column j: Int) -> Bool {
        switch mask {
        case 0: (i + j) % 2 == 0
        case 1: i % 2 == 0
        case 2: j % 3 == 0
        case 3: (i + j) % 3 == 0
        case 4: (i / 2 + j / 3) % 2 == 0
        case 5: i * j % 2 + i * j % 3 == 0
        case 6: (i * j % 2 + i * j % 3) % 2 == 0
        default: ((i + j) % 2 + i * j % 3) % 2 == 0
        }
    }
}

/// The penalty of a mask, which measures how hard the code is to read (ISO/IEC 18004:2015, section 7.8.3).
enum QRPenalty {
    static func of(_ modules: [Bool], side: Int) -> Int {
        var penalty = 0
        let dark = modules.count { $0 }
        for index in 0..<side {
            penalty += line((0..<side).map { modules[index * side + $0] })
            penalty += line((0..<side).map { modules[$0 * side + index] })
        }
        for y in 0..<side - 1 {
            for x in 0..<side - 1 {
                let at = y * side + x
                let isDark = modules[at]
                if modules[at + 1] == isDark, modules[at + side] == isDark, modules[at + side + 1] == isDark {
                    penalty += 3
                }
            }
        }
        return penalty + abs(dark * 20 - modules.count * 10) / modules.count * 10
    }

    /// Returns the penalty of a row or column for runs of five or more modules and for patterns like a finder.
    private static func line(_ line: [Bool]) -> Int {
        var penalty = 0, run = 0
        var last: Bool?
        var window = 0
        for (index, isDark) in line.enumerated() {
            run = isDark == last ? run + 1 : 1
            last = isDark
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
            window = (window << 1 | (isDark ? 1 : 0)) & 0x7FF
            if index >= 10, window == 0b101_1101_0000 || window == 0b000_0101_1101 { penalty += 40 }
        }
        return penalty
    }
}
