public import PortolanRaster

/// A reader for QR codes in images.
///
/// It requires the trait `ZBar` (Debian package `libzbar-dev`).
public enum QRScanner {
    /// The maximum number of pixels of an image: 64 million.
    public static let maximumPixelCount = 64_000_000
    /// The maximum number of codes in an image.
    public static let maximumCodeCount = 256

    /// A QR code in an image.
    public struct Code: Hashable, Sendable {
        /// The text of the code.
        public var text: String
        /// The corners in pixels, as far as they are known.
        public var corners: [Point]

        /// Creates a code.
        public init(text: String, corners: [Point] = []) {
            self.text = text
            self.corners = corners
        }
    }

    /// Whether this build can read codes.
    public static var isAvailable: Bool {
        #if ZBar
        true
        #else
        false
        #endif
    }

    /// Returns the codes in an image in the order of detection.
    ///
    /// - Throws: ``QRScanner/ScanError``.
    /// - Complexity: O(pixels).
    public static func codes(in picture: PixelBuffer) throws(QRScanner.ScanError) -> [Code] {
        guard picture.pixels.count <= maximumPixelCount else { throw .tooLarge(limit: maximumPixelCount) }
        #if ZBar
        return try ZBarScan.codes(in: grays(of: picture), width: picture.width, height: picture.height)
        #else
        throw .unavailable
        #endif
    }

    /// Returns the brightness of each pixel on a white background (ITU-R BT.601).
    static func grays(of picture: PixelBuffer) -> [UInt8] {
        picture.pixels.map { bits in
            let pixel = Pixel(bits: bits)
            // Colours are premultiplied, so the missing alpha is added as white.
            let gray = (299 * Int(pixel.red) + 587 * Int(pixel.green) + 114 * Int(pixel.blue)) / 1000
            return UInt8(min(255, gray + 255 - Int(pixel.alpha)))
        }
    }
}

extension QRScanner {
    /// The reason why codes cannot be read.
    public enum ScanError: Error, Hashable, Sendable, CustomStringConvertible {
        /// This build lacks the trait `ZBar`.
        case unavailable
        /// The image exceeds this number of pixels.
        case tooLarge(limit: Int)
        /// The library failed to scan the image.
        case failed

        /// A one-line message.
        public var description: String {
            switch self {
            case .unavailable: "this build cannot read codes in images; build with the trait ZBar"
            case .tooLarge(let limit): "the image has more than \(limit) pixels"
            case .failed: "zbar cannot process the image"
            }
        }
    }
}
