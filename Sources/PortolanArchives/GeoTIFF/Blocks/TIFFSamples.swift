/// The samples of a block or a window, row by row, pixel by pixel.
struct TIFFSamples {
    /// The samples as in the file; rows begin with a byte.
    let bytes: [UInt8]
    let width: Int, height: Int
    let samplesPerPixel: Int
    let bitsPerSample: Int
    let format: TIFFImage.SampleFormat
    let isLittleEndian: Bool

    private var rowByteCount: Int { (width * samplesPerPixel * bitsPerSample + 7) / 8 }

    /// Returns the values of a sample in some columns of a row.
    func values(ofSample sample: Int, row: Int, columns: Range<Int>) -> [Double] {
        let start = row * rowByteCount
        if bitsPerSample == 8, format == .unsigned {
            return columns.map { Double(bytes[start + $0 * samplesPerPixel + sample]) }
        }
        if bitsPerSample < 8 {
            let mask = UInt8(1 << bitsPerSample - 1)
            return columns.map { column in
                let bit = (column * samplesPerPixel + sample) * bitsPerSample
                return Double(bytes[start + bit / 8] >> UInt8(8 - bitsPerSample - bit % 8) & mask)
            }
        }
        let byteCount = bitsPerSample / 8
        return columns.map { column in
            let first = start + (column * samplesPerPixel + sample) * byteCount
            let bits = TIFFValue.number(bytes[first..<(first + byteCount)], isLittleEndian)
            return value(bits)
        }
    }

    private func value(_ bits: UInt64) -> Double {
        switch (format, bitsPerSample) {
        case (.unsigned, _): Double(bits)
        case (.signed, 8): Double(Int8(truncatingIfNeeded: bits))
        case (.signed, 16): Double(Int16(truncatingIfNeeded: bits))
        case (.signed, _): Double(Int32(truncatingIfNeeded: bits))
        case (.float, 16): Double(Self.half(UInt16(truncatingIfNeeded: bits)))
        case (.float, 32): Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case (.float, _): Double(bitPattern: bits)
        }
    }

    /// Returns a float of 16 bits (IEEE 754 binary16).
    private static func half(_ bits: UInt16) -> Float {
        let sign: Float = bits >> 15 == 1 ? -1 : 1, exponent = Int(bits >> 10 & 31),
            fraction = Float(bits & 1023) / 1024
        switch exponent {
        case 0: return sign * fraction * 0x1p-14
        case 31: return fraction == 0 ? sign * .infinity : .nan
        default: return sign * (1 + fraction) * Float(sign: .plus, exponent: exponent - 15, significand: 1)
        }
    }
}
