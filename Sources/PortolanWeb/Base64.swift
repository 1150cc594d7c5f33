/// Base 64 with the standard alphabet of RFC 4648, section 4.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The value of each byte as a digit; 255 for invalid bytes.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Returns the bytes in base 64, padded.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
            for digit in 0..<4 {
                text.append(digit <= count ? alphabet[Int(group >> UInt32(18 - 6 * digit) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The error of invalid base 64.
    package enum Fault: Error, Equatable {
        /// The byte at this offset is not a digit, or a digit follows the padding.
        case unexpectedByte(offset: Int)
        /// The number of digits or the padding is wrong.
        case wrongLength
    }

    /// Decodes base 64.
    ///
    /// ASCII white space is skipped; padding may be missing, but must be correct if present.
    package static func decode(_ text: [UInt8]) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var digitCount = 0
        var paddingCount = 0
        for (offset, byte) in text.enumerated() {
            if byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B { continue }
            if byte == UInt8(ascii: "=") {
                paddingCount += 1
                continue
            }
            let value = values[Int(byte)]
            guard value < 64, paddingCount == 0 else { throw .unexpectedByte(offset: offset) }
            group = group << 6 | UInt32(value)
            digitCount += 1
            if digitCount % 4 == 0 {
                bytes += [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
                group = 0
            }
        }
        let remainder = digitCount % 4
        guard remainder != 1, paddingCount == 0 || remainder > 1 && remainder + paddingCount == 4 else {
            throw .wrongLength
        }
        if remainder == 2 { bytes.append(UInt8(group >> 4 & 255)) }
        if remainder == 3 { bytes += [UInt8(group >> 10 & 255), UInt8(group >> 2 & 255)] }
        return bytes
    }
}
