/// Reads the wire format of Protocol Buffers, field by field, over bytes that strangers sent.
///
/// Nothing is read beyond the message that is open; lengths are compared before anything is allocated, groups are skipped to
/// a bounded depth, and a field of another wire type than its number has is skipped, as the format asks
/// (*Protocol Buffers encoding*: "Message Structure", "Groups").
struct WireReader {
    /// The deepest nesting of groups that is skipped.
    private static let groupDepth = 64

    private let bytes: [UInt8]
    private var position = 0
    private var end: Int
    /// How many more messages may be made.
    private var remaining: Int

    init(_ bytes: [UInt8], elementLimit: Int) {
        self.bytes = bytes
        end = bytes.count
        remaining = elementLimit
    }

    /// The next field of the open message, or `nil` at its end.
    mutating func next() throws(WireFault) -> WireField? {
        while position < end {
            let start = position
            let tag = try varint()
            guard tag <= UInt64(UInt32.max), tag >> 3 != 0 else { throw WireFault(start, .malformed, "no such field") }
            let number = Int(tag >> 3)
            switch tag & 7 {
            case 0: return WireField(number: number, kind: .varint, bits: try varint(), start: start, end: position)
            case 1: return WireField(number: number, kind: .fixed64, bits: try fixed(8), start: start, end: position)
            case 5: return WireField(number: number, kind: .fixed32, bits: try fixed(4), start: start, end: position)
            case 2:
                let length = try varint(), begin = position
                guard length <= UInt64(end - begin) else {
                    throw WireFault(begin, .malformed, "a field ends beyond its message")
                }
                position += Int(length)
                return WireField(number: number, kind: .bytes, bits: 0, start: begin, end: position)
            case 3: try skipGroup(number, from: start)
            case 4: throw WireFault(start, .malformed, "a group ends that has not begun")
            default: throw WireFault(start, .malformed, "no such kind of field")
            }
        }
        return nil
    }

    /// Reads what a field holds into a message; nothing where it holds none.
    mutating func read<Message: WireMessage>(_ field: WireField, into message: inout Message) throws(WireFault) {
        guard field.kind == .bytes else { return }
        let (position, end) = (position, end)
        defer { (self.position, self.end) = (position, end) }
        (self.position, self.end) = (field.start, field.end)
        while let inner = try next() { try message.take(inner, from: &self) }
        if let missing = message.missing { throw WireFault(field.start, .malformed, missing) }
    }

    /// Reads what a field holds into a message that may not be there yet.
    mutating func read<Message: WireMessage>(_ field: WireField, into message: inout Message?) throws(WireFault) {
        guard field.kind == .bytes else { return }
        var read = message ?? Message()
        try self.read(field, into: &read)
        message = read
    }

    /// Adds the message that a field holds.
    mutating func append<Message: WireMessage>(_ field: WireField, to list: inout [Message]) throws(WireFault) {
        guard field.kind == .bytes else { return }
        try count(at: field.start)
        var message = Message()
        try read(field, into: &message)
        list.append(message)
    }

    /// Counts one more thing that is kept.
    mutating func count(at offset: Int) throws(WireFault) {
        guard remaining > 0 else { throw WireFault(offset, .limitExceeded, "it holds too many messages") }
        remaining -= 1
    }

    /// The text that a field holds, its faults of UTF-8 repaired; `nil` where it holds none.
    func text(_ field: WireField) -> String? {
        guard field.kind == .bytes else { return nil }
        return String(decoding: bytes[field.start..<field.end], as: UTF8.self)
    }

    private mutating func varint() throws(WireFault) -> UInt64 {
        guard position < end else { throw truncated }
        let first = bytes[position]
        position += 1
        if first < 0x80 { return UInt64(first) }
        let start = position - 1
        var value = UInt64(first & 0x7F), shift: UInt64 = 7
        while position < end {
            let byte = bytes[position]
            position += 1
            guard shift < 63 || byte <= 1 else { throw WireFault(start, .malformed, "a number has more than 64 bits") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw truncated
    }

    private mutating func fixed(_ count: Int) throws(WireFault) -> UInt64 {
        guard end - position >= count else { throw truncated }
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(bytes[position + index]) << UInt64(8 * index) }
        position += count
        return value
    }

    private mutating func skipGroup(_ number: Int, from start: Int) throws(WireFault) {
        var open = [number]
        while let innermost = open.last {
            let offset = position
            let tag = try varint()
            switch tag & 7 {
            case 0: _ = try varint()
            case 1: _ = try fixed(8)
            case 5: _ = try fixed(4)
            case 2:
                let length = try varint()
                guard length <= UInt64(end - position) else { throw truncated }
                position += Int(length)
            case 3:
                guard open.count < Self.groupDepth else { throw WireFault(offset, .limitExceeded, "too deep a group") }
                open.append(Int(truncatingIfNeeded: tag >> 3))
            case 4:
                guard tag >> 3 == UInt64(innermost) else { throw WireFault(offset, .malformed, "another group ends") }
                open.removeLast()
            default: throw WireFault(offset, .malformed, "no such kind of field")
            }
        }
    }

    private var truncated: WireFault { WireFault(end, .malformed, "it ends too early") }
}

/// A field of a message, as it stands in the bytes.
struct WireField {
    /// How a value is written.
    enum Kind { case varint, fixed64, bytes, fixed32 }

    /// The number that tells which field it is.
    let number: Int
    /// How its value is written.
    let kind: Kind
    /// The value, where it is a number.
    let bits: UInt64
    /// Where its value lies, where it is bytes.
    let start: Int, end: Int

    // Values of their type, or nil where the field is of another kind.
    var uint64: UInt64? { kind == .varint ? bits : nil }
    var int64: Int? { kind == .varint ? Int(truncatingIfNeeded: bits) : nil }
    var int32: Int? { kind == .varint ? Int(Int32(truncatingIfNeeded: bits)) : nil }
    var uint32: Int? { kind == .varint ? Int(UInt32(truncatingIfNeeded: bits)) : nil }
    var bool: Bool? { kind == .varint ? bits != 0 : nil }
    var float: Float? { kind == .fixed32 ? Float(bitPattern: UInt32(truncatingIfNeeded: bits)) : nil }
    var double: Double? { kind == .fixed64 ? Double(bitPattern: bits) : nil }

    /// One of the values of a closed list; others are skipped, as the format asks.
    func value<Value: RawRepresentable<Int>>(as type: Value.Type) -> Value? { int32.flatMap(Value.init(rawValue:)) }
}

/// What is wrong with a message on the wire, and where.
struct WireFault: Error {
    let offset: Int
    let code: FeedError.Code
    let reason: StaticString

    init(_ offset: Int, _ code: FeedError.Code, _ reason: StaticString) {
        self.offset = offset
        self.code = code
        self.reason = reason
    }

    /// The same, of a source.
    func fault(of source: String) -> FeedError { FeedError(code, source: source, offset: offset, "\(reason)") }
}

/// A message that is read from and written to the wire.
protocol WireMessage {
    init()
    /// Takes a field; those that it does not know are skipped.
    mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireFault)
    /// Writes its fields in the order of their numbers.
    func write(to writer: inout WireWriter)
    /// Which required field is not there, in words, or `nil`.
    var missing: StaticString? { get }
}

extension WireMessage {
    var missing: StaticString? { nil }
}
