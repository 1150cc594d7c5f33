public import PortolanFeatures
import PortolanGeo
import PortolanZip

extension GeoParquet {
    /// Writes GeoParquet 1.1, with the box of each feature and compressed by gzip.
    ///
    /// Row groups have up to 65,536 features in their order, so that readers skip those outside a box if features near
    /// each other come one after the other. Properties of one type are in a column of this type; lists, objects and
    /// mixed values are in a column of JSON.
    public enum Writer {
        private static let rowGroupCount = 65_536
        /// About 64 MiB.
        private static let rowGroupCoordinateCount = 4_000_000

        /// Returns the document.
        ///
        /// Coordinates stay in the CRS of the collection, which the metadata describes.
        ///
        /// - Throws: ``FeatureFileError`` with ``FeatureFileError/Code/unsupported`` if the CRS cannot be described.
        /// - Complexity: linear in the coordinates and properties.
        public static func write(_ collection: FeatureCollection) throws(FeatureFileError) -> [UInt8] {
            let crs = collection.effectiveCRS
            guard let system = PROJJSON(crs) else {
                throw FeatureFileError(
                    .unsupported, in: GeoParquet.formatName,
                    "the CRS \(crs.name) cannot be described in it; choose another, such as CRS:84 or a UTM zone")
            }
            let properties = PropertyColumns(collection.features)
            let layout = Layout(properties)
            var bytes = GeoParquet.mark, groups: [(chunks: [ParquetColumnWriter.Chunk], rowCount: Int)] = []
            var start = 0
            do throws(ZipError) {
                while start < collection.features.count {
                    let end = rowGroupEnd(collection.features, from: start)
                    let chunks = try write(collection.features[start..<end], properties, layout, to: &bytes)
                    groups.append((chunks, end - start))
                    start = end
                }
            } catch { throw FeatureFileError(.memory, in: GeoParquet.formatName, error.detail) }
            let footer = footer(collection, system, properties, layout, groups)
            bytes += footer
            bytes.append(littleEndian: UInt32(footer.count))
            return bytes + GeoParquet.mark
        }

        private static func rowGroupEnd(_ features: [Feature], from start: Int) -> Int {
            var end = start, count = 0
            while end < features.count, end - start < rowGroupCount, count <= rowGroupCoordinateCount {
                count += features[end].geometry?.coordinateCount ?? 0
                end += 1
            }
            return end
        }

        // MARK: Columns

        /// The names of the columns that are not properties.
        private struct Layout {
            let geometry: String
            let box: String
            let columns: [ParquetColumnWriter.Column]

            static let sides = ["xmin", "ymin", "xmax", "ymax"]

            init(_ properties: PropertyColumns) {
                var known = Set(properties.names)
                func free(_ name: String) -> String {
                    var name = name
                    while !known.insert(name).inserted { name += "_" }
                    return name
                }
                let (geometry, box) = (free("geometry"), free("bbox"))
                (self.geometry, self.box) = (geometry, box)
                columns =
                    zip(properties.names, properties.types).map { name, type in
                        ParquetColumnWriter.Column(path: [name], type: Self.physicalType(of: type))
                    } + [ParquetColumnWriter.Column(path: [geometry], type: .bytes)]
                    + Self.sides.map { ParquetColumnWriter.Column(path: [box, $0], type: .float) }
            }

            private static func physicalType(of type: PropertyColumns.ValueType) -> ParquetColumn.PhysicalType {
                switch type {
                case .bool: .boolean
                case .integer: .int64
                case .number: .double
                case .string, .json: .bytes
                }
            }
        }

        /// Appends a row group.
        private static func write(
            _ features: ArraySlice<Feature>, _ properties: PropertyColumns, _ layout: Layout, to bytes: inout [UInt8]
        ) throws(ZipError) -> [ParquetColumnWriter.Chunk] {
            var chunks: [ParquetColumnWriter.Chunk] = []
            func add(
                _ number: Int, _ value: (Int) -> ParquetColumnWriter.Value?
            ) throws(ZipError) {
                var writer = try ParquetColumnWriter(layout.columns[number])
                for index in features.indices { try writer.add(value(index)) }
                chunks.append(try writer.finish(at: bytes.count))
                bytes += writer.pages
            }
            // A row for each feature, so that each is searched once.
            let rows = features.map { feature in
                var row = [PropertyValue?](repeating: nil, count: properties.names.count)
                properties.forEachValue(of: feature) { row[$0] = $1 }
                return row
            }
            for (number, type) in properties.types.enumerated() {
                try add(number) { rows[$0 - features.startIndex][number].map { value(of: $0, type) } }
            }
            let first = properties.names.count
            try add(first) { index in
                features[index].geometry.map { .bytes(WKB.write(EncodedGeometry($0))) }
            }
            let boxes = features.map { $0.geometry?.boundingBox }
            for (side, path) in [\BoundingBox.minX, \.minY, \.maxX, \.maxY].enumerated() {
                try add(first + 1 + side) { index in
                    boxes[index - features.startIndex].map { .float(rounded($0[keyPath: path], up: side > 1)) }
                }
            }
            return chunks
        }

        /// Returns a side in single precision, not inside the box.
        private static func rounded(_ side: Double, up: Bool) -> Float {
            let float = Float(side)
            if up { return Double(float) < side ? float.nextUp : float }
            return Double(float) > side ? float.nextDown : float
        }

        private static func value(
            of value: PropertyValue, _ type: PropertyColumns.ValueType
        ) -> ParquetColumnWriter.Value {
            switch (type, value) {
            case (.bool, .bool(let flag)): .bool(flag)
            case (.integer, .integer(let number)): .integer(number)
            case (.number, _): .number(value.doubleValue ?? .nan)
            case (.string, .string(let text)): .bytes(Array(text.utf8))
            default: .bytes(GeoJSONWriter.json(value))
            }
        }

        // MARK: Footer

        private static func footer(
            _ collection: FeatureCollection, _ system: PROJJSON, _ properties: PropertyColumns, _ layout: Layout,
            _ groups: [(chunks: [ParquetColumnWriter.Chunk], rowCount: Int)]
        ) -> [UInt8] {
            let geo = String(decoding: GeoJSONWriter.json(metadata(collection, system, layout)), as: UTF8.self)
            var output = ThriftWriter()
            output.structure {
                $0.field(1, int32: 2)
                schema(properties, layout, to: &$0)
                $0.field(3, int64: collection.features.count)
                $0.field(4, groups) { output, group in
                    output.field(1, group.chunks) { write($1, to: &$0) }
                    output.field(2, int64: group.chunks.reduce(0) { $0 + $1.contentLength })
                    output.field(3, int64: group.rowCount)
                }
                $0.field(5, [("geo", geo)]) { output, pair in
                    output.field(1, pair.0)
                    output.field(2, pair.1)
                }
                $0.field(6, "Portolan")
                // Statistics are in the order of the types.
                $0.field(7, layout.columns) { output, _ in output.field(1) { _ in } }
            }
            return output.bytes
        }

        private static func schema(_ properties: PropertyColumns, _ layout: Layout, to output: inout ThriftWriter) {
            enum Element {
                case root(Int)
                case column(String, ParquetColumn.PhysicalType, isRequired: Bool, PropertyColumns.ValueType?)
                case group(String, Int)
            }
            var elements: [Element] = [.root(properties.names.count + 2)]
            for (column, type) in zip(layout.columns, properties.types) {
                elements.append(.column(column.path[0], column.type, isRequired: false, type))
            }
            elements.append(.column(layout.geometry, .bytes, isRequired: false, nil))
            elements.append(.group(layout.box, Layout.sides.count))
            elements += Layout.sides.map { .column($0, .float, isRequired: true, nil) }
            output.field(2, elements) { output, element in
                switch element {
                case .root(let count):
                    output.field(4, "schema")
                    output.field(5, int32: count)
                case .group(let name, let count):
                    output.field(3, int32: 1)
                    output.field(4, name)
                    output.field(5, int32: count)
                case .column(let name, let type, let isRequired, let meaning):
                    output.field(1, int32: type.rawValue)
                    output.field(3, int32: isRequired ? 0 : 1)
                    output.field(4, name)
                    guard meaning == .string || meaning == .json else { return }
                    output.field(6, int32: meaning == .json ? 19 : 0)
                    output.field(10) { $0.field(meaning == .json ? 12 : 1) { _ in } }
                }
            }
        }

        private static func write(_ chunk: ParquetColumnWriter.Chunk, to output: inout ThriftWriter) {
            output.field(2, int64: 0)
            output.field(3) {
                $0.field(1, int32: chunk.column.type.rawValue)
                $0.field(2, int32s: [ParquetEncoding.plain.rawValue, ParquetEncoding.runs.rawValue])
                $0.field(3, texts: chunk.column.path)
                $0.field(4, int32: ParquetCodec.gzip.rawValue)
                $0.field(5, int64: chunk.valueCount)
                $0.field(6, int64: chunk.contentLength)
                $0.field(7, int64: chunk.byteCount)
                $0.field(9, int64: chunk.offset)
                $0.field(12) {
                    $0.field(3, int64: chunk.missingCount)
                    if let greatest = chunk.greatest { $0.field(5, greatest) }
                    if let least = chunk.least { $0.field(6, least) }
                }
            }
        }

        private static func metadata(
            _ collection: FeatureCollection, _ system: PROJJSON, _ layout: Layout
        ) -> PropertyValue {
            let types = Set(
                collection.features.compactMap(\.geometry).map { typeName($0) })
            var column: Properties = [
                "encoding": "WKB", "geometry_types": .array(types.sorted().map { .string($0) }),
            ]
            // The default is longitude and latitude.
            if let value = system.value { column["crs"] = value }
            if let box = collection.boundingBox {
                column["bbox"] = .array([box.minX, box.minY, box.maxX, box.maxY].map { .number($0) })
            }
            var sides = Properties()
            for side in Layout.sides { sides[side] = .array([.string(layout.box), .string(side)]) }
            column["covering"] = ["bbox": .object(sides)]
            var columns = Properties()
            columns[layout.geometry] = .object(column)
            return ["version": "1.1.0", "primary_column": .string(layout.geometry), "columns": .object(columns)]
        }

        private static func typeName(_ geometry: Geometry) -> String {
            let name =
                switch geometry.kind {
                case .point: "Point"
                case .multiPoint: "MultiPoint"
                case .lineString: "LineString"
                case .multiLineString: "MultiLineString"
                case .polygon: "Polygon"
                case .multiPolygon: "MultiPolygon"
                case .collection: "GeometryCollection"
                }
            return geometry.hasAltitudes ? name + " Z" : name
        }
    }
}
