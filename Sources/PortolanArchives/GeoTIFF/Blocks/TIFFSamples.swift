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

    /// Writes the values of a sample in some columns of a row, NaN for the one that means no data.
    ///
    /// - Parameter first: the index of the first value.
    func read(
        sample: Int, row: Int, _ columns: Range<Int>, into target: inout [Float], at first: Int, _ noData: Double?
    ) {
        let width = bitsPerSample / 8, step = samplesPerPixel * width
        var place = row * rowByteCount + (columns.lowerBound * samplesPerPixel + sample) * width
        let source = bytes.span, missing = noData.map { Float($0) } ?? .nan
        var values = target.mutableSpan
        func known(_ value: Float) -> Float { value == missing ? .nan : value }
        switch (format, bitsPerSample) {
        case (.unsigned, 8):
            for index in first..<(first + columns.count) {
                values[index] = known(Float(source[place]))
                place += step
            }
        case (.unsigned, 16), (.signed, 16):
            let (low, high) = isLittleEndian ? (0, 1) : (1, 0), isSigned = format == .signed
            for index in first..<(first + columns.count) {
                let bits = UInt16(source[place + low]) | UInt16(source[place + high]) << 8
                values[index] = known(isSigned ? Float(Int16(bitPattern: bits)) : Float(bits))
                place += step
            }
        case (.float, 32):
            let order = isLittleEndian ? SIMD4(0, 1, 2, 3) : SIMD4(3, 2, 1, 0)
            for index in first..<(first + columns.count) {
                let low = UInt32(source[place + order.x]) | UInt32(source[place + order.y]) << 8
                let high = UInt32(source[place + order.z]) << 16 | UInt32(source[place + order.w]) << 24
                values[index] = known(Float(bitPattern: low | high))
                place += step
            }
        default:
            for (index, value) in self.values(ofSample: sample, row: row, columns: columns).enumerated() {
                values[first + index] = value == noData ? .nan : Float(value)
            }
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
