import PortolanFeatures

/// Reads the values of a column in a row group.
struct ParquetChunkReader {
    /// A page of data.
    private struct Page {
        var type = -1
        /// The position after the header.
        var start = 0
        var byteCount = 0
        var contentLength = 0
        var valueCount = 0
        var encoding = 0
        /// The lengths of the levels before compressed data, in pages of version 2.
        var levelLengths: (repetitions: Int, definitions: Int)?
        var levelEncoding = 3
        var isCompressed = true
    }

    /// The values of all pages with their levels.
    struct Nested {
        var definitions: [UInt32] = []
        var repetitions: [UInt32] = []
        var values: [Double] = []
    }

    let column: ParquetColumn
    private let bytes: [UInt8]
    private let start: Int
    private let codec: ParquetCodec
    private let chunk: ParquetFooter.Chunk
    private let limits: FeatureLimits

    /// Reads the bytes of a chunk.
    init(
        _ input: DatasetInput, _ chunk: ParquetFooter.Chunk, of column: ParquetColumn, limits: FeatureLimits
    ) throws(FeatureFileError) {
        guard !chunk.isElsewhere, let range = chunk.range else {
            throw ParquetFault(.unsupported, "the column '\(column.name)' is in another file").error(at: nil)
        }
        guard let codec = ParquetCodec(rawValue: chunk.codec) else {
            throw ParquetFault(.unsupported, "unknown compression \(chunk.codec)").error(at: nil)
        }
        try limits.lookForRoom(range.count, in: GeoParquet.formatName)
        (self.column, self.chunk, self.codec, self.limits) = (column, chunk, codec, limits)
        start = range.lowerBound
        bytes = try input.bytes(range)
    }

    /// Returns a value for each row, `nil` for missing ones.
    ///
    /// - Parameters:
    ///   - rows: the wanted rows, or `nil` for all. Pages without a wanted row are not decompressed.
    ///   - convert: converts the values of a page or dictionary.
    func rows<Element>(
        _ rowCount: Int, wanted rows: [Bool]?, _ convert: (ParquetValues) throws(ParquetFault) -> [Element]
    ) throws(FeatureFileError) -> [Element?] {
        var result: [Element?] = [], dictionary: [Element] = []
        result.reserveCapacity(rowCount)
        try pages(upTo: rowCount) { (page) throws(ParquetFault) in
            let first = result.count
            guard page.type != 2 else {
                let content = try self.content(of: page)
                dictionary = try convert(
                    ParquetEncoding.plain.values(content, from: 0, count: page.valueCount, of: column))
                return 0
            }
            if let rows, !rows[first..<first + page.valueCount].contains(true) {
                result.append(contentsOf: repeatElement(nil, count: page.valueCount))
                return page.valueCount
            }
            let (levels, values) = try decoded(page, dictionary.count)
            let elements: [Element]
            switch values {
            case .values(let values): elements = try convert(values)
            case .indexes(let indexes): elements = indexes.map { dictionary[Int($0)] }
            }
            guard let definitions = levels.definitions else {
                result.append(contentsOf: elements.lazy.map { $0 })
                return page.valueCount
            }
            var next = elements.startIndex
            for level in definitions {
                if Int(level) == column.maximumDefinition {
                    result.append(elements[next])
                    next += 1
                } else {
                    result.append(nil)
                }
            }
            return page.valueCount
        }
        guard result.count == rowCount else { throw fault(start, .malformed("it ends after row \(result.count)")) }
        return result
    }

    /// Returns the numbers of a column within lists, with their levels.
    func nested() throws(FeatureFileError) -> Nested {
        var result = Nested(), dictionary: [Double] = []
        let odd = ParquetFault.malformed("the coordinates are not numbers")
        guard chunk.valueCount <= limits.maximumCoordinateCount else {
            throw fault(start, ParquetFault(.limitExceeded, "more than \(limits.maximumCoordinateCount) coordinates"))
        }
        try limits.lookForRoom(16 * chunk.valueCount, in: GeoParquet.formatName)
        try pages(upTo: chunk.valueCount) { (page) throws(ParquetFault) in
            guard page.type != 2 else {
                let values = try ParquetEncoding.plain.values(
                    self.content(of: page), from: 0, count: page.valueCount, of: column)
                guard let doubles = values.doubles else { throw odd }
                dictionary = doubles
                return 0
            }
            let (levels, values) = try decoded(page, dictionary.count)
            result.definitions +=
                levels.definitions ?? [UInt32](repeating: UInt32(column.maximumDefinition), count: page.valueCount)
            result.repetitions += levels.repetitions ?? [UInt32](repeating: 0, count: page.valueCount)
            switch values {
            case .values(let values):
                guard let doubles = values.doubles else { throw odd }
                result.values += doubles
            case .indexes(let indexes): result.values += indexes.map { dictionary[Int($0)] }
            }
            return page.valueCount
        }
        return result
    }

    private func fault(_ offset: Int, _ fault: ParquetFault) -> FeatureFileError {
        ParquetFault(fault.code, "column '\(column.name)': \(fault.detail)").error(at: offset)
    }

    // MARK: Pages

    /// Visits the pages until there are as many values as expected; `visit` returns the number in a page.
    private func pages(
        upTo count: Int, _ visit: (Page) throws(ParquetFault) -> Int
    ) throws(FeatureFileError) {
        var place = 0, seen = 0
        while seen < count, place < bytes.count {
            if Task.isCancelled { throw ParquetFault(.cancelled, "reading was cancelled").error(at: nil) }
            do throws(ParquetFault) {
                let page = try page(at: place)
                guard page.type == 2 || page.type == 0 || page.type == 3 else {
                    place = page.start + page.byteCount
                    continue
                }
                guard page.valueCount <= (page.type == 2 ? bytes.count * codec.greatestRatio : count - seen) else {
                    throw .malformed("a page states \(page.valueCount) values")
                }
                seen += try visit(page)
                place = page.start + page.byteCount
            } catch { throw fault(start + place, error) }
        }
    }

    private func page(at place: Int) throws(ParquetFault) -> Page {
        var reader = ThriftReader(bytes, range: place..<bytes.count), page = Page()
        try reader.structure { (reader, number, type) throws(ParquetFault) in
            switch number {
            case 1: page.type = try reader.integer(type)
            case 2: page.contentLength = try reader.count(type)
            case 3: page.byteCount = try reader.count(type)
            case 5, 7:
                try reader.structure { (reader, number, type) throws(ParquetFault) in
                    switch number {
                    case 1: page.valueCount = try reader.count(type)
                    case 2: page.encoding = try reader.integer(type)
                    // Of dictionaries it states whether they are sorted.
                    case 3 where type == .int32: page.levelEncoding = try reader.integer(type)
                    default: return false
                    }
                    return true
                }
            case 8:
                var lengths = (repetitions: 0, definitions: 0)
                try reader.structure { (reader, number, type) throws(ParquetFault) in
                    switch number {
                    case 1: page.valueCount = try reader.count(type)
                    case 4: page.encoding = try reader.integer(type)
                    case 5: lengths.definitions = try reader.count(type)
                    case 6: lengths.repetitions = try reader.count(type)
                    case 7: page.isCompressed = try reader.bool(type)
                    default: return false
                    }
                    return true
                }
                page.levelLengths = lengths
            default: return false
            }
            return true
        }
        page.start = reader.position
        guard page.byteCount <= bytes.count - page.start else { throw .malformed("a page exceeds its column") }
        return page
    }

    /// Returns the decompressed bytes of a page, with the levels of version 2 before the values.
    private func content(of page: Page) throws(ParquetFault) -> [UInt8] {
        guard page.contentLength / codec.greatestRatio <= page.byteCount else {
            throw .malformed("a page of \(page.byteCount) bytes states \(page.contentLength)")
        }
        do throws(FeatureFileError) { try limits.lookForRoom(page.contentLength, in: GeoParquet.formatName) } catch {
            throw ParquetFault(error.code, error.detail)
        }
        let packed = Array(bytes[page.start..<page.start + page.byteCount])
        guard let lengths = page.levelLengths else {
            return try codec.content(of: packed, byteCount: page.contentLength)
        }
        guard lengths.repetitions <= packed.count, lengths.definitions <= packed.count - lengths.repetitions,
            lengths.repetitions + lengths.definitions <= page.contentLength
        else { throw .malformed("the levels exceed their page") }
        let levels = lengths.repetitions + lengths.definitions
        guard page.isCompressed, codec != .uncompressed, levels < packed.count else { return packed }
        return try Array(packed[..<levels])
            + codec.content(of: Array(packed[levels...]), byteCount: page.contentLength - levels)
    }

    private enum Values {
        case values(ParquetValues)
        case indexes([UInt32])
    }

    /// Returns the levels, `nil` where all are the same, and the values of a page.
    private func decoded(
        _ page: Page, _ dictionaryCount: Int
    ) throws(ParquetFault) -> (levels: (repetitions: [UInt32]?, definitions: [UInt32]?), values: Values) {
        let content = try content(of: page)
        var place = 0, repetitions: [UInt32]?, definitions: [UInt32]?
        func levels(_ maximum: Int, length: Int?) throws(ParquetFault) -> [UInt32]? {
            guard maximum > 0 else {
                place += length ?? 0
                return nil
            }
            guard length != nil || page.levelEncoding == 3 else {
                throw ParquetFault(.unsupported, "levels in the deprecated packed form are not supported")
            }
            var count = length ?? 0
            if length == nil {
                guard content.count - place >= 4 else { throw .malformed("unexpected end of a page") }
                count = (0..<4).reduce(0) { $0 | Int(content[place + $1]) << (8 * $1) }
                place += 4
            }
            guard count <= content.count - place else { throw .malformed("the levels exceed their page") }
            let width = Int.bitWidth - maximum.leadingZeroBitCount
            let levels = try ParquetRuns.decode(content, place..<place + count, width: width, count: page.valueCount)
            guard levels.allSatisfy({ $0 <= maximum }) else { throw .malformed("a level is too large") }
            place += count
            return levels
        }
        repetitions = try levels(column.maximumRepetition, length: page.levelLengths?.repetitions)
        definitions = try levels(column.maximumDefinition, length: page.levelLengths?.definitions)
        let maximum = UInt32(column.maximumDefinition)
        let count = definitions.map { $0.count { $0 == maximum } } ?? page.valueCount
        guard let encoding = ParquetEncoding(rawValue: page.encoding) else {
            throw ParquetFault(.unsupported, "unknown encoding \(page.encoding)")
        }
        guard encoding.isDictionary else {
            let values = try encoding.values(content, from: place, count: count, of: column)
            guard values.count == count else { throw .malformed("a page has \(values.count) values") }
            return ((repetitions, definitions), .values(values))
        }
        guard count > 0 else { return ((repetitions, definitions), .indexes([])) }
        guard place < content.count else { throw .malformed("unexpected end of a page") }
        let indexes = try ParquetRuns.decode(
            content, place + 1..<content.count, width: Int(content[place]), count: count)
        guard indexes.allSatisfy({ $0 < dictionaryCount }) else {
            throw .malformed("an index exceeds the dictionary of \(dictionaryCount) values")
        }
        return ((repetitions, definitions), .indexes(indexes))
    }
}
