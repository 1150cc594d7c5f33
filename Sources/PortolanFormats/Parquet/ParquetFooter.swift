import PortolanFeatures
import PortolanGeo

/// The metadata at the end of a Parquet file.
///
/// Source: Apache Parquet format 2.12, `parquet.thrift`.
struct ParquetFooter {
    /// The values of a column in a row group.
    struct Chunk {
        var codec = 0
        var valueCount = 0
        var byteCount = 0
        var dataOffset = 0
        var dictionaryOffset: Int?
        /// The least and the greatest value, as they are stored.
        var least: [UInt8]?
        var greatest: [UInt8]?
        /// The sides of the geometries: least and greatest x, least and greatest y.
        var sides: [Double?] = [nil, nil, nil, nil]
        /// Whether the values are in another file.
        var isElsewhere = false

        /// The bytes of the chunk; a dictionary comes before the data.
        var range: Range<Int>? {
            var start = dataOffset
            if let offset = dictionaryOffset, offset > 0, offset < start { start = offset }
            let (end, isTooLarge) = start.addingReportingOverflow(byteCount)
            return isTooLarge ? nil : start..<end
        }
    }

    /// A number of consecutive rows.
    struct RowGroup {
        var chunks: [Chunk] = []
        var rowCount = 0
    }

    private(set) var rowCount = 0
    private(set) var rowGroups: [RowGroup] = []
    private(set) var metadata: [String: String] = [:]
    let schema: ParquetSchema

    /// Reads the footer without its length and the mark at the end.
    init(_ bytes: [UInt8]) throws(ParquetFault) {
        var elements: [ParquetSchema.Element] = [], rowCount = 0, groups: [RowGroup] = [],
            metadata: [String: String] = [:]
        var reader = ThriftReader(bytes)
        try reader.structure { (reader, number, type) throws(ParquetFault) in
            switch number {
            case 2:
                var element = ParquetSchema.Element()
                try reader.structures(type) { (reader, number, type) throws(ParquetFault) in
                    try Self.read(&element, &reader, number, type)
                } ended: { () throws(ParquetFault) in
                    elements.append(element)
                    element = ParquetSchema.Element()
                }
            case 3: rowCount = try reader.count(type)
            case 4:
                var group = RowGroup()
                try reader.structures(type) { (reader, number, type) throws(ParquetFault) in
                    try Self.read(&group, &reader, number, type)
                } ended: { () throws(ParquetFault) in
                    groups.append(group)
                    group = RowGroup()
                }
            case 5:
                var key = "", value = ""
                try reader.structures(type) { (reader, number, type) throws(ParquetFault) in
                    switch number {
                    case 1: key = try reader.text(type)
                    case 2: value = try reader.text(type)
                    default: return false
                    }
                    return true
                } ended: { () throws(ParquetFault) in
                    metadata[key] = value
                    (key, value) = ("", "")
                }
            default: return false
            }
            return true
        }
        schema = try ParquetSchema(elements)
        self.rowCount = rowCount
        self.metadata = metadata
        rowGroups = groups
        var sum = 0
        for group in groups {
            guard group.chunks.count == schema.columns.count else {
                throw .malformed("a row group has \(group.chunks.count) columns instead of \(schema.columns.count)")
            }
            let (next, isTooLarge) = sum.addingReportingOverflow(group.rowCount)
            guard !isTooLarge else { throw .malformed("too many rows") }
            sum = next
        }
        guard sum == rowCount else { throw .malformed("its row groups have \(sum) rows instead of \(rowCount)") }
    }

    private static func read(
        _ element: inout ParquetSchema.Element, _ reader: inout ThriftReader, _ number: Int,
        _ type: ThriftReader.FieldType
    ) throws(ParquetFault) -> Bool {
        switch number {
        case 1: element.type = try reader.integer(type)
        case 2: element.length = try reader.integer(type)
        case 3: element.repetition = try reader.integer(type)
        case 4: element.name = try reader.text(type)
        case 5: element.childCount = try reader.count(type)
        case 6: element.convertedType = try reader.integer(type)
        case 7: element.scale = try reader.integer(type)
        case 10:
            var meaning: ParquetColumn.Meaning?
            try reader.structure { (reader, number, type) throws(ParquetFault) in
                guard type == .structure else { return false }
                meaning = try Self.meaning(number, &reader)
                return true
            }
            element.logical = meaning
        default: return false
        }
        return true
    }

    /// Reads the structure of a logical type.
    private static func meaning(
        _ kind: Int, _ reader: inout ThriftReader
    ) throws(ParquetFault) -> ParquetColumn.Meaning? {
        var first: Int?, flag = false, unit = ParquetTimeUnit.microseconds, text: String?, isSigned = true
        try reader.structure { (reader, number, type) throws(ParquetFault) in
            switch (kind, number) {
            case (5, 1), (10, 1): first = try reader.integer(type)
            case (10, 2): isSigned = try reader.bool(type)
            case (7, 1), (8, 1): flag = try reader.bool(type)
            case (7, 2), (8, 2):
                try reader.structure { (_, number, _) throws(ParquetFault) in
                    unit = ParquetTimeUnit(rawValue: number) ?? unit
                    return false
                }
            case (17, 1), (18, 1): text = try reader.text(type)
            default: return false
            }
            return true
        }
        switch kind {
        case 1, 4: return .text
        case 5: return .decimal(scale: first ?? 0)
        case 6: return .date
        case 7: return .time(unit)
        case 8: return .timestamp(unit, isUTC: flag)
        case 10: return isSigned ? nil : .unsigned(bits: first ?? 64)
        case 12: return .json
        case 14: return .uuid
        case 15: return .float16
        case 17: return .geometry(crs: text, isSpherical: false)
        case 18: return .geometry(crs: text, isSpherical: true)
        default: return nil
        }
    }

    private static func read(
        _ group: inout RowGroup, _ reader: inout ThriftReader, _ number: Int, _ type: ThriftReader.FieldType
    ) throws(ParquetFault) -> Bool {
        switch number {
        case 1:
            var chunks: [Chunk] = [], chunk = Chunk()
            try reader.structures(type) { (reader, number, type) throws(ParquetFault) in
                switch number {
                case 1: chunk.isElsewhere = try !reader.text(type).isEmpty
                case 3:
                    try reader.structure { (reader, number, type) throws(ParquetFault) in
                        try Self.read(&chunk, &reader, number, type)
                    }
                default: return false
                }
                return true
            } ended: { () throws(ParquetFault) in
                chunks.append(chunk)
                chunk = Chunk()
            }
            group.chunks = chunks
        case 3: group.rowCount = try reader.count(type)
        default: return false
        }
        return true
    }

    private static func read(
        _ chunk: inout Chunk, _ reader: inout ThriftReader, _ number: Int, _ type: ThriftReader.FieldType
    ) throws(ParquetFault) -> Bool {
        switch number {
        case 4: chunk.codec = try reader.integer(type)
        case 5: chunk.valueCount = try reader.count(type)
        case 7: chunk.byteCount = try reader.count(type)
        case 9: chunk.dataOffset = try reader.count(type)
        case 11: chunk.dictionaryOffset = try reader.count(type)
        case 12:
            var ends: [[UInt8]?] = [nil, nil, nil, nil]
            try reader.structure { (reader, number, type) throws(ParquetFault) in
                switch number {
                // The greatest and the least value; the older fields have no defined order, but those of numbers have.
                case 1, 2: ends[number - 1] = Array(try reader.binary(type))
                case 5, 6: ends[number - 3] = Array(try reader.binary(type))
                default: return false
                }
                return true
            }
            chunk.greatest = ends[2] ?? ends[0]
            chunk.least = ends[3] ?? ends[1]
        case 17:
            var sides: [Double?] = [nil, nil, nil, nil]
            try reader.structure { (reader, number, type) throws(ParquetFault) in
                guard number == 1 else { return false }
                try reader.structure { (reader, number, type) throws(ParquetFault) in
                    guard (1...4).contains(number) else { return false }
                    sides[number - 1] = try reader.double(type)
                    return true
                }
                return true
            }
            chunk.sides = sides
        default: return false
        }
        return true
    }
}
