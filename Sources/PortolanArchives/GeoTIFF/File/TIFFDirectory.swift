/// An image file directory: the fields of an image (TIFF 6.0, section 2).
struct TIFFDirectory: Sendable {
    /// A field, whose values may not be read yet.
    struct Field: Sendable {
        let type: TIFFValue
        let count: UInt64
        /// The position of the first value.
        let offset: UInt64

        var range: Range<UInt64> { offset..<offset + count * UInt64(type.width) }
    }

    let offset: UInt64
    /// The position of the next directory, or 0.
    let next: UInt64
    private let fields: [UInt16: Field]
    let isLittleEndian: Bool

    /// The fields of a directory at most, and the bytes of the values of a field that is read as a whole.
    private static let fieldLimit: UInt64 = 4096, valueLimit: UInt64 = 4 << 20

    /// Reads the directory at an offset.
    init(at offset: UInt64, _ header: TIFFHeader, _ parts: TIFFParts) throws(TIFFParts.Stop) {
        self.offset = offset
        isLittleEndian = header.isLittleEndian
        let countWidth: UInt64 = header.isBig ? 8 : 2, width: UInt64 = header.isBig ? 20 : 12
        let word: UInt64 = header.isBig ? 8 : 4
        guard offset <= parts.byteCount else {
            throw .init(.malformed, offset: offset, "a directory lies behind the end of the file")
        }
        let count = TIFFValue.number(try parts.bytes(offset..<offset + countWidth), isLittleEndian)
        guard count <= Self.fieldLimit else {
            throw .init(
                .limitExceeded, offset: offset, "a directory has \(count) fields; the limit is \(Self.fieldLimit)")
        }
        let start = offset + countWidth
        let bytes = Array(try parts.bytes(start..<start + count * width + word))
        var fields: [UInt16: Field] = [:]
        for index in 0..<Int(count) {
            let first = index * Int(width)
            func number(_ position: Int, _ width: Int) -> UInt64 {
                TIFFValue.number(bytes[(first + position)..<(first + position + width)], header.isLittleEndian)
            }
            // Fields of unknown types are skipped, as the specification asks.
            guard let type = TIFFValue(rawValue: UInt16(number(2, 2))) else { continue }
            let valueCount = number(4, Int(word)), position = 4 + Int(word)
            let (size, overflows) = valueCount.multipliedReportingOverflow(by: UInt64(type.width))
            let place = size <= word ? start + UInt64(first + position) : number(position, Int(word))
            guard !overflows, place <= parts.byteCount, size <= parts.byteCount - place else {
                throw .init(
                    .malformed, offset: start + UInt64(first), "the values of field \(number(0, 2)) are not in the file"
                )
            }
            fields[UInt16(number(0, 2))] = Field(type: type, count: valueCount, offset: place)
        }
        self.fields = fields
        next = TIFFValue.number(bytes.suffix(Int(word)), isLittleEndian)
    }

    subscript(_ tag: TIFFTag) -> Field? { fields[tag.rawValue] }

    /// Returns all values of a field as numbers, or `nil` if there is no such field.
    func numbers(_ tag: TIFFTag, _ parts: TIFFParts) throws(TIFFParts.Stop) -> [Double]? {
        guard let field = self[tag] else { return nil }
        let bytes = try bytes(field, parts), width = field.type.width
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: width).map {
            field.type.number(bytes[$0..<($0 + width)], isLittleEndian)
        }
    }

    /// Returns all values of a field as whole numbers, or `nil` if there is no such field.
    func wholes(_ tag: TIFFTag, _ parts: TIFFParts) throws(TIFFParts.Stop) -> [Int]? {
        try numbers(tag, parts)?.map { Int(exactly: $0) ?? .max }
    }

    /// Returns the first value of a field as a whole number, or `nil` if there is no such field.
    func whole(_ tag: TIFFTag, _ parts: TIFFParts) throws(TIFFParts.Stop) -> Int? {
        guard let field = self[tag], field.count > 0 else { return nil }
        return Int(exactly: try number(at: 0, of: field, parts))
    }

    /// Returns one value of a field, as a whole number.
    func number(at index: UInt64, of field: Field, _ parts: TIFFParts) throws(TIFFParts.Stop) -> UInt64 {
        let start = field.offset + index * UInt64(field.type.width)
        return TIFFValue.number(try parts.bytes(start..<start + UInt64(field.type.width)), isLittleEndian)
    }

    /// Returns the text of a field without the zero at its end.
    func text(_ tag: TIFFTag, _ parts: TIFFParts) throws(TIFFParts.Stop) -> String? {
        guard let field = self[tag], field.type == .ascii else { return nil }
        return String(decoding: try bytes(field, parts).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Returns the bytes of all values.
    func bytes(_ field: Field, _ parts: TIFFParts) throws(TIFFParts.Stop) -> ArraySlice<UInt8> {
        guard field.range.upperBound - field.range.lowerBound <= Self.valueLimit else {
            throw .init(.limitExceeded, offset: field.offset, "a field has more than \(Self.valueLimit) bytes")
        }
        return try parts.bytes(field.range)
    }
}
