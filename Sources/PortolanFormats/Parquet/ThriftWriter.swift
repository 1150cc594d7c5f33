/// Writes structures in the compact protocol of Apache Thrift.
struct ThriftWriter {
    private(set) var bytes: [UInt8] = []
    /// The number of the last field of the open structure.
    private var last = 0

    /// Writes a structure.
    mutating func structure(_ body: (inout ThriftWriter) -> Void) {
        let outer = last
        last = 0
        body(&self)
        bytes.append(0)
        last = outer
    }

    /// Writes a field with a structure.
    mutating func field(_ number: Int, _ body: (inout ThriftWriter) -> Void) {
        header(number, .structure)
        structure(body)
    }

    mutating func field(_ number: Int, _ flag: Bool) { header(number, flag ? .isTrue : .isFalse) }

    mutating func field(_ number: Int, int32 value: Int) {
        header(number, .int32)
        integer(value)
    }

    mutating func field(_ number: Int, int64 value: Int) {
        header(number, .int64)
        integer(value)
    }

    mutating func field(_ number: Int, _ data: [UInt8]) {
        header(number, .binary)
        binary(data)
    }

    mutating func field(_ number: Int, _ text: String) { field(number, Array(text.utf8)) }

    mutating func field(_ number: Int, int32s values: [Int]) {
        list(number, .int32, count: values.count)
        for value in values { integer(value) }
    }

    mutating func field(_ number: Int, texts: [String]) {
        list(number, .binary, count: texts.count)
        for text in texts { binary(Array(text.utf8)) }
    }

    /// Writes a field with a list of structures.
    mutating func field<Element>(
        _ number: Int, _ elements: [Element], _ body: (inout ThriftWriter, Element) -> Void
    ) {
        list(number, .structure, count: elements.count)
        for element in elements { structure { body(&$0, element) } }
    }

    private mutating func header(_ number: Int, _ type: ThriftReader.FieldType) {
        let step = number - last
        last = number
        if (1...15).contains(step) {
            bytes.append(UInt8(step) << 4 | type.rawValue)
        } else {
            bytes.append(type.rawValue)
            integer(number)
        }
    }

    private mutating func list(_ number: Int, _ type: ThriftReader.FieldType, count: Int) {
        header(number, .list)
        if count < 15 {
            bytes.append(UInt8(count) << 4 | type.rawValue)
        } else {
            bytes.append(0xF0 | type.rawValue)
            varint(UInt64(count))
        }
    }

    private mutating func integer(_ value: Int) {
        let value = Int64(value)
        varint(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    private mutating func binary(_ data: [UInt8]) {
        varint(UInt64(data.count))
        bytes += data
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
