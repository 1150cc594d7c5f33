import PortolanWeb

/// Reads GeoJSON: RFC 7946, and the `crs` member of GeoJSON 2008.
///
/// ```swift
/// let collection = try GeoJSONReader.read(document)
/// for warning in collection.warnings { print(warning) }
/// ```
///
/// The document may be a feature collection, a feature or a bare geometry; the latter two become a collection of one
/// feature. Members may be in any order. Unambiguous faults in old files are repaired with a warning: rings that are
/// not closed, a feature without `properties` or `geometry`, an invalid `bbox`.
///
/// An invalid feature does not affect the rest of the file: it is repaired or skipped, with a
/// ``/PortolanWeb/MapWarning`` that has the feature, the byte offset, and the effect. Coordinates are x east, y north,
/// regardless of the `crs`. An unknown `crs` is an error, since the features would be in the wrong place.
public enum GeoJSONReader {
    /// Reads a document in one pass.
    ///
    /// - Parameter threads: the number of threads for the features of a large collection. The result does not depend on
    ///   it. With a budget in ``FeatureLimits/memory``, one thread is used, so that memory is charged in order.
    /// - Throws: ``GeoJSONError`` with the byte and line of the first fault.
    /// - Complexity: O(*n*) in the bytes; an object whose `type` follows its content is scanned twice.
    public static func read(
        _ bytes: [UInt8], limits: FeatureLimits = FeatureLimits(), threads: Int = 1
    ) throws(GeoJSONError)
        -> FeatureCollection
    {
        try read(bytes, limits: limits, threads: threads, runLength: 1 << 20)
    }

    /// Reads a document with threads that read runs of the given number of bytes.
    package static func read(
        _ bytes: [UInt8], limits: FeatureLimits = FeatureLimits(), threads: Int, runLength: Int
    ) throws(GeoJSONError) -> FeatureCollection {
        var parser = GeoJSONParser(bytes: bytes, limits: limits)
        if limits.memory == nil { (parser.threadCount, parser.runLength) = (threads, runLength) }
        do throws(GeoJSONError) {
            return try parser.charging { (parser) throws(GeoJSONError) in try parser.document(bytes.span) }
        } catch { throw error.counted(in: bytes) }
    }
}

/// A reason why a document cannot be read as GeoJSON, with its position.
public struct GeoJSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Hashable, Sendable, CaseIterable {
        /// The document is not valid JSON (RFC 8259).
        case syntax
        /// The document ends unexpectedly.
        case truncated
        /// There is content after the end of the document.
        case trailingContent
        /// A text is not valid UTF-8, or contains half of a surrogate pair.
        case invalidText
        /// A number is invalid, too long or too large.
        case invalidNumber
        /// A required member is missing.
        case missingMember
        /// The value of a member has an invalid type.
        case wrongType
        /// The nesting of the coordinates does not match the geometry type.
        case wrongNesting
        /// The CRS in the `crs` member is unknown or cannot be looked up.
        case unsupportedCRS
        /// One of the ``FeatureLimits`` is exceeded.
        case limitExceeded
        /// The document or its features exceed the budget ``FeatureLimits/memory``.
        case memory
        /// The task was cancelled.
        case cancelled

        /// Whether reading must stop.
        package var endsReading: Bool { [.limitExceeded, .memory, .cancelled].contains(self) }
    }

    /// The kind of failure.
    public let code: Code
    /// The position in bytes from the start of the document.
    public let byteOffset: Int
    /// The line number, from 1.
    public let line: Int
    /// The cause.
    public let detail: String
    /// The expected format: `GeoJSON`, or `JSON` with any content.
    public private(set) var format = "GeoJSON"

    init(code: Code, byteOffset: Int, line: Int, detail: String) {
        (self.code, self.byteOffset, self.line, self.detail) = (code, byteOffset, line, detail)
    }

    /// Returns the error with its line number in the document.
    package func counted(in bytes: [UInt8], of format: String = "GeoJSON") -> GeoJSONError {
        let line = bytes[..<min(byteOffset, bytes.count)].reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
        var error = GeoJSONError(code: code, byteOffset: byteOffset, line: line, detail: detail)
        error.format = format
        return error
    }

    /// The failure and its position, in one line.
    public var description: String { "\(format), line \(line) (byte \(byteOffset)): \(detail)" }
}

extension GeoJSONParser {
    /// Returns an error at a byte.
    ///
    /// The line is not counted yet, as most errors are recovered from.
    func error(_ code: GeoJSONError.Code, _ offset: Int, _ detail: String) -> GeoJSONError {
        GeoJSONError(code: code, byteOffset: offset, line: 0, detail: detail.inOneLine)
    }

    /// Returns the error for unexpected content, or the end of the document, at the cursor.
    func unexpected(_ text: Span<UInt8>, _ wanted: StaticString) -> GeoJSONError {
        guard position < text.count else {
            return error(.truncated, text.count, "unexpected end of the document; expected \(wanted)")
        }
        return error(.syntax, position, "expected \(wanted), found \(found(text))")
    }

    /// Returns a description of the content at the cursor.
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

    /// Returns the error for a value of the wrong type, or the end of the document, at the cursor.
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
            "duplicate name in one object" + (mendsText ? "; using its last value" : ""), key: String(name.prefix(80)),
            at: offset, effect: allowsRepeatedNames ? .note : .repaired)
    }
}
