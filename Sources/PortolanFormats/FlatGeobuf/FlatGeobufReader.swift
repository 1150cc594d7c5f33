import PortolanFeatures
import PortolanGeo

/// Reads the features of a FlatGeobuf document.
struct FlatGeobufReader {
    private let bytes: [UInt8]
    private let header: FlatGeobufHeader
    private let limits: FeatureLimits
    /// The number of omitted values.
    private(set) var lossCount = 0

    init(_ bytes: [UInt8], header: FlatGeobufHeader, limits: FeatureLimits) {
        self.bytes = bytes
        self.header = header
        self.limits = limits
    }

    /// Reads the feature at an offset, and advances the offset to the next feature.
    mutating func feature(at place: inout Int) throws(FeatureFileError) -> Feature {
        guard place <= bytes.count else {
            throw FeatureFileError(
                .malformed, in: FlatGeobuf.formatName, at: .byte(place), "a feature is outside the file")
        }
        var reader = ByteReader(bytes, in: FlatGeobuf.formatName, range: place..<bytes.count)
        let length = try Int(reader.uint32())
        try reader.need(length)
        let buffer = FlatBuffer(bytes, range: reader.position..<(reader.position + length))
        let root = try buffer.root()
        let shape: Geometry?
        if let table = try buffer.table(0, root) {
            shape = try geometry(table, buffer, type: header.geometryType, depth: 0)
        } else {
            shape = nil
        }
        let own = try FlatGeobufHeader.columns(2, root, buffer), values: Properties
        if let range = try buffer.vector(1, root, size: 1) {
            values =
                own.isEmpty
                ? try properties(range, header.columns, areDistinct: header.hasDistinctColumns)
                : try properties(range, own, areDistinct: false)
        } else {
            values = Properties()
        }
        place = reader.position + length
        return Feature(id: nil, geometry: shape, properties: values)
    }

    // MARK: Shapes

    private mutating func geometry(
        _ table: FlatBuffer.Table, _ buffer: FlatBuffer, type outer: UInt8, depth: Int
    ) throws(FeatureFileError) -> Geometry? {
        let type = outer != 0 ? outer : try buffer.uint8(6, table) ?? 0
        guard depth < limits.maximumDepth else {
            throw FeatureFileError(
                .limitExceeded, in: FlatGeobuf.formatName, at: .byte(buffer.range.lowerBound),
                "geometries nested too deeply")
        }
        guard let kind = WellKnownKind(rawValue: UInt32(type)) else { return nil }
        var builder = GeometryBuilder()
        switch kind {
        case .point, .multiPoint: try add(table, buffer, kind, &builder) { _ in }
        case .lineString, .circularString:
            try add(table, buffer, kind, &builder) { $0.endLine() }
        case .multiLineString: try add(table, buffer, .lineString, &builder) { $0.endLine() }
        case .polygon, .triangle: try add(table, buffer, .lineString, &builder) { $0.endRing() }
        case .geometryCollection:
            var children: [Geometry] = []
            for part in try buffer.tables(7, table) {
                if let child = try geometry(part, buffer, type: 0, depth: depth + 1) { children.append(child) }
            }
            return .collection(children)
        case .compoundCurve: try addCurve(table, buffer, kind, &builder, depth)
        case .multiCurve:
            for part in try buffer.tables(7, table) {
                try addCurve(part, buffer, nil, &builder, depth + 1)
                builder.endLine()
            }
        case .curvePolygon: try addRings(table, buffer, &builder, depth)
        case .multiPolygon, .multiSurface, .polyhedralSurface, .tin:
            let parts = try buffer.tables(7, table)
            for part in parts {
                let partType = try buffer.uint8(6, part) ?? 0
                if partType == UInt8(WellKnownKind.curvePolygon.rawValue) {
                    try addRings(part, buffer, &builder, depth + 1)
                } else {
                    try add(part, buffer, .lineString, &builder) { $0.endRing() }
                }
                builder.endPolygon()
            }
            if parts.isEmpty {
                try add(table, buffer, .lineString, &builder) { $0.endRing() }
                builder.endPolygon()
            }
        }
        return builder.count > 0 ? builder.geometry(kind.geometryKind) : nil
    }

    private mutating func addRings(
        _ table: FlatBuffer.Table, _ buffer: FlatBuffer, _ builder: inout GeometryBuilder, _ depth: Int
    ) throws(FeatureFileError) {
        for part in try buffer.tables(7, table) {
            try addCurve(part, buffer, nil, &builder, depth + 1)
            builder.endRing()
        }
    }

    /// Adds a curve to the open part.
    private mutating func addCurve(
        _ table: FlatBuffer.Table, _ buffer: FlatBuffer, _ told: WellKnownKind?, _ builder: inout GeometryBuilder,
        _ depth: Int
    ) throws(FeatureFileError) {
        guard depth < limits.maximumDepth else { return }
        let type = try buffer.uint8(6, table) ?? 0
        let kind = told ?? WellKnownKind(rawValue: UInt32(type)) ?? .lineString
        if kind == .compoundCurve {
            for part in try buffer.tables(7, table) { try addCurve(part, buffer, nil, &builder, depth + 1) }
        } else {
            try add(table, buffer, kind, &builder) { _ in }
        }
    }

    /// Adds the coordinates of a geometry.
    ///
    /// `endPart` ends each of its parts.
    private mutating func add(
        _ table: FlatBuffer.Table, _ buffer: FlatBuffer, _ kind: WellKnownKind, _ builder: inout GeometryBuilder,
        endPart: (inout GeometryBuilder) -> Void
    ) throws(FeatureFileError) {
        guard let xy = try buffer.vector(1, table, size: 8) else { return }
        let count = xy.count / 16
        guard count <= limits.maximumCoordinateCount else {
            throw FeatureFileError(
                .limitExceeded, in: FlatGeobuf.formatName, at: .byte(xy.lowerBound),
                "more than \(limits.maximumCoordinateCount) coordinates")
        }
        let z = header.hasHeights ? try buffer.vector(2, table, size: 8) : nil
        let endRange = try buffer.vector(0, table, size: 4)
        var firstEnd = count
        if let endRange, !endRange.isEmpty { firstEnd = try Int(buffer.uint32(at: endRange.lowerBound)) }
        if kind == .lineString, z == nil, builder.openCount == 0, endRange?.count ?? 0 <= 4, firstEnd == count {
            // Most geometries have one part.
            builder.add(pairs: bytes.span.extracting(xy.lowerBound..<xy.lowerBound + 16 * count))
            return endPart(&builder)
        }
        var places = ByteReader(bytes, in: FlatGeobuf.formatName, range: xy)
        var heights = z.map { ByteReader(bytes, in: FlatGeobuf.formatName, range: $0) }
        var ends: [Int] = []
        if let range = endRange {
            var reader = ByteReader(bytes, in: FlatGeobuf.formatName, range: range)
            while !reader.isAtEnd { ends.append(try Int(reader.uint32())) }
        }
        guard ends.count < 2 || zip(ends, ends.dropFirst()).allSatisfy({ $0 <= $1 }), ends.last ?? 0 <= count else {
            throw FeatureFileError(
                .malformed, in: FlatGeobuf.formatName, at: .byte(xy.lowerBound), "its parts are out of order")
        }
        builder.reserve(count)
        var arcs = ArcGathering()
        var end = 0
        for index in 0..<count {
            let place = Coordinate(x: try places.double(), y: try places.double())
            let height = (heights?.remaining ?? 0) >= 8 ? try heights?.double() : nil
            if kind == .circularString {
                if index == 0, place == builder.last { builder.dropLast() }
                arcs.add(place, height, to: &builder)
            } else if index > 0 || kind != .lineString || place != builder.last {
                builder.add(place, altitude: height)
            }
            while end < ends.count, ends[end] == index + 1 {
                endPart(&builder)
                end += 1
            }
        }
        arcs.end(to: &builder)
        if ends.isEmpty || ends.last != count { endPart(&builder) }
    }

    // MARK: Properties

    private mutating func properties(
        _ range: Range<Int>, _ columns: [FlatGeobufHeader.Column], areDistinct: Bool
    ) throws(FeatureFileError) -> Properties {
        var reader = ByteReader(bytes, in: FlatGeobuf.formatName, range: range)
        var found: [Properties.Element] = []
        found.reserveCapacity(min(columns.count, 64))
        var last = -1, isAscending = true
        // Some writers leave a single byte at the end, which is not a column number.
        while reader.remaining >= 2 {
            let number = try Int(reader.uint16())
            isAscending = isAscending && number > last
            last = number
            guard number < columns.count else { throw reader.fault(.malformed, "unknown column \(number)") }
            if let value = try value(columns[number].type, &reader) {
                found.append(Properties.Element(name: columns[number].name, value: value))
            } else {
                lossCount += 1
            }
        }
        return areDistinct && isAscending ? Properties(distinct: found) : Properties(lastOf: found)
    }

    @inline(__always)
    private func value(_ type: UInt8, _ reader: inout ByteReader) throws(FeatureFileError) -> PropertyValue? {
        func number(_ value: Double) -> PropertyValue { value.isFinite ? .number(value) : .null }
        switch type {
        case 0: return .integer(Int(Int8(bitPattern: try reader.uint8())))
        case 1: return .integer(Int(try reader.uint8()))
        case 2: return .bool(try reader.uint8() != 0)
        case 3: return .integer(Int(Int16(bitPattern: try reader.uint16())))
        case 4: return .integer(Int(try reader.uint16()))
        case 5: return .integer(Int(try reader.int32()))
        case 6: return .integer(Int(try reader.uint32()))
        case 7: return .integer(Int(Int64(bitPattern: try reader.uint64())))
        case 8:
            let value = try reader.uint64()
            return Int(exactly: value).map { .integer($0) } ?? .number(Double(value))
        case 9: return number(Double(Float(bitPattern: try reader.uint32())))
        case 10: return number(try reader.double())
        case 11, 12, 13, 14:
            let length = try reader.count(ofSize: 1)
            let text = reader.bytes[reader.position..<(reader.position + length)]
            try reader.skip(length)
            guard type != 14 else { return nil }
            if type == 12, let value = try? JSONReader.value(bytes: Array(text)) { return value }
            return .string(String(decoding: text, as: UTF8.self))
        default: throw reader.fault(.unsupported, "a column has the unknown type \(type)")
        }
    }
}
