import PortolanFeatures
import PortolanGeo

/// Writes FlatGeobuf 3, with an index if there are many features.
enum FlatGeobufWriter {
    /// The number of features from which a file has an index: smaller files are read completely just as fast, and keep
    /// the order of the features.
    static let leastIndexed = 1000

    /// Returns the document.
    ///
    /// From 1,000 features on it has an index, and features that are close together are close in the file; a collection
    /// with a feature without a geometry has none.
    ///
    /// Coordinates stay in the CRS of the collection, which the header names.
    ///
    /// Identifiers are in the column `id` if features have no property with this name.
    ///
    /// - Complexity: linear in the coordinates and properties, and O(*n* log *n*) in the features.
    static func write(_ collection: FeatureCollection) -> [UInt8] {
        let columns = PropertyColumns(collection.features, limit: 65_535)
        let kinds = Set(collection.features.map { $0.geometry.map(kind) ?? 0 })
        let hasHeights = collection.features.contains { $0.geometry?.hasAltitudes ?? false }
        let index = collection.features.count < leastIndexed ? nil : FlatGeobufIndexBuilder(collection.features)
        var features: [UInt8] = [], offsets: [Int] = []
        for place in index?.order ?? Array(collection.features.indices) {
            let feature = collection.features[place]
            offsets.append(features.count)
            var values: [UInt8] = []
            columns.forEachValue(of: feature) { number, value in
                values.append(UInt8(number & 255))
                values.append(UInt8(number >> 8))
                append(value, columns.types[number], to: &values)
            }
            var builder = FlatBufferBuilder()
            var fields: [(Int, FlatBufferBuilder.Field)] = []
            if let geometry = feature.geometry { fields.append((0, .place(Self.add(geometry, to: &builder)))) }
            if !values.isEmpty { fields.append((1, .place(builder.vector(values)))) }
            features += builder.finished(root: builder.table(fields))
        }
        var bytes: [UInt8] = FlatGeobufHeader.magic + [0]
        bytes += header(
            collection, columns, kind: kinds.count == 1 ? kinds.first ?? 0 : 0, hasHeights: hasHeights,
            nodeSize: index == nil ? 0 : FlatGeobufIndexBuilder.nodeSize)
        if let index { bytes += index.bytes(offsets) }
        return bytes + features
    }

    private static func header(
        _ collection: FeatureCollection, _ columns: PropertyColumns, kind: UInt8, hasHeights: Bool, nodeSize: Int
    ) -> [UInt8] {
        var builder = FlatBufferBuilder(), fields: [(Int, FlatBufferBuilder.Field)] = []
        let places = zip(columns.names, columns.types).map { name, type in
            let name = builder.string(name)
            return builder.table([(0, .place(name)), (1, .uint8(number(of: type)))])
        }
        let name = builder.string(collection.foreignMembers["name"]?.stringValue ?? "features")
        if let box = collection.boundingBox {
            fields.append((1, .place(builder.vector([box.minX, box.minY, box.maxX, box.maxY]))))
        }
        if !places.isEmpty { fields.append((7, .place(builder.vector(ofTables: places)))) }
        let crs = collection.effectiveCRS
        if let code = crs == .crs84 ? 4326 : crs.epsgCode.flatMap(Int32.init(exactly:)) {
            let authority = builder.string("EPSG")
            fields.append((10, .place(builder.table([(0, .place(authority)), (1, .int32(code))]))))
        } else {
            let name = builder.string(crs.name), text = crs.esriWellKnownText.map { builder.string($0) }
            let system: [(Int, FlatBufferBuilder.Field)] =
                [(2, .place(name))] + (text.map { [(4, .place($0))] } ?? [])
            fields.append((10, .place(builder.table(system))))
        }
        fields += [
            (8, .uint64(UInt64(collection.features.count))), (0, .place(name)), (9, .uint16(UInt16(nodeSize))),
            (2, .uint8(kind)),
            (3, .uint8(hasHeights ? 1 : 0)),
        ]
        return builder.finished(root: builder.table(fields))
    }

    /// Returns the number of a geometry kind, as in well-known binary.
    private static func kind(_ geometry: Geometry) -> UInt8 { UInt8(WellKnownKind(geometry.kind).rawValue) }

    /// Adds a geometry and returns its position.
    private static func add(_ geometry: Geometry, to builder: inout FlatBufferBuilder) -> Int {
        var fields: [(Int, FlatBufferBuilder.Field)] = []
        switch geometry.kind {
        case .collection:
            let parts = geometry.children.map { add($0, to: &builder) }
            fields.append((7, .place(builder.vector(ofTables: parts))))
        case .multiPolygon:
            let parts = geometry.polygons.map { rings in
                var polygon = GeometryBuilder()
                for ring in rings {
                    for index in ring.indices {
                        polygon.add(geometry.coordinates[index], altitude: geometry.altitude(at: index))
                    }
                    polygon.endRing()
                }
                return add(polygon.geometry(.polygon), to: &builder)
            }
            fields.append((7, .place(builder.vector(ofTables: parts))))
        default:
            if geometry.parts.count > 1, geometry.kind != .multiPoint {
                fields.append((0, .place(builder.vector(geometry.parts.map { UInt32($0.endIndex) }))))
            }
            fields.append((1, .place(builder.vector(geometry.coordinates.flatMap { [$0.x, $0.y] }))))
            if geometry.hasAltitudes {
                let heights = geometry.coordinates.indices.map { geometry.altitude(at: $0) ?? .nan }
                fields.append((2, .place(builder.vector(heights))))
            }
        }
        fields.append((6, .uint8(kind(geometry))))
        return builder.table(fields)
    }

    private static func number(of type: PropertyColumns.ValueType) -> UInt8 {
        switch type {
        case .bool: 2
        case .integer: 7
        case .number: 10
        case .string: 11
        case .json: 12
        }
    }

    private static func append(_ value: PropertyValue, _ type: PropertyColumns.ValueType, to bytes: inout [UInt8]) {
        func add(_ bits: UInt64) {
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(bits >> UInt64(shift) & 255)) }
        }
        func add(_ text: [UInt8]) {
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(text.count >> shift & 255)) }
            bytes += text
        }
        switch (type, value) {
        case (.bool, .bool(let flag)): bytes.append(flag ? 1 : 0)
        case (.integer, .integer(let number)): add(UInt64(bitPattern: Int64(number)))
        case (.number, _): add((value.doubleValue ?? .nan).bitPattern)
        case (.string, .string(let text)): add(Array(text.utf8))
        default: add(GeoJSONWriter.json(value))
        }
    }
}
