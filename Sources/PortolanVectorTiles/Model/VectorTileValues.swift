/// A table of attribute values, to which columns refer by index.
///
/// Texts stay in the decoded bytes until they are requested. It is a class, since a tile has many columns that share
/// a table.
package final class VectorTileValues: Sendable {
    /// The kinds of values.
    package enum Kind: UInt8, Sendable { case string, float, double, int, uint, bool, nested }

    private let kinds: [Kind]
    /// The bits of each number, the range of each text, or the index of each nested value.
    private let bits: [UInt64]
    /// The bytes that hold the texts.
    private let text: [UInt8]
    private let nested: [VectorTileValue]

    init(kinds: [Kind], bits: [UInt64], text: [UInt8]) {
        (self.kinds, self.bits, self.text, nested) = (kinds, bits, text, [])
    }

    /// Makes a table of values of one kind.
    init(_ kind: Kind, bits: [UInt64], text: [UInt8] = []) {
        (self.bits, self.text, nested) = (bits, text, [])
        kinds = [Kind](repeating: kind, count: bits.count)
    }

    /// Makes a table of nested values.
    init(nested: [VectorTileValue]) {
        (self.nested, text) = (nested, [])
        kinds = [Kind](repeating: .nested, count: nested.count)
        bits = nested.indices.map(UInt64.init)
    }

    /// The number of values.
    package var count: Int { bits.count }

    /// The bits of a text at a range.
    static func bits(of range: Range<Int>) -> UInt64 {
        UInt64(range.lowerBound) << 32 | UInt64(range.upperBound - range.lowerBound)
    }

    private static func range(of bits: UInt64) -> Range<Int> {
        let start = Int(bits >> 32)
        return start..<(start + Int(bits & 0xFFFF_FFFF))
    }

    /// The kind of a value.
    package func kind(at index: Int) -> Kind { kinds[index] }

    /// The bytes of a text in UTF-8, which can be invalid; empty for other values.
    package func utf8(at index: Int) -> ArraySlice<UInt8> {
        kinds[index] == .string ? text[Self.range(of: bits[index])] : []
    }

    /// A value; invalid UTF-8 of texts is repaired.
    package subscript(index: Int) -> VectorTileValue {
        let bits = bits[index]
        return switch kinds[index] {
        case .string: .string(String(decoding: text[Self.range(of: bits)], as: UTF8.self))
        case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case .double: .double(Double(bitPattern: bits))
        case .int: .int(Int64(bitPattern: bits))
        case .uint: .uint(bits)
        case .bool: .bool(bits != 0)
        case .nested: nested[Int(bits)]
        }
    }
}
