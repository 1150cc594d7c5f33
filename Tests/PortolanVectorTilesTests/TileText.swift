import PortolanVectorTiles

/// Tiles written as MVT commands and GeoJSON, to compare them with fixtures.
extension VectorTileGeometry {
    /// The commands of a feature, as an encoder of version 2 writes them.
    func commands(of feature: Int) -> [UInt32] {
        var commands: [UInt32] = [], x: Int32 = 0, y: Int32 = 0
        func delta(_ vertex: Int) -> [UInt32] {
            let (nextX, nextY) = self.vertex(vertex)
            defer { (x, y) = (nextX, nextY) }
            return [nextX &- x, nextY &- y].map { UInt32(bitPattern: $0 &<< 1 ^ $0 >> 31) }
        }
        for part in parts(of: feature) {
            let vertices = vertices(of: part)
            if types[feature] == .points {
                commands.append(UInt32(vertices.count) << 3 | 1)
                for vertex in vertices { commands += delta(vertex) }
                continue
            }
            commands += [9] + delta(vertices.lowerBound)
            commands.append(UInt32(vertices.count - 1) << 3 | 2)
            for vertex in vertices.dropFirst() { commands += delta(vertex) }
            if types[feature] == .polygons { commands.append(15) }
        }
        return commands
    }
}

extension VectorTileLayer {
    /// The coordinates of a feature as in GeoJSON, with its type.
    func geoJSON(of feature: Int) -> (type: String, coordinates: JSONValue) {
        func position(_ vertex: Int) -> JSONValue {
            let (x, y) = geometry.vertex(vertex)
            return .array([.int(Int64(x)), .int(Int64(y))])
        }
        func line(_ part: Int) -> JSONValue { .array(geometry.vertices(of: part).map(position)) }
        func ring(_ part: Int) -> JSONValue {
            let vertices = geometry.vertices(of: part)
            return .array(vertices.map(position) + vertices.prefix(1).map(position))
        }
        let parts = geometry.parts(of: feature)
        switch geometry.types[feature] {
        case .points:
            let points = parts.flatMap { geometry.vertices(of: $0) }.map(position)
            return points.count == 1 ? ("Point", points[0]) : ("MultiPoint", .array(points))
        case .lines:
            let lines = parts.map(line)
            return lines.count == 1 ? ("LineString", lines[0]) : ("MultiLineString", .array(lines))
        case .polygons:
            let polygons = polygons(of: feature).map { JSONValue.array($0.map(ring)) }
            return polygons.count == 1 ? ("Polygon", polygons[0]) : ("MultiPolygon", .array(polygons))
        case .unknown: return ("Unknown", .null)
        }
    }

    /// The attributes of a feature.
    func attributes(of feature: Int) -> [String: VectorTileValue] {
        var attributes: [String: VectorTileValue] = [:]
        for column in columns { if let value = column[feature] { attributes[column.key] = value } }
        return attributes
    }
}

extension VectorTileValue {
    /// Whether a fixture states this value.
    ///
    /// Fixtures write special floating-point numbers as texts.
    func equals(_ json: JSONValue) -> Bool {
        switch (self, json) {
        case (.string(let value), .string(let other)): value == other
        case (.bool(let value), .bool(let other)): value == other
        case (.int(let value), .int(let other)): value == other
        case (.uint(let value), .int(let other)): Int64(exactly: value) == other
        case (.uint(let value), .uint(let other)): value == other
        case (.float(let value), .string(let name)): Self.special[name].map { Self.same(Double(value), $0) } == true
        case (.double(let value), .string(let name)): Self.special[name].map { Self.same(value, $0) } == true
        // Fixtures have floats in several decimal forms.
        case (.float(let value), _):
            json.double.map { Float($0) == value || abs(Double(value) - $0) <= 1e-6 * abs($0) } == true
        case (.double(let value), _): json.double == value
        case (.list(let values), .array(let others)):
            values.count == others.count && zip(values, others).allSatisfy { $0.equals($1) }
        case (.map(let members), .object(let others)):
            members.count == others.count && members.allSatisfy { others[$0.name].map($0.value.equals) == true }
        default: false
        }
    }

    private static func same(_ value: Double, _ other: Double) -> Bool {
        value.isNaN ? other.isNaN : value == other
    }

    private static let special: [String: Double] = [
        "f32::NAN": .nan, "f64::NAN": .nan, "f32::INFINITY": .infinity, "f64::INFINITY": .infinity,
        "f32::NEG_INFINITY": -.infinity, "f64::NEG_INFINITY": -.infinity,
    ]
}
