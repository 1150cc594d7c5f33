public import PortolanRaster

/// A QR code of bytes: which of its modules are dark (ISO/IEC 18004:2015, model 2, byte mode, versions 1 to 10).
///
/// ```swift
/// let picture = try QRCode("qbus:stop:EC-Q-0123?v=1").picture(scale: 8)
/// ```
public struct QRCode: Hashable, Sendable {
    /// The version, 1 to 10.
    public let version: Int
    /// How much may be lost.
    public let correction: QRCorrection
    /// The mask, 0 to 7.
    public let mask: Int
    /// How many modules it has along a side, the quiet zone aside.
    public let side: Int
    private let modules: [Bool]

    /// Makes the smallest code of a text, in UTF-8; of what is not ASCII, readers have to guess that.
    ///
    /// - Parameters:
    ///   - correction: how much may be lost; 15 % unless told.
    ///   - mask: the mask, 0 to 7, or `nil` for that which is the easiest to read.
    /// - Throws: ``QRCodeError/tooLong(byteCount:limit:)``.
    public init(
        _ text: String, correction: QRCorrection = .medium, mask: Int? = nil
    ) throws(QRCodeError) {
        try self.init(bytes: Array(text.utf8), correction: correction, mask: mask)
    }

    /// Makes the smallest code of bytes.
    ///
    /// - Complexity: O(modules), eight times over when the mask is looked for.
    public init(
        bytes: [UInt8], correction: QRCorrection = .medium, mask: Int? = nil
    ) throws(QRCodeError) {
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

    /// Whether a module is dark; those outside are light.
    public func isDark(x: Int, y: Int) -> Bool {
        (0..<side).contains(x) && (0..<side).contains(y) && modules[y * side + x]
    }

    /// A picture of it, dark on light.
    ///
    /// - Parameters:
    ///   - scale: pixels of a module along a side, 1 to 256.
    ///   - margin: modules of the quiet zone; 4, which readers want, unless told, and 64 at most.
    ///   - dark: the colour of dark modules.
    ///   - light: the colour of light ones, and of the quiet zone.
    public func picture(
        scale: Int = 4, margin: Int = 4, dark: Color = .black, light: Color = .white
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

    /// Data and correction, the blocks interleaved (section 7.6).
    static func codewords(of bytes: [UInt8], _ version: QRVersion, _ correction: QRCorrection) -> [UInt8] {
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

    /// Mode, count, bytes, terminator and padding (section 7.4).
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

/// Why there is no QR code.
public enum QRCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are more bytes than the largest code holds.
    case tooLong(byteCount: Int, limit: Int)

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .tooLong(let count, let limit): "\(count) bytes are more than the \(limit) of the largest code"
        }
    }
}
