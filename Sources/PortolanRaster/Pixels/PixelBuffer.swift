/// A picture: premultiplied RGBA pixels in sRGB, rows from top to bottom, without padding.
///
/// A value with copy-on-write storage; copying it is cheap until one of the copies is changed.
public struct PixelBuffer: Hashable, Sendable {
    /// Width and height in pixels.
    public let size: ImageSize

    /// Packed pixels (see ``Pixel``), `size.pixelCount` of them, row after row.
    public internal(set) var pixels: [UInt32]

    /// What the memory of the pixels is charged to, as long as they are held, or `nil` where nothing is.
    package var charge: MemoryCharge?

    /// Makes a picture of one colour, clear by default.
    public init(size: ImageSize, filledWith pixel: Pixel = .clear) {
        self.size = size
        pixels = [UInt32](repeating: pixel.bits, count: size.pixelCount)
    }

    /// Takes over packed premultiplied pixels, or `nil` when their count is not `size.pixelCount`.
    public init?(size: ImageSize, pixels: [UInt32]) {
        guard pixels.count == size.pixelCount else { return nil }
        self.size = size
        self.pixels = pixels
    }

    /// Pixels in a row.
    public var width: Int { size.width }

    /// Rows.
    public var height: Int { size.height }

    /// The memory the pixels take, in bytes.
    public var byteCount: Int { pixels.count * 4 }

    /// The pixel in column `x` and row `y`, both from the top left; outside the picture is a programmer's error.
    public subscript(x: Int, y: Int) -> Pixel {
        get {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel outside the picture")
            return Pixel(bits: pixels[y * width + x])
        }
        set {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel outside the picture")
            pixels[y * width + x] = newValue.bits
        }
    }
}

extension PixelBuffer {
    /// Whether two pictures have the same pixels.
    public static func == (left: PixelBuffer, right: PixelBuffer) -> Bool {
        left.size == right.size && left.pixels == right.pixels
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(size)
        hasher.combine(pixels)
    }
}

extension PixelBuffer: CustomStringConvertible, CustomReflectable {
    /// The size of the picture; its pixels would flood a log.
    public var description: String { "a picture of \(size) pixels" }

    /// The size alone, for the same reason.
    public var customMirror: Mirror { Mirror(self, children: ["size": size]) }
}

/// One premultiplied RGBA pixel in 32 bits: red in the lowest byte, alpha in the highest.
///
/// On little-endian machines the bytes in memory are R, G, B, A. Each colour channel is at most alpha.
public struct Pixel: Hashable, Sendable {
    /// The packed channels, `alpha << 24 | blue << 16 | green << 8 | red`.
    public var bits: UInt32

    /// Makes a pixel from packed, already premultiplied bits.
    public init(bits: UInt32) { self.bits = bits }

    /// Makes a pixel from premultiplied channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        bits = UInt32(alpha) << 24 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
    }

    /// Premultiplies a straight colour: each channel becomes `round(channel * alpha / 255)`.
    public init(_ color: Color) {
        self.init(
            red: Self.multiply(color.red, color.alpha), green: Self.multiply(color.green, color.alpha),
            blue: Self.multiply(color.blue, color.alpha), alpha: color.alpha)
    }

    /// Fully transparent.
    public static let clear = Pixel(bits: 0)

    /// Premultiplied red.
    public var red: UInt8 { UInt8(truncatingIfNeeded: bits) }
    /// Premultiplied green.
    public var green: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
    /// Premultiplied blue.
    public var blue: UInt8 { UInt8(truncatingIfNeeded: bits >> 16) }
    /// Alpha.
    public var alpha: UInt8 { UInt8(truncatingIfNeeded: bits >> 24) }

    /// The straight colour: each channel is `round(channel * 255 / alpha)`, and clear where alpha is 0.
    public var color: Color {
        guard alpha > 0 else { return .clear }
        let a = UInt32(alpha)
        func straight(_ channel: UInt8) -> UInt8 { UInt8(min((UInt32(channel) * 255 + a / 2) / a, 255)) }
        return Color(red: straight(red), green: straight(green), blue: straight(blue), alpha: alpha)
    }

    /// `round(a * b / 255)`, exact for all bytes.
    static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        let product = UInt32(a) * UInt32(b) + 128
        return UInt8(truncatingIfNeeded: (product + (product >> 8)) >> 8)
    }
}

/// The width and height of a picture in pixels, both at least 1 and together within ``ImageSize/maximumPixelCount``.
///
/// A size is checked when it is made, so no later step has to ask whether a buffer can be allocated.
public struct ImageSize: Hashable, Sendable, CustomStringConvertible {
    /// The most pixels a picture may have: 2²⁸, which is one gibibyte of memory.
    public static let maximumPixelCount = 1 << 28

    /// The longest side a picture may have, in pixels.
    public static let maximumSide = 1 << 16

    /// Pixels in a row.
    public let width: Int

    /// Rows.
    public let height: Int

    /// Makes a size, or `nil` when a side is not in `1...maximumSide` or the pixels are more than `maximumPixelCount`.
    public init?(width: Int, height: Int) {
        guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height),
            width * height <= Self.maximumPixelCount
        else { return nil }
        self.width = width
        self.height = height
    }

    /// Width times height.
    public var pixelCount: Int { width * height }

    /// The size as `WIDTHxHEIGHT`.
    public var description: String { "\(width)x\(height)" }
}

/// A colour that stands for transparency in images that have none, as the white around an overlay in JPEG.
public struct ColorKey: Hashable, Sendable {
    /// The colour; its own alpha does not count.
    public let color: Color

    /// How far red, green and blue may each be from the colour, 0 to 255; JPEG needs some 10.
    public let tolerance: Int

    /// Makes a key; a tolerance out of its range is brought into it.
    public init(color: Color, tolerance: Int = 0) {
        self.color = color
        self.tolerance = min(max(tolerance, 0), 255)
    }

    /// An image with the opaque pixels of the colour made transparent.
    ///
    /// - Complexity: O(pixels).
    package func clearing(_ image: PixelBuffer) -> PixelBuffer {
        let red = range(color.red), green = range(color.green), blue = range(color.blue)
        let pixels = image.pixels.map { bits -> UInt32 in
            let pixel = Pixel(bits: bits)
            let isKey =
                pixel.alpha == 255 && red.contains(pixel.red) && green.contains(pixel.green)
                && blue.contains(pixel.blue)
            return isKey ? 0 : bits
        }
        return PixelBuffer(size: image.size, pixels: pixels) ?? image
    }

    private func range(_ value: UInt8) -> ClosedRange<UInt8> {
        UInt8(max(Int(value) - tolerance, 0))...UInt8(min(Int(value) + tolerance, 255))
    }
}

/// An image to be painted, and where it came from.
public struct PaintImage: Hashable, Sendable {
    /// The pixels.
    public var pixels: PixelBuffer
    /// The address where the same image can be had, for targets that link images, or `nil` where there is none.
    public var address: String?

    /// Makes an image of pixels.
    public init(_ pixels: PixelBuffer, address: String? = nil) {
        self.pixels = pixels
        self.address = address
    }
}

extension PixelBuffer {
    /// The smallest rectangle of some rows outside which they are those of another buffer of the same size; `nil` when they are
    /// the same.
    package func difference(from old: PixelBuffer, in rows: Range<Int>) -> (columns: Range<Int>, rows: Range<Int>)? {
        let before = old.pixels.span, after = pixels.span, width = width
        var left = width, right = -1, first = -1, last = -1
        for row in rows {
            let start = row * width
            var from = 0
            while from < width, before[start + from] == after[start + from] { from += 1 }
            guard from < width else { continue }
            var to = width - 1
            while before[start + to] == after[start + to] { to -= 1 }
            left = min(left, from)
            right = max(right, to)
            if first < 0 { first = row }
            last = row
        }
        return first < 0 ? nil : (left..<(right + 1), first..<(last + 1))
    }
}
