import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanWeb

/// Reads the features of a GeoParquet file with the geometries of one column.
struct GeoParquetReader {
    private let file: GeoParquet
    private let limits: FeatureLimits
    private let geometry: GeoParquetMetadata.Column
    private let shapes: GeoParquetShapes
    /// The numbers of the columns with properties.
    private let properties: [Int]
    /// The numbers of the columns with the sides of each geometry: west, south, east, north.
    private let sides: [Int]?
    private var gathering: FeatureGathering

    /// The most values for each byte of a file; files of other programs stay far below.
    private static let greatestDensity = 1000

    init(_ file: GeoParquet, _ column: GeoParquetMetadata.Column, limits: FeatureLimits) throws(FeatureFileError) {
        (self.file, geometry, self.limits) = (file, column, limits)
        gathering = try FeatureGathering(file.name, limits: limits, documentLength: 0)
        let schema = file.footer.schema
        guard let field = schema.fields.first(where: { $0.name == column.name }) else {
            throw ParquetFault.malformed("the geometry column '\(column.name)' is missing").error(at: nil)
        }
        do throws(ParquetFault) { shapes = try GeoParquetShapes(column, field, schema) } catch {
            throw error.error(at: nil)
        }
        sides = Self.sides(of: column, in: schema)
        let coverings = Set(file.metadata.columns.flatMap { $0.sides ?? [] }.compactMap(\.first))
        let geometries = Set(file.metadata.columns.map(\.name))
        var properties: [Int] = [], omitted: [String] = [], others: [String] = []
        for field in schema.fields where field.name != column.name {
            if geometries.contains(field.name) {
                others.append(field.name)
            } else if !field.isGroup, schema.columns[field.columns.lowerBound].holdsProperties {
                properties.append(field.columns.lowerBound)
            } else if !coverings.contains(field.name) {
                omitted.append(field.name)
            }
        }
        self.properties = properties
        for note in column.notes { gathering.warn(.note, note) }
        if column.isSpherical {
            gathering.warn(.note, "the edges follow the globe in this file; they are drawn as straight lines")
        }
        if !omitted.isEmpty {
            gathering.warn(.omitted, "lists, groups and binary values left out: \(Self.listed(omitted))")
        }
        if !others.isEmpty {
            gathering.warn(.omitted, "other geometry columns left out; choose one with 'layer': \(Self.listed(others))")
        }
        let count = (properties.count + 1).multipliedReportingOverflow(by: file.footer.rowCount)
        guard !count.overflow, count.partialValue / Self.greatestDensity <= file.input.byteCount else {
            throw ParquetFault.malformed("it states \(file.footer.rowCount) rows").error(at: nil)
        }
    }

    /// Returns the numbers of the columns with the sides of each geometry, or `nil` if the file lacks any.
    static func sides(of column: GeoParquetMetadata.Column, in schema: ParquetSchema) -> [Int]? {
        let found = column.sides?.compactMap { path in
            schema.columns.firstIndex {
                $0.path == path && $0.maximumRepetition == 0 && ($0.type == .double || $0.type == .float)
            }
        }
        return found?.count == 4 ? found : nil
    }

    private static func listed(_ names: [String]) -> String {
        names.prefix(10).map { "'\($0.prefix(60))'" }.joined(separator: ", ") + (names.count > 10 ? " …" : "")
    }

    /// Returns the features whose boxes touch a box, or all of them.
    mutating func collection(in box: BoundingBox?) throws(FeatureFileError) -> FeatureCollection {
        if box == nil { gathering.expect(file.footer.rowCount) }
        var row = 0, byteCount = 0
        for group in file.footer.rowGroups {
            defer { row += group.rowCount }
            if let box, !mayTouch(box, group) { continue }
            byteCount += self.byteCount(of: group)
            guard byteCount <= limits.maximumByteCount else {
                throw FeatureFileError(
                    .limitExceeded, in: file.name, "the row groups exceed \(limits.maximumByteCount) bytes")
            }
            try add(group, firstRow: row, in: box)
        }
        return gathering.collection(crs: geometry.crs)
    }

    private func byteCount(of group: ParquetFooter.RowGroup) -> Int {
        (properties + shapes.columns).reduce(0) { $0 + min(group.chunks[$1].byteCount, file.input.byteCount) }
    }

    // MARK: Boxes

    /// Returns whether geometries of a row group may touch a box, by the statistics of their sides.
    private func mayTouch(_ box: BoundingBox, _ group: ParquetFooter.RowGroup) -> Bool {
        func outside(_ least: (x: Double?, y: Double?), _ greatest: (x: Double?, y: Double?), _ isX: Bool) -> Bool {
            isX && (least.x.map { $0 > box.maxX } ?? false) || isX && (greatest.x.map { $0 < box.minX } ?? false)
                || (least.y.map { $0 > box.maxY } ?? false) || (greatest.y.map { $0 < box.minY } ?? false)
        }
        if let sides {
            func ends(_ side: Int) -> (least: Double?, greatest: Double?) {
                let chunk = group.chunks[sides[side]], column = file.footer.schema.columns[sides[side]]
                return (Self.number(chunk.least, column), Self.number(chunk.greatest, column))
            }
            let (west, south, east, north) = (ends(0), ends(1), ends(2), ends(3))
            // A box that crosses the antimeridian has its west side east of its east side.
            var isOrdered = true
            if let one = west.greatest, let other = east.greatest, one > other { isOrdered = false }
            if let one = west.least, let other = east.least, one > other { isOrdered = false }
            return !outside((west.least, south.least), (east.greatest, north.greatest), isOrdered)
        }
        guard let number = shapes.columns.first else { return true }
        let stated = group.chunks[number].sides
        if let least = stated[0], let greatest = stated[1], least > greatest {
            return !outside((nil, stated[2]), (nil, stated[3]), false)
        }
        return !outside((stated[0], stated[2]), (stated[1], stated[3]), true)
    }

    /// Returns the number in statistics, or `nil` if it is missing or not finite.
    private static func number(_ bytes: [UInt8]?, _ column: ParquetColumn) -> Double? {
        guard let bytes, bytes.count == (column.type == .float ? 4 : 8),
            let number = try? ParquetEncoding.plain.values(bytes, from: 0, count: 1, of: column).doubles?.first,
            number.isFinite
        else { return nil }
        return number
    }

    /// Returns the rows whose sides touch a box.
    private func rows(
        _ group: ParquetFooter.RowGroup, touching box: BoundingBox, _ sides: [Int]
    ) throws(FeatureFileError) -> [Bool] {
        var values: [[Double?]] = []
        for number in sides {
            values.append(
                try chunk(number, group).rows(group.rowCount, wanted: nil) { (values) throws(ParquetFault) in
                    values.doubles ?? []
                })
        }
        return (0..<group.rowCount).map { row in
            guard let west = values[0][row], let south = values[1][row], let east = values[2][row],
                let north = values[3][row]
            else { return false }
            let isBeside = west <= east ? west > box.maxX || east < box.minX : west > box.maxX && east < box.minX
            return !isBeside && south <= box.maxY && north >= box.minY
        }
    }

    // MARK: Rows

    private func chunk(
        _ number: Int, _ group: ParquetFooter.RowGroup
    ) throws(FeatureFileError) -> ParquetChunkReader {
        try ParquetChunkReader(
            file.input, group.chunks[number], of: file.footer.schema.columns[number], limits: limits)
    }

    private mutating func add(
        _ group: ParquetFooter.RowGroup, firstRow: Int, in box: BoundingBox?
    ) throws(FeatureFileError) {
        guard group.rowCount > 0 else { return }
        // The values of a row group until they become features.
        let held = (properties.count + 1) * group.rowCount * MemoryLayout<PropertyValue?>.stride
        let charge: MemoryCharge?
        do throws(MemoryBudget.ExceededError) { charge = try limits.memory?.charge(held) } catch {
            throw FeatureFileError(.memory, in: file.name, "too large for memory: \(error)")
        }
        defer { withExtendedLifetime(charge) {} }
        var wanted: [Bool]?
        if let box, let sides {
            wanted = try rows(group, touching: box, sides)
            guard wanted?.contains(true) ?? true else { return }
        }
        let found = try shapes.read(file, group, wanted: wanted, limits: limits)
        if let box {
            let touching = found.enumerated().map { row, shape in
                guard wanted?[row] ?? true, let own = shape.geometry?.boundingBox else { return false }
                return own.touches(box)
            }
            guard touching.contains(true) else { return }
            wanted = touching
        }
        var values: [(name: String, values: [PropertyValue?])] = []
        for number in properties {
            let chunk = try chunk(number, group), column = chunk.column
            values.append(
                (
                    column.name,
                    try chunk.rows(group.rowCount, wanted: wanted) { (values) throws(ParquetFault) in
                        try column.properties(values)
                    }
                ))
        }
        for row in 0..<group.rowCount where wanted?[row] ?? true {
            if let fault = found[row].fault {
                gathering.warn(.omitted, feature: "\(firstRow + row + 1)", "cannot read its geometry: \(fault)")
            }
            var elements: [Properties.Element] = []
            elements.reserveCapacity(values.count)
            for column in values {
                guard let value = column.values[row], value != .null else { continue }
                elements.append(Properties.Element(name: column.name, value: value))
            }
            let feature = Feature(id: nil, geometry: found[row].geometry, properties: Properties(lastOf: elements))
            try gathering.add(feature, at: .record(firstRow + row + 1))
        }
    }
}
