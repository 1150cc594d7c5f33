/// The types of values and their bytes (TIFF 6.0, section 2, and BigTIFF).
enum TIFFValue: UInt16, Sendable {
    case byte = 1, ascii, short, long, rational, signedByte, undefined, signedShort, signedLong, signedRational, float,
        double
    case directory = 13
    case long8 = 16, signedLong8, directory8

    /// The bytes of a value.
    var width: Int {
        switch self {
        case .byte, .ascii, .signedByte, .undefined: 1
        case .short, .signedShort: 2
        case .long, .signedLong, .float, .directory: 4
        case .rational, .signedRational, .double, .long8, .signedLong8, .directory8: 8
        }
    }

    /// Returns the whole number of at most eight bytes.
    static func number(_ bytes: ArraySlice<UInt8>, _ isLittleEndian: Bool) -> UInt64 {
        isLittleEndian
            ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } : bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns a number, with the sign and the fraction of its type.
    func number(_ bytes: ArraySlice<UInt8>, _ isLittleEndian: Bool) -> Double {
        let bits = Self.number(bytes, isLittleEndian), half = bytes.startIndex + bytes.count / 2
        switch self {
        case .signedByte: return Double(Int8(truncatingIfNeeded: bits))
        case .signedShort: return Double(Int16(truncatingIfNeeded: bits))
        case .signedLong: return Double(Int32(truncatingIfNeeded: bits))
        case .signedLong8: return Double(Int64(bitPattern: bits))
        case .float: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case .double: return Double(bitPattern: bits)
        case .rational, .signedRational:
            let type = self == .rational ? TIFFValue.long : .signedLong
            return type.number(bytes[..<half], isLittleEndian) / type.number(bytes[half...], isLittleEndian)
        case .byte, .ascii, .undefined, .short, .long, .directory, .long8, .directory8: return Double(bits)
        }
    }
}
