/// A field of a message, as it is encoded.
public struct WireField {
    /// The encodings of a value.
    public enum Kind: Sendable { case varint, fixed64, bytes, fixed32, group }

    /// The field number.
    public let number: Int
    /// The encoding of the value.
    public let kind: Kind
    /// The value of a number.
    public let bits: UInt64
    /// The position of the value in the message.
    public let start: Int, end: Int

    /// Makes a field.
    @inlinable public init(number: Int, kind: Kind, bits: UInt64, start: Int, end: Int) {
        self.number = number
        self.kind = kind
        self.bits = bits
        self.start = start
        self.end = end
    }

    /// Whether the value is a number of variable length.
    @inlinable public var isVarint: Bool { if case .varint = kind { true } else { false } }
    /// Whether the value is bytes: a text, a message or a packed list.
    @inlinable public var isBytes: Bool { if case .bytes = kind { true } else { false } }

    // Values of their type, or nil if the field has another encoding.
    package var uint64: UInt64? { kind == .varint ? bits : nil }
    package var int64: Int? { kind == .varint ? Int(truncatingIfNeeded: bits) : nil }
    package var int32: Int? { kind == .varint ? Int(Int32(truncatingIfNeeded: bits)) : nil }
    package var uint32: Int? { kind == .varint ? Int(UInt32(truncatingIfNeeded: bits)) : nil }
    /// A `sint32` or `sint64`, in which small negative numbers are short.
    package var signed: Int? {
        kind == .varint ? Int(truncatingIfNeeded: Int64(bitPattern: bits &>> 1) ^ -Int64(bitPattern: bits & 1)) : nil
    }
    package var bool: Bool? { kind == .varint ? bits != 0 : nil }
    package var float: Float? { kind == .fixed32 ? Float(bitPattern: UInt32(truncatingIfNeeded: bits)) : nil }
    package var double: Double? { kind == .fixed64 ? Double(bitPattern: bits) : nil }

    /// One of the values of a closed list; others are skipped, as the format asks.
    package func value<Value: RawRepresentable<Int>>(as type: Value.Type) -> Value? {
        int32.flatMap(Value.init(rawValue:))
    }
}
