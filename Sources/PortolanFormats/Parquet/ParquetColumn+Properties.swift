import PortolanFeatures
import PortolanWeb

extension ParquetColumn {
    /// Whether features can hold the values.
    var holdsProperties: Bool {
        guard maximumRepetition == 0 else { return false }
        switch meaning {
        case .other, .geometry: return false
        default: return true
        }
    }

    /// Converts values to those of properties; numbers that are not finite become null.
    func properties(_ values: ParquetValues) throws(ParquetFault) -> [PropertyValue] {
        switch values {
        case .bools(let values): return values.map { .bool($0) }
        case .numbers(let values): return values.map { $0.isFinite ? .number($0) : .null }
        case .integers(let values): return values.map(property)
        case .bytes(let values): return values.ranges.map { property(values.buffer[$0]) }
        }
    }

    private func property(_ value: Int64) -> PropertyValue {
        switch meaning {
        case .unsigned(let bits):
            if bits == 64 {
                let unsigned = UInt64(bitPattern: value)
                return Int(exactly: unsigned).map { .integer($0) } ?? .number(Double(unsigned))
            }
            return .integer(Int(value & (1 << Int64(bits) - 1)))
        case .date:
            return (-719_162...2_932_896).contains(value) ? .string(ISOTime.dayText(Int(value))) : .null
        case .time(let unit):
            let second = Int64(unit.perSecond)
            guard (0..<86_400).contains(value / second), value >= 0 else { return .null }
            return .string(ISOTime.clockText(Int(value / second)) + Self.fraction(Int(value % second), unit))
        case .timestamp(let unit, let isUTC): return Self.timestamp(value, unit, isUTC: isUTC)
        case .decimal(let scale): return Self.decimal(Int128(value), scale: scale)
        default: return .integer(Int(value))
        }
    }

    private func property(_ bytes: ArraySlice<UInt8>) -> PropertyValue {
        switch meaning {
        case .json:
            let text = String(decoding: bytes, as: UTF8.self)
            return (try? JSONReader.value(bytes: Array(bytes))) ?? .string(text)
        case .decimal(let scale):
            // Big-endian in two's complement.
            guard let first = bytes.first, bytes.count <= 16 else { return .null }
            return Self.decimal(
                bytes.reduce(first & 0x80 == 0 ? Int128(0) : -1) { $0 << 8 | Int128($1) }, scale: scale)
        case .uuid:
            let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            return .string(
                [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-"))
        case .float16:
            return Self.half(bytes.enumerated().reduce(0) { $0 | UInt16($1.element) << (8 * $1.offset) })
        case .timestamp:
            // Nanoseconds of a Julian day; 2,440,588 began on 1970-01-01.
            let nanoseconds = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let day = bytes.suffix(4).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) } - 2_440_588
            guard nanoseconds < 86_400_000_000_000, (-106_000...106_000).contains(day) else { return .null }
            return Self.timestamp(day * 86_400_000_000_000 + Int64(nanoseconds), .nanoseconds, isUTC: true)
        default: return .string(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Returns a time such as `2026-11-23T14:24:00.5Z`, or null outside the years 1 to 9999.
    private static func timestamp(_ value: Int64, _ unit: ParquetTimeUnit, isUTC: Bool) -> PropertyValue {
        let (quotient, remainder) = Int(value).quotientAndRemainder(dividingBy: unit.perSecond)
        let seconds = remainder < 0 ? quotient - 1 : quotient,
            rest = remainder < 0 ? remainder + unit.perSecond : remainder
        guard let text = ISOTime.text(Double(seconds)) else { return .null }
        return .string(text.dropLast() + fraction(rest, unit) + (isUTC ? "Z" : ""))
    }

    /// Returns the fraction of a second with as many digits as it needs.
    private static func fraction(_ count: Int, _ unit: ParquetTimeUnit) -> String {
        guard count > 0 else { return "" }
        var digits = Array(String(unit.perSecond + count).utf8.dropFirst())
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return "." + String(decoding: digits, as: UTF8.self)
    }

    private static func decimal(_ unscaled: Int128, scale: Int) -> PropertyValue {
        if scale == 0, let number = Int(exactly: unscaled) { return .integer(number) }
        guard (-400...400).contains(scale), let number = Double("\(unscaled)e\(-scale)"), number.isFinite else {
            return .null
        }
        return .number(number)
    }

    private static func half(_ bits: UInt16) -> PropertyValue {
        let exponent = Int(bits >> 10 & 31), fraction = Double(bits & 0x3FF)
        guard exponent != 31 else { return .null }
        let size =
            exponent == 0
            ? fraction * 0x1p-24 : Double(sign: .plus, exponent: exponent - 25, significand: fraction + 1024)
        return .number(bits & 0x8000 == 0 ? size : -size)
    }
}
