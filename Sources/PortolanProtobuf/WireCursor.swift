/// Reads the fields of one message in the wire format of Protocol Buffers.
///
/// Nothing is read beyond the end of the message, lengths are compared before anything is allocated, and groups are skipped to a
/// bounded depth (*Protocol Buffers encoding*: "Message Structure", "Groups"). The bytes are given to each call, so that a loop
/// over a large message borrows them once.
///
/// It is public because the compiler inlines no `package` function into another module, which makes reading vector tiles half as
/// fast. No product has this module.
public struct WireCursor {
    /// The deepest nesting of groups that is skipped.
    private static let groupDepth = 64

    /// The position of the next field.
    @inlinable public var position: Int { offset }
    @usableFromInline var offset: Int
    /// The end of the message.
    public let end: Int

    /// - Parameter range: the range of the message in the bytes that the other functions are given.
    @inlinable public init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    /// The next field of the message, or `nil` at its end.
    @inlinable public mutating func next(in bytes: Span<UInt8>) throws(WireError) -> WireField? {
        guard offset < end else { return nil }
        let start = offset, tag = try tag(in: bytes), number = Int(tag >> 3)
        switch tag & 7 {
        case 0:
            let bits = try varint(in: bytes)
            return WireField(number: number, kind: .varint, bits: bits, start: start, end: offset)
        case 2:
            let range = try range(in: bytes)
            return WireField(number: number, kind: .bytes, bits: 0, start: range.lowerBound, end: range.upperBound)
        case 1:
            let bits = try fixed(8, in: bytes)
            return WireField(number: number, kind: .fixed64, bits: bits, start: start, end: offset)
        case 5:
            let bits = try fixed(4, in: bytes)
            return WireField(number: number, kind: .fixed32, bits: bits, start: start, end: offset)
        default:
            try skip(tag, from: start, in: bytes)
            return WireField(number: number, kind: .group, bits: 0, start: start, end: offset)
        }
    }

    /// The tag of the next field: its number times 8, and its encoding.
    ///
    /// Loops over small messages read tags and values by themselves, which is faster than ``next(in:)``.
    @inlinable @inline(__always)
    public mutating func tag(in bytes: Span<UInt8>) throws(WireError) -> UInt64 {
        let start = offset, tag = try varint(in: bytes)
        guard tag <= UInt64(UInt32.max), tag >> 3 != 0 else { throw WireError(start, .malformed, "unknown field") }
        return tag
    }

    /// The range of a text, a message or a packed list, after its tag.
    @inlinable @inline(__always)
    public mutating func range(in bytes: Span<UInt8>) throws(WireError) -> Range<Int> {
        let length = try varint(in: bytes), begin = offset
        guard length <= UInt64(end - begin) else {
            throw WireError(begin, .malformed, "a field exceeds its message")
        }
        offset += Int(length)
        return begin..<offset
    }

    /// The next number of a packed list, or of any other sequence of variable-length numbers.
    @inlinable @inline(__always)
    public mutating func varint(in bytes: Span<UInt8>) throws(WireError) -> UInt64 {
        guard offset < end else { throw truncated }
        return try Self.varint(in: bytes, at: &offset, end: end)
    }

    /// A number of variable length that ends before a position in the bytes.
    @inlinable @inline(__always)
    public static func varint(
        in bytes: Span<UInt8>, at offset: inout Int, end: Int
    ) throws(WireError) -> UInt64 {
        guard offset < end, offset < bytes.count else { throw WireError(end, .malformed, "unexpected end of data") }
        let first = bytes[offset]
        offset += 1
        if first < 0x80 { return UInt64(first) }
        // Most others have two bytes.
        if offset < end, offset < bytes.count {
            let second = bytes[offset]
            if second < 0x80 {
                offset += 1
                return UInt64(first & 0x7F) | UInt64(second) << 7
            }
        }
        let long = try longVarint(after: first, in: bytes, at: offset, end: end)
        offset = long.end
        return long.value
    }

    /// A number of more than one byte, the first of which is read.
    ///
    /// Its end is returned, so that callers keep theirs in a register.
    @usableFromInline static func longVarint(
        after first: UInt8, in bytes: Span<UInt8>, at start: Int, end: Int
    ) throws(WireError) -> (value: UInt64, end: Int) {
        var offset = start, value = UInt64(first & 0x7F), shift: UInt64 = 7
        while offset < end, offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            guard shift < 63 || byte <= 1 else {
                throw WireError(start - 1, .malformed, "a number exceeds 64 bits")
            }
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return (value, offset) }
            shift += 7
        }
        throw WireError(end, .malformed, "unexpected end of data")
    }

    /// A number of four or eight bytes, after its tag.
    public mutating func fixed(_ count: Int, in bytes: Span<UInt8>) throws(WireError) -> UInt64 {
        guard end - offset >= count else { throw truncated }
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
        offset += count
        return value
    }

    /// Skips the value of a field.
    ///
    /// - Parameter start: the position of the tag.
    public mutating func skip(
        _ tag: UInt64, from start: Int, in bytes: Span<UInt8>
    ) throws(WireError) {
        switch tag & 7 {
        case 0: _ = try varint(in: bytes)
        case 1: _ = try fixed(8, in: bytes)
        case 2: _ = try range(in: bytes)
        case 3: try skipGroup(Int(tag >> 3), from: start, in: bytes)
        case 4: throw WireError(start, .malformed, "a group ends that has not begun")
        case 5: _ = try fixed(4, in: bytes)
        default: throw WireError(start, .malformed, "unknown field type")
        }
    }

    private mutating func skipGroup(
        _ number: Int, from start: Int, in bytes: Span<UInt8>
    ) throws(WireError) {
        var open = [number]
        while let innermost = open.last {
            let tagStart = offset
            let tag = try varint(in: bytes)
            switch tag & 7 {
            case 0: _ = try varint(in: bytes)
            case 1: _ = try fixed(8, in: bytes)
            case 5: _ = try fixed(4, in: bytes)
            case 2:
                let length = try varint(in: bytes)
                guard length <= UInt64(end - offset) else { throw truncated }
                offset += Int(length)
            case 3:
                guard open.count < Self.groupDepth else {
                    throw WireError(tagStart, .limitExceeded, "groups nested too deeply")
                }
                open.append(Int(truncatingIfNeeded: tag >> 3))
            case 4:
                guard tag >> 3 == UInt64(innermost) else {
                    throw WireError(tagStart, .malformed, "mismatched end of a group")
                }
                open.removeLast()
            default: throw WireError(tagStart, .malformed, "unknown field type")
            }
        }
    }

    @usableFromInline var truncated: WireError { WireError(end, .malformed, "unexpected end of data") }
}
