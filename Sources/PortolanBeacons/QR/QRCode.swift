public import PortolanRaster

/// A QR code of bytes (ISO/IEC 18004:2015, model 2, byte mode, versions 1 to 10).
///
/// ```swift
/// let picture = try QRCode("qbus:stop:EC-Q-0123?v=1").picture(scale: 8)
/// ```
public struct QRCode: Hashable, Sendable {
    /// The version, 1 to 10.
    public let version: Int
    /// The error correction level.
    public let correction: QRCode.Correction
    /// The mask, 0 to 7.
    public let mask: Int
    /// The number of modules along a side, without the quiet zone.
    public let side: Int
    private let modules: [Bool]

    /// Creates the smallest code for a text in UTF-8.
    ///
    /// Readers must guess the encoding of text that is not ASCII.
    ///
    /// - Parameters:
    ///   - correction: the error correction level; 15 % by default.
    ///   - mask: the mask, 0 to 7, or `nil` to choose the most readable one.
    /// - Throws: ``QRCode/CapacityError/tooLong(byteCount:limit:)``.
    public init(
        _ text: String, correction: QRCode.Correction = .medium, mask: Int? = nil
    ) throws(QRCode.CapacityError) {
        try self.init(bytes: Array(text.utf8), correction: correction, mask: mask)
    }

    /// Creates the smallest code for bytes.
    ///
    /// - Complexity: O(modules), eight times as much if the mask is chosen.
    public init(
        bytes: [UInt8], correction: QRCode.Correction = .medium, mask: Int? = nil
    ) throws(QRCode.CapacityError) {
        precondition(mask.map { (0...7).contains($0) } ?? true, "there are eight masks")
        guard let version = QRVersion.all.first(where: { $0.capacity(correction) >= bytes.count }) else {
            throw .tooLong(byteCount: bytes.count, limit: QRVersion(number: 10).capacity(correction))
        }
        let sheet = QRSheet(version, bits: QRCode.codewords(of: bytes, version, correction))
        let masked = (mask.map { $0...$0 } ?? 0...7).map { mask in
            (mask: mask, modules: sheet.masked(by: mask, correction))
        }
        let penalties = masked.map { masked.count > 1 ? QRPenalty.of($0.modules, side: version.side) : 0 }
        let best = penalties.indices.min { penalties[$0] < penalties[$1] } ?? 0
        self.version = version.number
        self.correction = correction
        self.mask = masked[best].mask
        side = version.side
        modules = masked[best].modules
    }

    /// Returns whether a module is dark.
    ///
    /// Modules outside of the code are light.
    public func isDark(x: Int, y: Int) -> Bool {
        (0..<side).contains(x) && (0..<side).contains(y) && modules[y * side + x]
    }

    /// Returns an image of the code.
    ///
    /// - Parameters:
    ///   - scale: the size of a module in pixels, 1 to 256.
    ///   - margin: the width of the quiet zone in modules, at most 64. Readers expect 4, the default.
    ///   - dark: the colour of dark modules.
    ///   - light: the colour of light modules and the quiet zone.
    public func picture(
        scale: Int = 4, margin: Int = 4, dark: MapColor = .black, light: MapColor = .white
    ) -> PixelBuffer {
        let scale = min(max(1, scale), 256), margin = min(max(0, margin), 64)
        let width = (side + 2 * margin) * scale
        let colors = (dark: Pixel(dark).bits, light: Pixel(light).bits)
        var pixels: [UInt32] = []
        pixels.reserveCapacity(width * width)
        for y in 0..<width {
            for x in 0..<width {
                pixels.append(isDark(x: x / scale - margin, y: y / scale - margin) ? colors.dark : colors.light)
            }
        }
        guard let size = ImageSize(width: width, height: width), let picture = PixelBuffer(size: size, pixels: pixels)
        else { preconditionFailure("57 modules with 128 of margin, 256 times, are within the limits of pictures") }
        return picture
    }

    /// Returns data and error correction codewords with interleaved blocks (section 7.6).
    static func codewords(of bytes: [UInt8], _ version: QRVersion, _ correction: QRCode.Correction) -> [UInt8] {
        let counts = version.dataByteCounts(correction)
        let data = dataCodewords(of: bytes, countBits: version.countBits, total: counts.reduce(0, +))
        var blocks: [ArraySlice<UInt8>] = []
        var rest = data[...]
        for count in counts {
            blocks.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        let corrections = blocks.map {
            ReedSolomon.correction(of: Array($0), count: version.correctionByteCount(correction))
        }
        func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
            (0..<(blocks.map(\.count).max() ?? 0)).flatMap { index in
                blocks.compactMap { $0.indices.contains(index) ? $0[index] : nil }
            }
        }
        return interleaved(blocks.map { Array($0) }) + interleaved(corrections)
    }

    /// Returns mode, count, bytes, terminator and padding (section 7.4).
    private static func dataCodewords(of bytes: [UInt8], countBits: Int, total: Int) -> [UInt8] {
        var codewords: [UInt8] = []
        var pending = 0, pendingCount = 0
        func add(_ value: Int, _ count: Int) {
            pending = pending << count | value
            pendingCount += count
            while pendingCount >= 8 {
                pendingCount -= 8
                codewords.append(UInt8(truncatingIfNeeded: pending >> pendingCount))
                pending &= 1 << pendingCount - 1
            }
        }
        add(0b0100, 4)
        add(bytes.count, countBits)
        for byte in bytes { add(Int(byte), 8) }
        // The terminator fills the last byte.
        add(0, 4)
        for index in 0..<max(0, total - codewords.count) { codewords.append(index % 2 == 0 ? 0xEC : 0x11) }
        return codewords
    }
}

extension QRCode {
    /// The reason why a QR code cannot be created.
    public enum CapacityError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The data exceed the capacity of the largest code.
        case tooLong(byteCount: Int, limit: Int)

        /// A one-line message.
        public var description: String {
            switch self {
            case .tooLong(let count, let limit): "\(count) bytes exceed the limit of \(limit) of the largest code"
            }
        }
    }
}
