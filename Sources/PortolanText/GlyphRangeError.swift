/// The reason why a glyph range cannot be read.
package enum GlyphRangeError: Error, Hashable, Sendable {
    /// The document has more bytes than `limit`.
    case tooLong(count: Int, limit: Int)
    /// The bytes at a position do not follow the wire format.
    case malformed(byteOffset: Int, reason: String)
    /// The document contains more glyphs than `limit`.
    case tooManyGlyphs(byteOffset: Int, limit: Int)
    /// The document contains no font, as an error page that begins like a message does.
    case noFont

    /// The position of the failure in bytes, or `nil` if the whole document is refused.
    package var byteOffset: Int? {
        switch self {
        case .malformed(let offset, _), .tooManyGlyphs(let offset, _): offset
        case .tooLong, .noFont: nil
        }
    }
}

extension GlyphRangeError: CustomStringConvertible {
    /// The reason in one line, without the position.
    package var description: String {
        switch self {
        case .tooLong(let count, let limit): "the glyph range has \(count) bytes; the limit is \(limit)"
        case .malformed(_, let reason): "not a glyph range: \(reason)"
        case .tooManyGlyphs(_, let limit): "more than \(limit) glyphs in a range"
        case .noFont: "not a glyph range: it contains no font"
        }
    }
}
