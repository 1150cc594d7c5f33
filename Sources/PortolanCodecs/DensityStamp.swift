/// Adds the physical pixel density to the header of a PNG or JPEG file that arrives in pieces.
package struct DensityStamp {
    /// The formats that have a density in their header.
    package enum Format: Hashable, Sendable {
        /// PNG, with a chunk `pHYs` (PNG 3rd edition, clause 11.3.4.3).
        case png
        /// JPEG in a JFIF file, with the density of its APP0 segment (ITU-T T.871, clause 10.1).
        case jpeg
    }

    private let format: Format
    private let dotsPerInch: Double
    /// The first bytes, until the whole header has arrived; `nil` afterwards.
    private var header: [UInt8]? = []

    /// The signature and the header chunk of a PNG.
    private static let pngHeaderCount = 33
    /// The bytes of a JFIF file up to the vertical density.
    private static let jfifHeaderCount = 18

    /// Creates a stamp for a file.
    package init(_ format: Format, dotsPerInch: Double) {
        self.format = format
        self.dotsPerInch = dotsPerInch
    }

    /// Returns the bytes that can be written after the next piece.
    package mutating func pass(_ bytes: [UInt8]) -> [UInt8] {
        guard var start = header else { return bytes }
        start += bytes
        let count = format == .png ? Self.pngHeaderCount : Self.jfifHeaderCount
        guard start.count >= count else {
            header = start
            return []
        }
        header = nil
        stamp(&start)
        return start
    }

    private func stamp(_ file: inout [UInt8]) {
        switch format {
        case .png:
            let perMeter = UInt32(min(max((dotsPerInch / 0.0254).rounded(), 1), Double(Int32.max)))
            let number = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: perMeter >> UInt32($0)) }
            let content = [UInt8]("pHYs".utf8) + number + number + [1]
            let sum = Self.checksum(content)
            file.insert(
                contentsOf: [0, 0, 0, 9] + content
                    + stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: sum >> UInt32($0)) },
                at: Self.pngHeaderCount)
        case .jpeg:
            guard file[6..<11].elementsEqual("JFIF\0".utf8) else { return }
            let density = UInt16(min(max(dotsPerInch.rounded(), 1), 65535))
            let bytes = [UInt8(density >> 8), UInt8(density & 255)]
            file.replaceSubrange(13..<18, with: [1] + bytes + bytes)
        }
    }

    /// Returns the CRC of a chunk (PNG 3rd edition, clause 5.5).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let polynomial: UInt32 = sum & 1 == 0 ? 0 : 0xEDB8_8320
                sum = sum >> 1 ^ polynomial
            }
        }
        return ~sum
    }
}
