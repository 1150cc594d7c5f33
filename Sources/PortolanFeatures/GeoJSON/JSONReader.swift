import PortolanWeb

/// Reads JSON with any content (RFC 8259) strictly: duplicate names in an object, and literals such as NaN, are errors.
public enum JSONReader {
    /// Reads a document, with or without a byte order mark.
    ///
    /// - Throws: ``GeoJSONError`` with the byte and line of the first fault, or that of a limit.
    /// - Complexity: O(*n*) in the bytes.
    public static func value(
        bytes: [UInt8], limits: FeatureLimits = FeatureLimits(maximumByteCount: 1 << 26)
    ) throws(GeoJSONError) -> PropertyValue {
        var parser = GeoJSONParser(bytes: bytes, limits: limits)
        parser.mendsText = false
        do throws(GeoJSONError) { return try parser.onlyValue(bytes.span) } catch {
            throw error.counted(in: bytes, of: "JSON")
        }
    }

    /// A duplicate name in an object.
    package struct RepeatedName: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The line number.
        package let line: Int
    }

    /// Reads a document that may have duplicate names in an object.
    ///
    /// The last value is used, as in most readers (RFC 8259, section 4).
    ///
    /// - Parameter repeated: receives the first duplicate names, up to a limit.
    package static func value(
        bytes: [UInt8], repeated: inout [RepeatedName]
    ) throws(GeoJSONError) -> PropertyValue {
        var parser = GeoJSONParser(bytes: bytes, limits: FeatureLimits(maximumByteCount: 1 << 26))
        parser.allowsRepeatedNames = true
        let value: PropertyValue
        do throws(GeoJSONError) { value = try parser.onlyValue(bytes.span) } catch { throw error.counted(in: bytes) }
        repeated = parser.warnings.all.compactMap { warning in
            guard let name = warning.subject.member, let offset = warning.place?.byteOffset else { return nil }
            let line = bytes[..<min(offset, bytes.count)].reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
            return RepeatedName(name: name, line: line)
        }
        return value
    }
}

extension GeoJSONParser {
    /// Reads a document that is a single value.
    fileprivate mutating func onlyValue(_ text: Span<UInt8>) throws(GeoJSONError) -> PropertyValue {
        guard text.count <= limits.maximumByteCount else {
            throw error(.limitExceeded, 0, "exceeds \(limits.maximumByteCount) bytes")
        }
        try skipByteOrderMark(text)
        guard skipSpace(text) != 0 || position < text.count else { throw error(.syntax, 0, "the document is empty") }
        let result = try value(text)
        _ = skipSpace(text)
        guard position == text.count else {
            throw error(.trailingContent, position, "\(found(text)) after the end of the document")
        }
        if let odd = warnings.all.first(where: { $0.changesDocument }) {
            throw error(
                .syntax, odd.place?.byteOffset ?? 0, "\(odd.subject.member.map { "\"\($0)\": " } ?? "")\(odd.message)")
        }
        return result
    }
}
