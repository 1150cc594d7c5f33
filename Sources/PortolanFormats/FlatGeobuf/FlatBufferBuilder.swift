import PortolanFeatures

/// Builds a FlatBuffer from its end to its start, as its offsets point forward.
struct FlatBufferBuilder {
    /// The bytes in reverse order.
    private var reversed: [UInt8] = []

    /// The value of a table field.
    enum Field {
        case uint8(UInt8)
        case uint16(UInt16)
        case int32(Int32)
        case uint64(UInt64)
        /// The position of a string, vector or table that was added before.
        case place(Int)
    }

    private mutating func align(_ size: Int, before length: Int = 0) {
        while (reversed.count + length) % size != 0 { reversed.append(0) }
    }

    private mutating func add(_ value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            reversed.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Adds a vector and returns its position.
    private mutating func vector<Element>(
        _ elements: [Element], size: Int, _ add: (inout FlatBufferBuilder, Element) -> Void
    ) -> Int {
        align(4, before: elements.count * size)
        align(size, before: elements.count * size)
        for element in elements.reversed() { add(&self, element) }
        self.add(UInt32(elements.count))
        return reversed.count
    }

    /// Adds a vector of numbers.
    mutating func vector(_ numbers: [Double]) -> Int {
        vector(numbers, size: 8) { builder, number in builder.add(number.bitPattern) }
    }

    mutating func vector(_ numbers: [UInt32]) -> Int {
        vector(numbers, size: 4) { builder, number in builder.add(number) }
    }

    mutating func vector(_ bytes: [UInt8]) -> Int {
        vector(bytes, size: 1) { builder, byte in builder.reversed.append(byte) }
    }

    /// Adds a vector of tables by their positions.
    mutating func vector(ofTables places: [Int]) -> Int {
        vector(places, size: 4) { builder, place in builder.add(UInt32(builder.reversed.count + 4 - place)) }
    }

    mutating func string(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        align(4, before: bytes.count + 1)
        reversed.append(0)
        reversed += bytes.reversed()
        add(UInt32(bytes.count))
        return reversed.count
    }

    /// Adds a table and returns its position.
    ///
    /// - Parameter fields: the numbers and values of its fields.
    mutating func table(_ fields: [(number: Int, value: Field)]) -> Int {
        let start = reversed.count
        var places: [Int: Int] = [:]
        for (number, value) in fields {
            switch value {
            case .uint8(let value): reversed.append(value)
            case .uint16(let value):
                align(2)
                add(value)
            case .int32(let value):
                align(4)
                add(value)
            case .uint64(let value):
                align(8)
                add(value)
            case .place(let place):
                align(4)
                add(UInt32(reversed.count + 4 - place))
            }
            places[number] = reversed.count
        }
        align(4)
        add(Int32(0))
        let table = reversed.count
        let count = (places.keys.max() ?? -1) + 1
        for number in (0..<count).reversed() { add(UInt16(places[number].map { table - $0 } ?? 0)) }
        add(UInt16(table - start))
        add(UInt16(2 * count + 4))
        // The position of the field list.
        let way = UInt32(reversed.count - table)
        for byte in 0..<4 { reversed[table - 1 - byte] = UInt8(truncatingIfNeeded: way >> UInt32(8 * byte)) }
        return table
    }

    /// Returns the buffer with a length prefix.
    mutating func finished(root: Int) -> [UInt8] {
        align(8, before: 8)
        add(UInt32(reversed.count + 4 - root))
        add(UInt32(reversed.count))
        return reversed.reversed()
    }
}
