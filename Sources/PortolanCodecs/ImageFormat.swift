import PortolanWeb

/// A picture format recognised by its first bytes; it need not be supported by a decoder.
package enum ImageFormat: String, Hashable, Sendable, CaseIterable {
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

    /// Recognises the signature of `bytes`, or returns `nil` for an unknown one.
    ///
    /// Servers may send errors as text with an image media type, so the content decides.
    ///
    /// - Complexity: O(1).
    package init?(recognizing bytes: [UInt8]) {
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
    package var mediaType: String {
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

    /// The display name, such as `PNG`.
    package var name: String { self == .webp ? "WebP" : rawValue.uppercased() }

    /// Whether one of the ``ImageDecoders/standard`` decoders supports the format.
    package var isDecodable: Bool { ImageDecoders.standard.decoders.contains { $0.format == rawValue } }
}

/// The start of unknown data in readable form: quoted text, or hexadecimal.
struct FirstBytes: CustomStringConvertible {
    private static let textLength = 80
    private static let binaryLength = 16

    let description: String

    init(_ bytes: [UInt8]) {
        let head = bytes.prefix(Self.textLength)
        // Truncation may split a character, which then decodes to a replacement character at the end.
        var text = String(decoding: head, as: UTF8.self)
        if head.count < bytes.count, text.last == "\u{fffd}" { text.removeLast() }
        let isText = text.unicodeScalars.allSatisfy { scalar in
            scalar != "\u{fffd}" && (scalar.value >= 0x20 || (0x09...0x0d).contains(scalar.value))
                && !(0x7f...0x9f).contains(scalar.value)
        }
        if isText {
            let line = text.split { $0.isWhitespace }.joined(separator: " ")
            description = "“\(line)\(head.count < bytes.count ? "…" : "")”"
        } else {
            let digits = bytes.prefix(Self.binaryLength).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            let rest = bytes.count > Self.binaryLength ? " …" : ""
            description = "the bytes " + digits.joined(separator: " ") + rest
        }
    }
}
