import PortolanWeb

/// Reads GeoJSON: RFC 7946, and of its forerunner from 2008 the `crs` member.
///
/// The document may be a feature collection, one feature or a bare geometry; the latter two become a collection of one
/// feature. Members may stand in any order. Old files' faults that leave no doubt are mended with a warning: rings that
/// are not closed, a feature without `properties` or `geometry`, a `bbox` that is none. One odd feature does not lose the
/// file: what is JSON but not GeoJSON is read as it must be meant or left out, with a ``/PortolanWeb/MapWarning`` that names
/// feature and byte and says by its effect which of the two. Coordinates are x east, y north whatever the
/// `crs` says; a `crs` that Portolan does not know is an error, since the features would land in the wrong place.
public enum GeoJSONReader {
    /// Reads a whole document in one pass.
    ///
    /// - Parameter threads: how many threads read the features of a large collection, to the same result; one reads where
    ///   ``FeatureLimits/memory`` is a budget, to which what is read is charged in its order.
    /// - Throws: ``GeoJSONError`` with the byte and line of the first fault.
    /// - Complexity: O(*n*) in the bytes; an object whose `type` follows its content is scanned twice.
    public static func read(
        bytes: [UInt8], limits: FeatureLimits = FeatureLimits(), threads: Int = 1
    ) throws(GeoJSONError)
        -> FeatureCollection
    {
        try read(bytes: bytes, limits: limits, threads: threads, runLength: 1 << 20)
    }

    /// Reads a whole document with threads that read so many bytes at a time.
    package static func read(
        bytes: [UInt8], limits: FeatureLimits = FeatureLimits(), threads: Int, runLength: Int
    ) throws(GeoJSONError) -> FeatureCollection {
        var parser = GeoJSONParser(bytes: bytes, limits: limits)
        if limits.memory == nil { (parser.threadCount, parser.runLength) = (threads, runLength) }
        do throws(GeoJSONError) {
            return try parser.charging { (parser) throws(GeoJSONError) in try parser.document(bytes.span) }
        } catch { throw error.counted(in: bytes) }
    }
}

/// Why a document could not be read as GeoJSON, and where.
public struct GeoJSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Hashable, Sendable, CaseIterable {
        /// The bytes are no JSON (RFC 8259).
        case syntax
        /// The document ends in the middle.
        case truncated
        /// Something follows the end of the document.
        case trailingContent
        /// A text is not valid UTF-8, or escapes half of a surrogate pair.
        case invalidText
        /// A number is malformed, too long or too large.
        case invalidNumber
        /// A member that GeoJSON demands is not there.
        case missingMember
        /// A member has a value of a kind that GeoJSON does not allow there.
        case wrongType
        /// The coordinates are nested otherwise than the geometry's type demands.
        case wrongNesting
        /// The `crs` member names a system that is not known or cannot be looked up.
        case unsupportedCRS
        /// One of the ``FeatureLimits`` is exceeded.
        case limitExceeded
        /// There is no room for the document, or for its features, in ``FeatureLimits/memory``.
        case memory
        /// The task that was reading was cancelled.
        case cancelled

        /// Whether reading must end, whatever the document has.
        package var endsReading: Bool { [.limitExceeded, .memory, .cancelled].contains(self) }
    }

    /// What kind of failure it is.
    public let code: Code
    /// Where, counted in bytes from the start of the document.
    public let byteOffset: Int
    /// The line, the first being 1.
    public let line: Int
    /// What is wrong, for a person.
    public let detail: String
    /// What the document should be: `GeoJSON`, or `JSON` of any content.
    public private(set) var format = "GeoJSON"

    init(code: Code, byteOffset: Int, line: Int, detail: String) {
        (self.code, self.byteOffset, self.line, self.detail) = (code, byteOffset, line, detail)
    }

    /// The error with its line in the document.
    package func counted(in bytes: [UInt8], of format: String = "GeoJSON") -> GeoJSONError {
        let line = bytes[..<min(byteOffset, bytes.count)].reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
        var error = GeoJSONError(code: code, byteOffset: byteOffset, line: line, detail: detail)
        error.format = format
        return error
    }

    /// The failure and its place in one line.
    public var description: String { "\(format), line \(line) (byte \(byteOffset)): \(detail)" }
}

extension GeoJSONParser {
    /// An error at a byte, its line not counted yet: most are overcome.
    func error(_ code: GeoJSONError.Code, _ offset: Int, _ detail: String) -> GeoJSONError {
        GeoJSONError(code: code, byteOffset: offset, line: 0, detail: detail.inOneLine)
    }

    /// The error of a document that ends at the cursor, or holds something else there than `wanted`.
    func unexpected(_ text: Span<UInt8>, _ wanted: StaticString) -> GeoJSONError {
        guard position < text.count else {
            return error(.truncated, text.count, "unexpected end of the document; expected \(wanted)")
        }
        return error(.syntax, position, "expected \(wanted), found \(found(text))")
    }

    /// What stands at the cursor, in words.
    func found(_ text: Span<UInt8>) -> String {
        switch byte(text, position) {
        case UInt8(ascii: "{"): return "an object"
        case UInt8(ascii: "["): return "an array"
        case UInt8(ascii: "\""): return "a string"
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return "a number"
        case let other where other >= 0x21 && other < 0x7F:
            var end = position
            while end - position < 12,
                (0x41...0x5A).contains(byte(text, end)) || (0x61...0x7A).contains(byte(text, end))
            {
                end += 1
            }
            return "'" + String(decoding: bytes[position..<max(end, position + 1)], as: UTF8.self) + "'"
        case let other: return "the byte 0x" + String(other, radix: 16)
        }
    }

    /// The error of a value of the wrong kind at the cursor, or of the end of the document there.
    func wrongType(_ text: Span<UInt8>, _ wanted: String) -> GeoJSONError {
        guard position < text.count else {
            return error(.truncated, text.count, "unexpected end of the document; expected \(wanted)")
        }
        let starts: Bool =
            switch text[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "t"),
                UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "I"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        return error(starts ? .wrongType : .syntax, position, "expected \(wanted), found \(found(text))")
    }

    mutating func warnOfDuplicate(_ name: String, _ offset: Int) {
        warn(
            "duplicate name in one object; using its last value", key: String(name.prefix(80)), at: offset,
            effect: allowsRepeatedNames ? .note : .repaired)
    }
}
