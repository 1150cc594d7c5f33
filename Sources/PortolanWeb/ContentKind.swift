/// The kind of a body or file by its first bytes, independent of its name, header or status.
///
/// A recognised kind is not necessarily a supported one.
package enum ContentKind: Hashable, Sendable, CaseIterable {
    case png, jpeg, gif, webp, bmp, jpeg2000, avif
    /// Classic TIFF or BigTIFF.
    case tiff
    /// XML whose first element is `svg`.
    case svg
    case pdf
    /// An SQLite database, such as MBTiles or a GeoPackage.
    case sqlite
    case zip, gzip, shapefile, flatGeobuf
    /// XML, HTML or other text that begins with `<`.
    case markup
    /// Text that begins with `{` or `[`.
    case json

    /// Recognises `bytes`, or returns `nil` if they have no known signature.
    ///
    /// - Complexity: O(1) for content with a signature; white space before a document is skipped.
    package init?(recognizing bytes: [UInt8]) {
        guard let kind = Self.signatures.first(where: { $0.matches(bytes) })?.kind ?? Self.textKind(of: bytes) else {
            return nil
        }
        self = kind
    }

    /// Whether it is a raster image.
    package var isRaster: Bool {
        switch self {
        case .png, .jpeg, .gif, .webp, .tiff, .bmp, .jpeg2000, .avif: true
        case .svg, .pdf, .sqlite, .zip, .gzip, .shapefile, .flatGeobuf, .markup, .json: false
        }
    }

    /// Whether it is XML, HTML or similar.
    package var isMarkup: Bool { self == .markup || self == .svg }

    private struct Signature {
        let kind: ContentKind
        let start: [UInt8]
        var rest: [UInt8] = []
        var restOffset = 0

        func matches(_ bytes: [UInt8]) -> Bool {
            bytes.starts(with: start) && (rest.isEmpty || bytes.dropFirst(restOffset).starts(with: rest))
        }
    }

    private static let signatures: [Signature] = [
        Signature(kind: .png, start: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature(kind: .jpeg, start: [0xFF, 0xD8, 0xFF]),
        Signature(kind: .gif, start: Array("GIF87a".utf8)),
        Signature(kind: .gif, start: Array("GIF89a".utf8)),
        Signature(kind: .webp, start: Array("RIFF".utf8), rest: Array("WEBP".utf8), restOffset: 8),
        // The byte order mark, then 42 for classic TIFF or 43 for BigTIFF.
        Signature(kind: .tiff, start: [0x49, 0x49, 0x2A, 0]),
        Signature(kind: .tiff, start: [0x4D, 0x4D, 0, 0x2A]),
        Signature(kind: .tiff, start: [0x49, 0x49, 0x2B, 0]),
        Signature(kind: .tiff, start: [0x4D, 0x4D, 0, 0x2B]),
        Signature(kind: .bmp, start: Array("BM".utf8), rest: [0, 0, 0, 0], restOffset: 6),
        Signature(kind: .jpeg2000, start: [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]),
        Signature(kind: .avif, start: [], rest: Array("ftypavif".utf8), restOffset: 4),
        Signature(kind: .pdf, start: Array("%PDF-".utf8)),
        Signature(kind: .sqlite, start: Array("SQLite format 3\0".utf8)),
        Signature(kind: .zip, start: Array("PK\u{3}\u{4}".utf8)),
        // An empty archive, and a part of a split one.
        Signature(kind: .zip, start: Array("PK\u{5}\u{6}".utf8)),
        Signature(kind: .zip, start: Array("PK\u{7}\u{8}".utf8)),
        Signature(kind: .gzip, start: [0x1F, 0x8B]),
        Signature(kind: .shapefile, start: [0, 0, 0x27, 0x0A]),
        Signature(kind: .flatGeobuf, start: Array("fgb".utf8)),
    ]

    /// Returns the kind of a text by its first character, skipping a byte order mark, white space and zeros of UTF-16.
    private static func textKind(of bytes: [UInt8]) -> ContentKind? {
        switch bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) {
        case UInt8(ascii: "<"): isSVG(bytes.prefix(1024)) ? .svg : .markup
        case UInt8(ascii: "{"), UInt8(ascii: "["): .json
        default: nil
        }
    }

    /// Returns whether the text is XML with the root element `svg`, after a declaration, comments or a document type.
    private static func isSVG(_ head: ArraySlice<UInt8>) -> Bool {
        var rest = head.withoutByteOrderMark
        while true {
            rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
            if rest.starts(with: "<svg".utf8) {
                guard let next = rest.dropFirst(4).first else { return true }
                return next == 0x3E || next == 0x2F || next == 0x20 || (0x09...0x0D).contains(next)
            }
            let isComment = rest.starts(with: "<!--".utf8)
            guard isComment || rest.starts(with: "<?".utf8) || rest.starts(with: "<!DOCTYPE svg".utf8) else {
                return false
            }
            repeat {
                rest = rest.drop { $0 != 0x3E }.dropFirst()
            } while isComment && !rest.isEmpty && !endsComment(head, at: rest.startIndex)
        }
    }

    private static func endsComment(_ head: ArraySlice<UInt8>, at index: Int) -> Bool {
        index >= 3 && head[index - 2] == 0x2D && head[index - 3] == 0x2D
    }
}

extension Collection<UInt8> {
    /// The bytes without a UTF-8 byte order mark.
    package var withoutByteOrderMark: SubSequence { dropFirst(starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0) }
}

/// A media type in the syntax of headers and documents (RFC 9110, section 8.3.1).
package struct MediaType: Hashable, Sendable {
    /// The type and subtype in lower case and without parameters, such as `image/png`.
    package let essence: String
    /// The `charset` parameter in lower case and without quotes.
    package let charset: String?

    /// Parses a media type; any text is accepted.
    package init(_ text: String) {
        let parts = text.lowercased().split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
        essence = String(parts.first ?? "")
        charset =
            parts.dropFirst().lazy.compactMap { parameter -> String? in
                let sides = parameter.split(separator: "=", maxSplits: 1).map(\.trimmed)
                return sides.count == 2 && sides[0] == "charset" ? sides[1].filter { $0 != "\"" } : nil
            }.first
    }

    /// The ``essence`` in its registered spelling: `image/jpg` becomes `image/jpeg`.
    package var registered: String { essence == "image/jpg" ? "image/jpeg" : essence }

    /// Whether it is an image type.
    package var isImage: Bool { essence.hasPrefix("image/") }

    /// Returns the media type of an image format name such as `png` or `jpg`; a complete media type is unchanged.
    package static func text(ofImages name: String) -> String {
        name.contains("/") ? name : MediaType("image/\(name)").registered
    }
}
