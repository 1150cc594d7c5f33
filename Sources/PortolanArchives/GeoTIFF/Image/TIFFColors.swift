import PortolanRaster

/// The meaning of the samples of an image, and the colours of their values.
struct TIFFColors: Sendable {
    private enum Meaning: Sendable {
        case gray(isInverted: Bool)
        case colors
        case palette([UInt32])
    }

    private let meaning: Meaning
    /// The samples of the colour, and that of the alpha.
    let samples: [Int]
    let alpha: Int?
    let isAssociated: Bool
    /// The values that become black and white.
    private var range: (low: Double, high: Double)
    let noData: Double?
    let largestAlpha: Double
    private(set) var notes: [String]

    init(_ image: TIFFImage) {
        let colorCount = image.samplesPerPixel - image.extras.count
        var notes: [String] = []
        alpha = image.extras.firstIndex { $0 != .unspecified }.map { max(colorCount, 0) + $0 }
            .flatMap { $0 < image.samplesPerPixel ? $0 : nil }
        isAssociated = image.extras.contains(.associatedAlpha)
        switch image.photometric {
        case .palette where image.bitsPerSample <= 16 && image.format == .unsigned:
            meaning = .palette(Self.palette(image.colorMap))
            samples = [0]
        case .rgb where image.samplesPerPixel >= 3, .yCbCr where image.samplesPerPixel >= 3:
            meaning = .colors
            samples = [0, 1, 2]
        default:
            if image.samplesPerPixel >= 3, alpha.map({ $0 > 2 }) ?? true {
                meaning = .colors
                samples = [0, 1, 2]
                notes.append("using its first three bands as red, green and blue")
            } else {
                meaning = .gray(isInverted: image.photometric == .whiteIsZero)
                samples = [0]
            }
        }
        range = (0, image.format == .unsigned && image.bitsPerSample <= 8 ? Double(1 << image.bitsPerSample - 1) : .nan)
        largestAlpha = image.format == .unsigned ? Double(1 << min(image.bitsPerSample, 32) - 1) : 1
        noData = image.noData
        self.notes = notes
    }

    /// Whether values are indices of a palette.
    var hasPalette: Bool { if case .palette = meaning { true } else { false } }

    /// Whether values have to be stretched, and their range is not known yet.
    var needsRange: Bool { !hasPalette && range.high.isNaN }

    /// Whether values of bytes are colours as they are.
    var areBytesColors: Bool { if case .colors = meaning { range == (0, 255) && noData == nil } else { false } }

    /// Stretches values between the lowest and the highest ones.
    mutating func stretch(from low: Double, to high: Double) {
        range = (low, high)
        notes.append("values from \(Self.text(low)) to \(Self.text(high)) are stretched from black to white")
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    /// Whether a value says something.
    func isValid(_ value: Double) -> Bool { value.isFinite && value != noData }

    /// Returns the premultiplied pixel of the values of ``samples``, and of the alpha.
    func pixel(_ values: (Double, Double, Double), alpha: Double?, mask: UInt8) -> UInt32 {
        guard mask > 0 else { return 0 }
        let isGray = samples.count == 1
        guard isValid(values.0) || !isGray && (isValid(values.1) || isValid(values.2)) else { return 0 }
        let opacity = alpha.map { UInt8(min(max($0 / largestAlpha * 255, 0), 255)) } ?? mask
        switch meaning {
        case .palette(let colors): return values.0 >= 0 && values.0 < Double(colors.count) ? colors[Int(values.0)] : 0
        case .gray(let isInverted):
            guard let level = byte(values.0) else { return 0 }
            let gray = isInverted ? 255 - level : level
            return pixel(gray, gray, gray, opacity)
        case .colors:
            guard let red = byte(values.0), let green = byte(values.1), let blue = byte(values.2) else { return 0 }
            return pixel(red, green, blue, opacity)
        }
    }

    @inline(__always) func pixel(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ opacity: UInt8) -> UInt32 {
        guard isAssociated, alpha != nil else {
            return Pixel(MapColor(red: red, green: green, blue: blue, alpha: opacity)).bits
        }
        return UInt32(opacity) << 24 | UInt32(min(blue, opacity)) << 16 | UInt32(min(green, opacity)) << 8
            | UInt32(min(red, opacity))
    }

    /// Returns the brightness of a value, or `nil` if it is no number.
    private func byte(_ value: Double) -> UInt8? {
        guard value.isFinite else { return nil }
        let scale = range.high > range.low ? 255 / (range.high - range.low) : 0, level = (value - range.low) * scale
        return level.isFinite ? UInt8(min(max(level.rounded(), 0), 255)) : 0
    }

    private static func palette(_ map: [Double]) -> [UInt32] {
        let count = map.count / 3
        // Some programs write bytes in place of numbers of 16 bits.
        let unit: Double = map.allSatisfy { $0 < 256 } ? 1 : 257
        func byte(_ value: Double) -> UInt8 { UInt8(min(max((value / unit).rounded(), 0), 255)) }
        return (0..<count).map { index in
            Pixel(MapColor(red: byte(map[index]), green: byte(map[count + index]), blue: byte(map[2 * count + index])))
                .bits
        }
    }
}
