import PortolanFeatures
import PortolanGeo

/// The geometries of a column, in well-known binary or in columns of coordinates.
struct GeoParquetShapes {
    /// A geometry, or the reason why it cannot be read.
    struct Shape {
        var geometry: Geometry?
        var fault: String?
    }

    private enum Encoding {
        case binary
        /// Columns of coordinates within a number of lists.
        case native(Geometry.Kind, depth: Int)
    }

    /// The numbers of the columns: one of bytes, or x, y and perhaps z.
    let columns: [Int]
    private let encoding: Encoding

    private static let natives: [String: (Geometry.Kind, Int)] = [
        "point": (.point, 0), "linestring": (.lineString, 1), "multipoint": (.multiPoint, 1), "polygon": (.polygon, 2),
        "multilinestring": (.multiLineString, 2), "multipolygon": (.multiPolygon, 3),
    ]

    init(
        _ column: GeoParquetMetadata.Column, _ field: ParquetSchema.Field, _ schema: ParquetSchema
    ) throws(ParquetFault) {
        if column.encoding == "WKB" {
            guard !field.isGroup, schema.columns[field.columns.lowerBound].type == .bytes,
                schema.columns[field.columns.lowerBound].maximumRepetition == 0
            else { throw .malformed("the geometry column '\(column.name)' does not hold bytes") }
            (columns, encoding) = ([field.columns.lowerBound], .binary)
            return
        }
        guard let (kind, depth) = Self.natives[column.encoding] else {
            throw ParquetFault(
                .unsupported,
                "the encoding '\(column.encoding.prefix(60))' of the geometry column '\(column.name)' is not supported; "
                    + "write the file with encoding WKB")
        }
        let found = ["x", "y", "z"].compactMap { axis in
            field.columns.first {
                let leaf = schema.columns[$0]
                return leaf.path.last == axis && leaf.type == .double && leaf.maximumRepetition == depth
            }
        }
        guard found.count >= 2, schema.columns[found[0]].path.last == "x", schema.columns[found[1]].path.last == "y"
        else {
            throw .malformed("the geometry column '\(column.name)' has no coordinates of type '\(column.encoding)'")
        }
        (columns, encoding) = (found, .native(kind, depth: depth))
    }

    /// Returns the geometry of each row of a row group.
    func read(
        _ file: GeoParquet, _ group: ParquetFooter.RowGroup, wanted: [Bool]?, limits: FeatureLimits
    ) throws(FeatureFileError) -> [Shape] {
        var chunks: [ParquetChunkReader] = []
        for number in columns {
            chunks.append(
                try ParquetChunkReader(
                    file.input, group.chunks[number], of: file.footer.schema.columns[number], limits: limits))
        }
        switch encoding {
        case .binary:
            let shapes = try chunks[0].rows(group.rowCount, wanted: wanted) { (values) throws(ParquetFault) in
                guard case .bytes(let strings) = values else { return [Shape]() }
                var shapes: [Shape] = []
                shapes.reserveCapacity(strings.ranges.count)
                for range in strings.ranges { shapes.append(try Self.shape(strings.buffer, range, limits)) }
                return shapes
            }
            return shapes.map { $0 ?? Shape() }
        case .native(let kind, let depth):
            var nested: [ParquetChunkReader.Nested] = []
            for chunk in chunks { nested.append(try chunk.nested()) }
            let levels = file.footer.schema.columns[columns[0]].maximumDefinition
            do throws(ParquetFault) {
                return try Self.shapes(nested, kind, depth: depth, present: UInt32(levels), rowCount: group.rowCount)
            } catch { throw error.error(at: nil) }
        }
    }

    private static func shape(
        _ buffer: [UInt8], _ range: Range<Int>, _ limits: FeatureLimits
    ) throws(ParquetFault) -> Shape {
        var reader = ByteReader(buffer, in: "WKB", range: range)
        do throws(FeatureFileError) {
            let geometry = try WKB.read(&reader, limits: limits).geometry
            guard reader.isAtEnd else { return Shape(fault: "unexpected bytes after it") }
            return Shape(geometry: geometry.isEmpty ? nil : geometry)
        } catch {
            guard error.code == .malformed || error.code == .unsupported else {
                throw ParquetFault(error.code, error.detail)
            }
            return Shape(fault: error.detail)
        }
    }

    /// Builds geometries from coordinates within lists.
    private static func shapes(
        _ axes: [ParquetChunkReader.Nested], _ kind: Geometry.Kind, depth: Int, present: UInt32, rowCount: Int
    ) throws(ParquetFault) -> [Shape] {
        let x = axes[0], y = axes[1], z = axes.count > 2 ? axes[2] : nil
        let odd = ParquetFault.malformed("the coordinates of a geometry column do not belong together")
        guard x.definitions == y.definitions, x.repetitions == y.repetitions, x.values.count == y.values.count,
            z.map({ $0.repetitions == x.repetitions && $0.definitions.count == x.definitions.count }) ?? true
        else { throw odd }
        var shapes: [Shape] = [], builder = GeometryBuilder(), next = 0, nextHeight = 0
        func endPart(_ level: Int) {
            guard builder.count > 0 else { return }
            // The innermost list with parts is one of coordinates.
            switch kind {
            case .lineString: builder.endLine()
            case .multiLineString: builder.endLine()
            case .polygon: builder.endRing()
            case .multiPolygon:
                builder.endRing()
                if level <= 1 { builder.endPolygon() }
            case .point, .multiPoint, .collection: break
            }
        }
        func endRow() {
            if builder.count > 0 {
                endPart(0)
                shapes.append(Shape(geometry: builder.geometry(kind)))
            } else {
                shapes.append(Shape())
            }
            builder = GeometryBuilder()
        }
        for index in x.repetitions.indices {
            let level = Int(x.repetitions[index])
            if level == 0 {
                if index > 0 { endRow() }
            } else if level < depth {
                endPart(level)
            }
            let hasHeight = z.map { $0.definitions[index] >= present && nextHeight < $0.values.count } ?? false
            let height = hasHeight ? z?.values[nextHeight] : nil
            if hasHeight { nextHeight += 1 }
            guard x.definitions[index] == present else { continue }
            guard next < x.values.count else { throw odd }
            builder.add(Coordinate(x: x.values[next], y: y.values[next]), altitude: height)
            next += 1
        }
        if !x.repetitions.isEmpty { endRow() }
        guard shapes.count == rowCount else { throw odd }
        return shapes
    }
}
