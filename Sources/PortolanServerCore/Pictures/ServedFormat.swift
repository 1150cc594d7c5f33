import Portolan
import PortolanCodecs
import PortolanPaint
import PortolanRaster

/// The image formats that the server writes.
package enum ServedFormat: String, Hashable, Sendable, CaseIterable {
    case png, jpg, webp, svg, pdf

    /// The formats that this build supports.
    package static var allCases: [Self] {
        #if Images
        [.png, .jpg, .webp, .svg, .pdf]
        #else
        [.png, .jpg, .svg, .pdf]
        #endif
    }

    /// Parses a file extension or format name; `jpeg` is accepted for `jpg`.
    package init?(name: some StringProtocol) {
        let name = name.lowercased()
        self.init(rawValue: name == "jpeg" ? "jpg" : name)
    }

    /// Parses a media type that this build supports, ignoring its parameters.
    package init?(mediaType: some StringProtocol) {
        let name = mediaType.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard let format = Self.allCases.first(where: { $0.mediaType == name }) else { return nil }
        self = format
    }

    /// The media type.
    package var mediaType: String {
        switch self {
        case .png: "image/png"
        case .jpg: "image/jpeg"
        case .webp: "image/webp"
        case .svg: "image/svg+xml"
        case .pdf: "application/pdf"
        }
    }

    /// Whether the format has pixels.
    ///
    /// Parts cannot be cropped from an SVG or PDF.
    package var hasPixels: Bool { self != .svg && self != .pdf }

    /// Encodes pixels.
    ///
    /// - Parameters:
    ///   - background: the colour behind transparent pixels in a JPEG.
    ///   - quality: the quality of a WebP, 1 to 100, or `nil` for a lossless one.
    /// - Throws: ``/PortolanCodecs/CodecError``.
    func encode(_ image: PixelBuffer, background: MapColor, quality: Int? = nil) throws -> [UInt8] {
        switch self {
        case .png: try PNGEncoder.encode(image)
        case .jpg: try JPEGEncoder.encode(image, background: background.alpha == 255 ? background : .white)
        case .webp:
            try WebPEncoder.encode(image, compression: quality.map { .lossy(quality: $0) } ?? .lossless)
        case .svg, .pdf: []
        }
    }

    /// Encodes a render result.
    ///
    /// - Throws: ``/PortolanCodecs/CodecError``, ``/PortolanText/TextError``.
    func encode(_ result: RenderResult, background: MapColor, quality: Int? = nil) throws -> [UInt8] {
        if self == .svg { return try result.svg(SVGOptions()) }
        if self == .pdf { return try result.pdf() }
        var bytes: [UInt8] = []
        switch self {
        case .png where result.isPaintedInBands: try result.encodePNG { bytes += $0 }
        case .jpg where result.isPaintedInBands:
            try result.encodeJPEG(background: background.alpha == 255 ? background : .white) { bytes += $0 }
        default: return try encode(result.image, background: background, quality: quality)
        }
        return bytes
    }
}
