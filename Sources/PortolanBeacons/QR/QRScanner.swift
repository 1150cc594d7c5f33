public import PortolanRaster

/// Reads QR codes in pictures, with the trait `ZBar` (Debian's `libzbar-dev`).
public enum QRScanner {
    /// The most pixels of a picture: 64 million.
    public static let maximumPixelCount = 64_000_000
    /// The most codes of a picture.
    public static let maximumCodeCount = 256

    /// A code that was found.
    public struct Code: Hashable, Sendable {
        /// Its text.
        public var text: String
        /// Its corners in pixels, as far as they are known.
        public var corners: [Point]

        /// Makes a code.
        public init(text: String, corners: [Point] = []) {
            self.text = text
            self.corners = corners
        }
    }

    /// Whether this build reads codes.
    public static var isAvailable: Bool {
        #if ZBar
        true
        #else
        false
        #endif
    }

    /// The codes in a picture, in the order in which they are found.
    ///
    /// - Throws: ``QRScanError``.
    /// - Complexity: O(pixels).
    public static func codes(in picture: PixelBuffer) throws(QRScanError) -> [Code] {
        guard picture.pixels.count <= maximumPixelCount else { throw .tooLarge(limit: maximumPixelCount) }
        #if ZBar
        return try ZBarScan.codes(in: grays(of: picture), width: picture.width, height: picture.height)
        #else
        throw .unavailable
        #endif
    }

    /// The brightness of each pixel upon white (ITU-R BT.601).
    static func grays(of picture: PixelBuffer) -> [UInt8] {
        picture.pixels.map { bits in
            let pixel = Pixel(bits: bits)
            // Colours are multiplied by alpha, so white shines through by what is left of it.
            let gray = (299 * Int(pixel.red) + 587 * Int(pixel.green) + 114 * Int(pixel.blue)) / 1000
            return UInt8(min(255, gray + 255 - Int(pixel.alpha)))
        }
    }
}

/// Why no codes are read.
public enum QRScanError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This build has not the trait `ZBar`.
    case unavailable
    /// The picture has more than so many pixels.
    case tooLarge(limit: Int)
    /// The library could not look at the picture.
    case failed

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .unavailable: "codes in pictures are not read by this build: it was made without the trait ZBar"
        case .tooLarge(let limit): "the picture has more than \(limit) pixels"
        case .failed: "the library zbar could not look at the picture"
        }
    }
}
