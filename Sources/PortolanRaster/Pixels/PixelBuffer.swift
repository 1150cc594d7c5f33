/// A picture: premultiplied RGBA pixels in sRGB, rows from top to bottom, without padding.
///
/// It is a value with copy-on-write storage.
public struct PixelBuffer: Hashable, Sendable {
    /// The width and height in pixels.
    public let size: ImageSize

    /// The packed pixels (see ``Pixel``), `size.pixelCount` of them, row by row.
    public internal(set) var pixels: [UInt32]

    /// The charge for the memory of the pixels, or `nil` if they are not charged.
    package var charge: MemoryCharge?

    /// The file that the picture was decoded from, or `nil`.
    private var stored: JPEGOriginal?

    /// Creates a picture of one colour, transparent by default.
    public init(size: ImageSize, filledWith pixel: Pixel = .clear) {
        self.size = size
        pixels = [UInt32](repeating: pixel.bits, count: size.pixelCount)
    }

    /// Creates a picture from packed premultiplied pixels, or returns `nil` if their count is not `size.pixelCount`.
    public init?(size: ImageSize, pixels: [UInt32]) {
        guard pixels.count == size.pixelCount else { return nil }
        self.size = size
        self.pixels = pixels
    }

    /// The number of pixels per row.
    public var width: Int { size.width }

    /// The number of rows.
    public var height: Int { size.height }

    /// The memory of the pixels in bytes.
    public var byteCount: Int { pixels.count * 4 }

    /// Accesses the pixel in column `x` and row `y` from the top left, which must be inside the picture.
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
    /// Returns whether the pictures have the same pixels.
    public static func == (left: PixelBuffer, right: PixelBuffer) -> Bool {
        left.size == right.size && left.pixels == right.pixels
    }

    /// Hashes the components that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(size)
        hasher.combine(pixels)
    }
}

extension PixelBuffer {
    /// The file that the picture was decoded from, or `nil` if none is known or the pixels have changed.
    package var original: JPEGOriginal? {
        get { stored.flatMap { $0.isOriginal(of: pixels) ? $0 : nil } }
        set { stored = newValue }
    }
}

extension PixelBuffer: CustomStringConvertible, CustomReflectable {
    /// The size of the picture; its pixels would flood a log.
    public var description: String { "a picture of \(size) pixels" }

    /// The size alone, for the same reason.
    public var customMirror: Mirror { Mirror(self, children: ["size": size]) }
}

/// A premultiplied RGBA pixel in 32 bits: red in the lowest byte, alpha in the highest.
///
/// On little-endian machines the bytes in memory are R, G, B, A. Each colour channel is at most alpha.
public struct Pixel: Hashable, Sendable {
    /// The packed channels, `alpha << 24 | blue << 16 | green << 8 | red`.
    public var bits: UInt32

    /// Creates a pixel from packed premultiplied bits.
    public init(bits: UInt32) { self.bits = bits }

    /// Creates a pixel from premultiplied channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        bits = UInt32(alpha) << 24 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
    }

    /// Creates a pixel from a straight colour: each channel becomes `round(channel * alpha / 255)`.
    public init(_ color: MapColor) {
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

    /// The straight colour: each channel is `round(channel * 255 / alpha)`, and clear if alpha is 0.
    public var color: MapColor {
        guard alpha > 0 else { return .clear }
        let a = UInt32(alpha)
        func straight(_ channel: UInt8) -> UInt8 { UInt8(min((UInt32(channel) * 255 + a / 2) / a, 255)) }
        return MapColor(red: straight(red), green: straight(green), blue: straight(blue), alpha: alpha)
    }

    /// Returns `round(a * b / 255)`, exact for all bytes.
    static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        let product = UInt32(a) * UInt32(b) + 128
        return UInt8(truncatingIfNeeded: (product + (product >> 8)) >> 8)
    }
}

/// The width and height of a picture in pixels, both at least 1 and their product at most
/// ``ImageSize/maximumPixelCount``.
///
/// A size is validated when it is created, so that no later step has to check whether a buffer can be allocated.
public struct ImageSize: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of pixels of a picture: 2²⁸, which take one gibibyte of memory.
    public static let maximumPixelCount = 1 << 28

    /// The maximum length of a side in pixels.
    public static let maximumSide = 1 << 16

    /// The number of pixels per row.
    public let width: Int

    /// The number of rows.
    public let height: Int

    /// Creates a size, or returns `nil` if a side is not in `1...maximumSide` or there are more than
    /// `maximumPixelCount` pixels.
    public init?(width: Int, height: Int) {
        guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height),
            width * height <= Self.maximumPixelCount
        else { return nil }
        self.width = width
        self.height = height
    }

    /// The number of pixels.
    public var pixelCount: Int { width * height }

    /// The size as `WIDTHxHEIGHT`.
    public var description: String { "\(width)x\(height)" }
}

extension MapColor {
    /// A colour that represents transparency in images without it, such as the white background of an overlay in JPEG.
    public struct Key: Hashable, Sendable {
        /// The colour; its alpha is ignored.
        public let color: MapColor

        /// The maximum difference of red, green and blue from the colour, 0 to 255; JPEG needs about 10.
        public let tolerance: Int

        /// Creates a key; a tolerance out of range is clamped.
        public init(color: MapColor, tolerance: Int = 0) {
            self.color = color
            self.tolerance = min(max(tolerance, 0), 255)
        }

        /// Returns an image with the opaque pixels of the colour made transparent.
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
}

/// An image for painting, with its source.
public struct PaintImage: Hashable, Sendable {
    /// The pixels.
    public var pixels: PixelBuffer
    /// The URL of the image, for targets that link images, or `nil` for none.
    public var address: String?
    /// The colours between the centres of its pixels.
    package var resampling = ImageResampling.bilinear

    /// Creates an image from pixels.
    public init(_ pixels: PixelBuffer, address: String? = nil) {
        self.pixels = pixels
        self.address = address
    }
}

extension PixelBuffer {
    /// Returns the bounding rectangle of the differences from another buffer of the same size in a range of rows, or
    /// `nil` if they are equal.
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
