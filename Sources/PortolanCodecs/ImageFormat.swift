import PortolanWeb

/// A picture format that is told apart by its first bytes; being recognised does not mean being decoded.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    /// Portable Network Graphics.
    case png
    /// JPEG, in a JFIF, Exif, Adobe or bare stream.
    case jpeg
    /// Graphics Interchange Format.
    case gif
    /// WebP.
    case webp
    /// Tagged Image File Format, classic or BigTIFF.
    case tiff
    /// Windows bitmap.
    case bmp
    /// Scalable Vector Graphics.
    case svg
    /// Portable Document Format.
    case pdf

    /// The format whose signature `bytes` start with, or `nil` when there is none.
    ///
    /// Servers send errors as text under an image's media type, so the bytes are believed and not the header.
    /// - Complexity: O(1).
    public init?(recognizing bytes: [UInt8]) {
        switch ContentKind(recognizing: bytes) {
        case .png: self = .png
        case .jpeg: self = .jpeg
        case .gif: self = .gif
        case .webp: self = .webp
        case .tiff: self = .tiff
        case .bmp: self = .bmp
        case .svg: self = .svg
        case .pdf: self = .pdf
        default: return nil
        }
    }

    /// The registered media type, such as `image/png`.
    public var mediaType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .tiff: "image/tiff"
        case .bmp: "image/bmp"
        case .svg: "image/svg+xml"
        case .pdf: "application/pdf"
        }
    }

    /// The name people use, such as `PNG`.
    public var name: String { self == .webp ? "WebP" : rawValue.uppercased() }

    /// Whether ``ImageDecoder`` turns the format into pixels.
    public var isDecodable: Bool { self == .png || self == .jpeg }
}
