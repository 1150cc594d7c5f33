/// The columns of a Parquet file.
struct ParquetSchema {
    /// A field of the root: a column, or a group of them.
    struct Field {
        let name: String
        /// The numbers of its columns.
        let columns: Range<Int>
        let isGroup: Bool
        let isRepeated: Bool
    }

    /// An entry of the list that stores the tree depth-first.
    struct Element {
        var type: Int?
        var length = 0
        var repetition = 0
        var name = ""
        var childCount = 0
        var convertedType: Int?
        var scale = 0
        var logical: ParquetColumn.Meaning?
    }

    private(set) var fields: [Field] = []
    private(set) var columns: [ParquetColumn] = []

    private static let maximumDepth = 32

    /// Builds the tree.
    init(_ elements: [Element]) throws(ParquetFault) {
        guard let root = elements.first else { throw .malformed("it has no schema") }
        var next = 1
        for _ in 0..<root.childCount {
            guard next < elements.count else { throw .malformed("its schema is incomplete") }
            let element = elements[next], start = columns.count
            try add(elements, &next, path: [], definition: 0, repetition: 0)
            fields.append(
                Field(
                    name: element.name, columns: start..<columns.count, isGroup: element.type == nil,
                    isRepeated: element.repetition == 2))
        }
        guard next == elements.count else { throw .malformed("its schema has \(elements.count - next) stray elements") }
    }

    private mutating func add(
        _ elements: [Element], _ next: inout Int, path: [String], definition: Int, repetition: Int
    ) throws(ParquetFault) {
        guard next < elements.count, path.count < Self.maximumDepth else {
            throw .malformed("its schema is incomplete or nested too deeply")
        }
        let element = elements[next]
        next += 1
        let path = path + [element.name]
        let definition = definition + (element.repetition == 0 ? 0 : 1)
        let repetition = repetition + (element.repetition == 2 ? 1 : 0)
        guard let number = element.type else {
            for _ in 0..<element.childCount {
                try add(elements, &next, path: path, definition: definition, repetition: repetition)
            }
            return
        }
        guard let type = ParquetColumn.PhysicalType(rawValue: number) else {
            throw ParquetFault(.unsupported, "the column '\(element.name)' has the unknown type \(number)")
        }
        guard type != .fixedBytes || (1...(1 << 20)).contains(element.length) else {
            throw .malformed("the values of the column '\(element.name)' have \(element.length) bytes")
        }
        columns.append(
            ParquetColumn(
                path: path, type: type, length: type == .int96 ? 12 : element.length,
                meaning: Self.meaning(of: element, type), maximumDefinition: definition, maximumRepetition: repetition))
    }

    private static func meaning(of element: Element, _ type: ParquetColumn.PhysicalType) -> ParquetColumn.Meaning {
        let stated = element.logical ?? element.convertedType.flatMap { meaning(converted: $0, scale: element.scale) }
        switch (type, stated) {
        case (.boolean, _), (.float, _), (.double, _): return .plain
        case (.int96, _): return .timestamp(.nanoseconds, isUTC: true)
        case (.int32, .unsigned?), (.int32, .date?), (.int32, .time?), (.int32, .decimal?): return stated ?? .plain
        case (.int64, .unsigned?), (.int64, .time?), (.int64, .timestamp?), (.int64, .decimal?): return stated ?? .plain
        case (.int32, _), (.int64, _): return .plain
        case (.bytes, .text?), (.bytes, .json?), (.bytes, .decimal?), (.bytes, .geometry?): return stated ?? .other
        case (.fixedBytes, .decimal?): return stated ?? .other
        case (.fixedBytes, .uuid?): return element.length == 16 ? .uuid : .other
        case (.fixedBytes, .float16?): return element.length == 2 ? .float16 : .other
        case (.bytes, _), (.fixedBytes, _): return .other
        }
    }

    /// Returns the meaning of the older annotation, or `nil` for others and numbers with a sign.
    private static func meaning(converted: Int, scale: Int) -> ParquetColumn.Meaning? {
        switch converted {
        case 0, 4: .text
        case 5: .decimal(scale: scale)
        case 6: .date
        case 7: .time(.milliseconds)
        case 8: .time(.microseconds)
        case 9: .timestamp(.milliseconds, isUTC: true)
        case 10: .timestamp(.microseconds, isUTC: true)
        case 11...14: .unsigned(bits: 8 << (converted - 11))
        case 19: .json
        default: nil
        }
    }
}
