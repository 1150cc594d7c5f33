/// Reads messages of Protocol Buffers, field by field, from untrusted bytes.
///
/// A field of another encoding than its number has is skipped, as the format asks.
package struct WireReader {
    private let bytes: [UInt8]
    private var cursor: WireCursor
    /// The number of further messages that may be made.
    private var remaining: Int

    package init(_ bytes: [UInt8], elementLimit: Int) {
        self.bytes = bytes
        cursor = WireCursor(0..<bytes.count)
        remaining = elementLimit
    }

    /// The next field of the open message without groups, or `nil` at its end.
    package mutating func next() throws(WireError) -> WireField? {
        let bytes = bytes
        while let field = try cursor.next(in: bytes.span) {
            if field.kind != .group { return field }
        }
        return nil
    }

    /// Reads the content of a field into a message; nothing if the field has another encoding.
    package mutating func read<Message: WireMessage>(
        _ field: WireField, into message: inout Message
    ) throws(WireError) {
        guard field.kind == .bytes else { return }
        let outer = cursor
        defer { cursor = outer }
        cursor = WireCursor(field.start..<field.end)
        while let inner = try next() { try message.take(inner, from: &self) }
        if let missing = message.missing { throw WireError(field.start, .malformed, missing) }
    }

    /// Reads the content of a field into a message that may not exist yet.
    package mutating func read<Message: WireMessage>(
        _ field: WireField, into message: inout Message?
    ) throws(WireError) {
        guard field.kind == .bytes else { return }
        var read = message ?? Message()
        try self.read(field, into: &read)
        message = read
    }

    /// Adds the message that a field holds.
    package mutating func append<Message: WireMessage>(
        _ field: WireField, to list: inout [Message]
    ) throws(WireError) {
        guard field.kind == .bytes else { return }
        try count(at: field.start)
        var message = Message()
        try read(field, into: &message)
        list.append(message)
    }

    /// Counts one more element that is kept.
    package mutating func count(at offset: Int) throws(WireError) {
        guard remaining > 0 else { throw WireError(offset, .limitExceeded, "too many messages") }
        remaining -= 1
    }

    /// The text of a field, with invalid UTF-8 repaired; `nil` if the field has another encoding.
    package func text(_ field: WireField) -> String? {
        guard field.kind == .bytes else { return nil }
        return String(decoding: bytes[field.start..<field.end], as: UTF8.self)
    }

    /// The bytes of a field, or `nil` if the field has another encoding.
    package func content(_ field: WireField) -> [UInt8]? {
        guard field.kind == .bytes else { return nil }
        return Array(bytes[field.start..<field.end])
    }
}
