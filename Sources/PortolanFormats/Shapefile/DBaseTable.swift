import PortolanFeatures
import PortolanWeb

/// The rows of a `.dbf` file.
struct DBaseTable {
    private struct Field {
        let name: String
        let type: UInt8
        let offset: Int
        let length: Int
        let decimals: Int
    }

    private let bytes: [UInt8]
    private let start: Int
    private let rowLength: Int
    private let fields: [Field]
    private let encoding: TextEncoding
    /// The number of rows.
    let count: Int

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - name: the text of a `.cpg` file, or `nil`.
    ///   - warn: receives warnings about repaired or unknown content.
    init(
        _ bytes: [UInt8], encoding name: String?, warn: (MapWarning.Effect, String) -> Void
    ) throws(FeatureFileError) {
        self.bytes = bytes
        var reader = ByteReader(bytes, in: "dBASE table")
        try reader.skip(4)
        let told = try Int(reader.uint32())
        start = try Int(reader.uint16())
        rowLength = try Int(reader.uint16())
        guard start >= 32, rowLength >= 1, start <= bytes.count else {
            throw reader.fault(.malformed, "damaged header")
        }
        try reader.skip(17)
        let language = try reader.uint8()
        try reader.skip(2)
        var fields: [(name: ArraySlice<UInt8>, field: Field)] = []
        var offset = 1
        while reader.position + 32 <= start, bytes[reader.position] != 0x0D {
            let place = reader.position
            let name = bytes[place..<(place + 11)].prefix { $0 != 0 }
            let length = Int(bytes[place + 16])
            guard offset + length <= rowLength else {
                throw reader.fault(.malformed, "the fields exceed the row length")
            }
            fields.append(
                (
                    name,
                    Field(
                        name: "", type: bytes[place + 11], offset: offset, length: length,
                        decimals: Int(bytes[place + 17]))
                ))
            offset += length
            try reader.skip(32)
        }
        let room = (bytes.count - start) / rowLength
        count = min(told, room)
        if told > room { warn(.omitted, "the .dbf states \(told) rows, but has \(room)") }
        let rows = bytes[start..<(start + count * rowLength)]
        encoding = TextEncoding(name: name, language: language, sample: rows, warn: warn)
        var names: Set<String> = []
        self.fields = fields.enumerated().map { [encoding] number, entry in
            var text = encoding.text(entry.name)
            if !names.insert(text).inserted {
                text += "_\(number + 1)"
                names.insert(text)
            }
            let field = entry.field
            return Field(
                name: text, type: field.type, offset: field.offset, length: field.length, decimals: field.decimals)
        }
    }

    /// Returns whether a row is marked as deleted.
    func isDeleted(_ number: Int) -> Bool { number < count && bytes[start + number * rowLength] == UInt8(ascii: "*") }

    /// Returns the properties of a row; empty values are `null`.
    func row(_ number: Int) -> Properties {
        guard number < count else { return [:] }
        let base = start + number * rowLength
        var elements: [Properties.Element] = []
        elements.reserveCapacity(fields.count)
        for field in fields {
            let place = base + field.offset
            let value =
                value(bytes.span, place, field) ?? value(bytes[place..<place + field.length], field)
            elements.append(Properties.Element(name: field.name, value: value))
        }
        return Properties(distinct: elements)
    }

    /// Returns the value of an ASCII text or number, the common case; `nil` for values that need further decoding.
    private func value(_ bytes: Span<UInt8>, _ start: Int, _ field: Field) -> PropertyValue? {
        let isNumber = field.type == UInt8(ascii: "N") || field.type == UInt8(ascii: "F")
        guard isNumber || field.type == UInt8(ascii: "C") else { return nil }
        var end = start, last = start, all: UInt8 = 0
        while end < start + field.length, bytes[end] != 0 {
            all |= bytes[end]
            end += 1
            if bytes[end - 1] != 0x20 { last = end }
        }
        guard all < 0x80 else { return nil }
        guard last > start else { return .null }
        guard isNumber else { return .string(String(decoding: self.bytes[start..<last], as: UTF8.self)) }
        var first = start
        while bytes[first] == 0x20 { first += 1 }
        let digits = bytes.extracting(first..<last)
        guard field.decimals == 0 else { return DecimalScanner.whole(digits).map { .number($0) } }
        let isNegative = digits[0] == UInt8(ascii: "-")
        var whole = 0, place = isNegative ? 1 : 0
        guard digits.count > place, digits.count <= 18 else { return nil }
        while place < digits.count {
            let digit = digits[place] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            whole = whole * 10 + Int(digit)
            place += 1
        }
        return .integer(isNegative ? -whole : whole)
    }

    private func value(_ bytes: ArraySlice<UInt8>, _ field: Field) -> PropertyValue {
        if field.type == UInt8(ascii: "I"), bytes.count == 4 {
            return .integer(Int(Int32(bitPattern: bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })))
        }
        if field.type == UInt8(ascii: "O"), bytes.count == 8 {
            let number = Double(bitPattern: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            return number.isFinite ? .number(number) : .null
        }
        var trimmed = bytes.prefix { $0 != 0 }
        while trimmed.last == 0x20 { trimmed.removeLast() }
        guard !trimmed.isEmpty else { return .null }
        let text = encoding.text(trimmed)
        switch field.type {
        case UInt8(ascii: "N"), UInt8(ascii: "F"):
            if field.decimals == 0, let whole = Int(text.drop { $0 == " " }) { return .integer(whole) }
            // Numbers that do not fit are filled with asterisks.
            return text.decimalValue.map { .number($0) } ?? .null
        case UInt8(ascii: "L"):
            switch trimmed.first {
            case UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "Y"), UInt8(ascii: "y"): return .bool(true)
            case UInt8(ascii: "F"), UInt8(ascii: "f"), UInt8(ascii: "N"), UInt8(ascii: "n"): return .bool(false)
            default: return .null
            }
        case UInt8(ascii: "D"):
            guard text.utf8.count == 8, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return .string(text)
            }
            let digits = Array(text)
            return .string("\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))")
        default: return .string(text)
        }
    }
}
