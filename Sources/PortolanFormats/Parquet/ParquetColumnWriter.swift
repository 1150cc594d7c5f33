import PortolanFeatures
import PortolanZip

/// Writes the values of a column in pages of version 1, plain and compressed by gzip, which all readers know.
struct ParquetColumnWriter {
    /// A column of the schema.
    struct Column {
        let path: [String]
        let type: ParquetColumn.PhysicalType
    }

    /// A written chunk.
    struct Chunk {
        let column: Column
        let offset: Int
        let byteCount: Int
        let contentLength: Int
        let valueCount: Int
        let missingCount: Int
        let least: [UInt8]?
        let greatest: [UInt8]?
    }

    /// A value; those of bytes come as they are stored.
    enum Value {
        case bool(Bool)
        case integer(Int)
        case number(Double)
        case float(Float)
        case bytes([UInt8])
    }

    /// The size from which on a page is written.
    private static let pageByteCount = 1 << 20
    private static let pageRowCount = 20_000

    private let column: Column
    private let packer: GzipPacker
    private(set) var pages: [UInt8] = []
    private var values: [UInt8] = []
    private var flags: [Bool] = []
    private var levels: [Bool] = []
    private var counts = (content: 0, values: 0, missing: 0)
    private var least: Value?
    private var greatest: Value?

    init(_ column: Column) throws(ZipError) {
        self.column = column
        packer = try GzipPacker()
    }

    /// Adds the value of the next row; `nil` if it is missing.
    mutating func add(_ value: Value?) throws(ZipError) {
        levels.append(value != nil)
        if let value {
            append(value)
            note(value)
        } else {
            counts.missing += 1
        }
        if values.count >= Self.pageByteCount || levels.count >= Self.pageRowCount { try endPage() }
    }

    /// Ends the chunk, which starts at an offset of the file.
    mutating func finish(at offset: Int) throws(ZipError) -> Chunk {
        if !levels.isEmpty || pages.isEmpty { try endPage() }
        return Chunk(
            column: column, offset: offset, byteCount: pages.count, contentLength: counts.content,
            valueCount: counts.values, missingCount: counts.missing,
            least: least.flatMap { Self.end($0, isLeast: true) },
            greatest: greatest.flatMap { Self.end($0, isLeast: false) })
    }

    private mutating func append(_ value: Value) {
        switch value {
        case .bool(let flag): flags.append(flag)
        case .integer(let number): values.append(littleEndian: UInt64(bitPattern: Int64(number)))
        case .number(let number): values.append(littleEndian: number.bitPattern)
        case .float(let number): values.append(littleEndian: number.bitPattern)
        case .bytes(let bytes):
            values.append(littleEndian: UInt32(bytes.count))
            values += bytes
        }
    }

    /// Keeps the least and the greatest number.
    private mutating func note(_ value: Value) {
        func isBefore(_ one: Value, _ other: Value) -> Bool {
            switch (one, other) {
            case (.integer(let one), .integer(let other)): one < other
            case (.number(let one), .number(let other)): one < other
            case (.float(let one), .float(let other)): one < other
            default: false
            }
        }
        switch value {
        case .bool, .bytes: return
        case .number(let number) where number.isNaN: return
        case .integer, .number, .float: break
        }
        if least.map({ isBefore(value, $0) }) ?? true { least = value }
        if greatest.map({ isBefore($0, value) }) ?? true { greatest = value }
    }

    /// Returns a number as statistics state it: zero has the sign that includes both zeros.
    private static func end(_ value: Value, isLeast: Bool) -> [UInt8]? {
        var bytes: [UInt8] = []
        switch value {
        case .integer(let number): bytes.append(littleEndian: UInt64(bitPattern: Int64(number)))
        case .number(let number): bytes.append(littleEndian: (number == 0 ? isLeast ? -0.0 : 0 : number).bitPattern)
        case .float(let number): bytes.append(littleEndian: (number == 0 ? isLeast ? -0.0 : 0 : number).bitPattern)
        case .bool, .bytes: return nil
        }
        return bytes
    }

    private mutating func endPage() throws(ZipError) {
        let runs = ParquetRuns.encode(bits: levels)
        var content: [UInt8] = []
        content.append(littleEndian: UInt32(runs.count))
        content += runs + values
        for start in stride(from: 0, to: flags.count, by: 8) {
            let eight = flags[start..<min(start + 8, flags.count)]
            content.append(eight.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
        }
        let packed = try packer.pack(content), count = levels.count
        var header = ThriftWriter()
        header.structure {
            $0.field(1, int32: 0)
            $0.field(2, int32: content.count)
            $0.field(3, int32: packed.count)
            $0.field(5) {
                $0.field(1, int32: count)
                $0.field(2, int32: ParquetEncoding.plain.rawValue)
                $0.field(3, int32: ParquetEncoding.runs.rawValue)
                $0.field(4, int32: ParquetEncoding.runs.rawValue)
            }
        }
        pages += header.bytes + packed
        counts.content += header.bytes.count + content.count
        counts.values += count
        (values, flags, levels) = ([], [], [])
    }
}

extension [UInt8] {
    /// Appends an integer, the lowest byte first.
    mutating func append(littleEndian value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}
