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

    /// Whether one of the ``ImageDecoders/standard`` decoders reads the format.
    package var isDecodable: Bool { ImageDecoders.standard.decoders.contains { $0.format == rawValue } }
}

extension ImageFormat {
    /// The format whose signature `bytes` start with, or `nil` when there is none.
    ///
    /// Servers send errors as text under an image's media type, so the bytes are believed and not the header.
    /// - Complexity: O(1); at most the first kibibyte is looked at.
    public init?(recognizing bytes: [UInt8]) { self.init(recognizing: bytes.prefix(1024)) }

    /// The format whose signature a file's first kibibyte starts with.
    init?(recognizing head: ArraySlice<UInt8>) {
        func starts(_ signature: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: signature) }
        if starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if starts([0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if starts(Array("GIF87a".utf8)) || starts(Array("GIF89a".utf8)) {
            self = .gif
        } else if starts(Array("RIFF".utf8)), starts(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if Self.tiffSignatures.contains(where: { starts($0) }) {
            self = .tiff
        } else if starts(Array("BM".utf8)), starts([0, 0, 0, 0], at: 6) {
            self = .bmp
        } else if starts(Array("%PDF-".utf8)) {
            self = .pdf
        } else if Self.isSVG(head) {
            self = .svg
        } else {
            return nil
        }
    }

    /// The byte order mark, then 42 for classic TIFF or 43 for BigTIFF.
    private static let tiffSignatures: [[UInt8]] = [
        [0x49, 0x49, 0x2a, 0], [0x4d, 0x4d, 0, 0x2a], [0x49, 0x49, 0x2b, 0], [0x4d, 0x4d, 0, 0x2b],
    ]

    /// Whether the text is XML whose first element is `svg`, behind a declaration, comments or a document type.
    private static func isSVG(_ head: ArraySlice<UInt8>) -> Bool {
        var rest = head.starts(with: [0xef, 0xbb, 0xbf]) ? head.dropFirst(3) : head
        while true {
            rest = rest.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
            if rest.starts(with: "<svg".utf8) {
                guard let next = rest.dropFirst(4).first else { return true }
                return next == 0x3e || next == 0x2f || next == 0x20 || (0x09...0x0d).contains(next)
            }
            let isComment = rest.starts(with: "<!--".utf8)
            guard isComment || rest.starts(with: "<?".utf8) || rest.starts(with: "<!DOCTYPE svg".utf8) else {
                return false
            }
            repeat {
                rest = rest.drop { $0 != 0x3e }.dropFirst()
            } while isComment && !rest.isEmpty && !Self.endsComment(head, at: rest.startIndex)
        }
    }

    private static func endsComment(_ head: ArraySlice<UInt8>, at index: Int) -> Bool {
        index >= 3 && head[index - 2] == 0x2d && head[index - 3] == 0x2d
    }
}

/// The beginning of unknown data, written so that a person sees what it is: quoted text, or hexadecimal.
struct FirstBytes: CustomStringConvertible {
    private static let textLength = 80
    private static let binaryLength = 16

    let description: String

    init(_ bytes: [UInt8]) {
        let head = bytes.prefix(Self.textLength)
        // Text may be cut inside a character, which then decodes to one replacement character at the end.
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
