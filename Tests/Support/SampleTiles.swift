/// Features in level units, 4096 a tile, and the Mapbox Vector Tiles that contain them.
package struct SampleTiles {
    /// A kind of geometry, as tiles number it.
    package enum Kind: Int { case points = 1, lines, polygons }

    /// A feature: its parts in level units, with open polygon rings and clockwise outer rings on the screen.
    package struct Feature {
        package var id: Int?
        package var kind: Kind
        package var parts: [[(Int, Int)]]
        package var attributes: [(String, String)]

        package init(id: Int? = nil, _ kind: Kind, _ parts: [[(Int, Int)]], _ attributes: [(String, String)] = []) {
            (self.id, self.kind, self.parts, self.attributes) = (id, kind, parts, attributes)
        }
    }

    /// The features by layers.
    package var layers: [(name: String, features: [Feature])]
    /// The buffer of a tile around its square in units, or `nil` for all of each feature.
    package var buffer: Int?
    /// Whether the tiles state the identifiers of features.
    package var statesIDs = true
    /// The version of the tiles.
    package var version = 2

    package init(_ layers: [(name: String, features: [Feature])], buffer: Int? = nil) {
        self.layers = layers
        self.buffer = buffer
    }

    /// The tile of a column and a row.
    package func tile(column: Int, row: Int) -> [UInt8] {
        layers.flatMap { layer in
            var keys: [String] = [], values: [String] = []
            let features = layer.features.flatMap { feature in
                bytes(of: feature, column, row, &keys, &values)
            }
            return features.isEmpty
                ? [] : TileBytes.layer(layer.name, version: version, keys: keys, values: values, [features])
        }
    }

    private func bytes(
        of feature: Feature, _ column: Int, _ row: Int, _ keys: inout [String], _ values: inout [String]
    ) -> [UInt8] {
        func number(_ text: String, _ all: inout [String]) -> Int {
            if let known = all.firstIndex(of: text) { return known }
            all.append(text)
            return all.count - 1
        }
        var parts = feature.parts.map { $0.map { ($0.0 - 4096 * column, $0.1 - 4096 * row) } }
        if let buffer {
            let frame = (-buffer, 4096 + buffer)
            switch feature.kind {
            case .points:
                parts = parts.map { part in
                    part.filter { frame.0 <= $0.0 && $0.0 <= frame.1 && frame.0 <= $0.1 && $0.1 <= frame.1 }
                }
            case .lines: parts = parts.flatMap { Self.line($0, frame) }
            case .polygons: parts = parts.map { Self.ring($0, frame) }
            }
        }
        parts.removeAll { $0.count < (feature.kind == .points ? 1 : 2) }
        guard !parts.isEmpty else { return [] }
        let tags = feature.attributes.flatMap { [number($0.0, &keys), number($0.1, &values)] }
        return TileBytes.feature(
            id: statesIDs ? feature.id : nil, type: feature.kind.rawValue, tags: tags, commands(of: parts, feature.kind)
        )
    }

    private func commands(of parts: [[(Int, Int)]], _ kind: Kind) -> [Int] {
        if kind == .polygons { return TileBytes.rings(parts) }
        var commands: [Int] = [], last = (0, 0)
        func delta(_ vertex: (Int, Int)) -> [Int] {
            defer { last = vertex }
            return [vertex.0 - last.0, vertex.1 - last.1].map { $0 << 1 ^ $0 >> 63 }
        }
        if kind == .points {
            let all = parts.flatMap { $0 }
            return [TileBytes.command(1, all.count)] + all.flatMap(delta)
        }
        for part in parts {
            commands += [9] + delta(part[0]) + [TileBytes.command(2, part.count - 1)] + part.dropFirst().flatMap(delta)
        }
        return commands
    }

    /// The intersection of an edge with a value of one ordinate, rounded as in tiles.
    private static func crossing(
        _ from: (Int, Int), _ to: (Int, Int), _ axis: Int, _ value: Int
    ) -> (Int, Int) {
        let (a, b) = axis == 0 ? (from.0, to.0) : (from.1, to.1)
        let (c, d) = axis == 0 ? (from.1, to.1) : (from.0, to.0)
        let other = Int((Double(c) + Double(d - c) * Double(value - a) / Double(b - a)).rounded())
        return axis == 0 ? (value, other) : (other, value)
    }

    private static func line(_ points: [(Int, Int)], _ frame: (Int, Int)) -> [[(Int, Int)]] {
        var lines = [points]
        for axis in 0..<2 {
            for (limit, sign) in [(frame.0, 1), (frame.1, -1)] {
                lines = lines.flatMap { line in
                    var parts: [[(Int, Int)]] = [], part: [(Int, Int)] = []
                    func value(_ point: (Int, Int)) -> Int { ((axis == 0 ? point.0 : point.1) - limit) * sign }
                    for (index, point) in line.enumerated() {
                        if index > 0, (value(line[index - 1]) < 0) != (value(point) < 0) {
                            part.append(crossing(line[index - 1], point, axis, limit))
                        }
                        if value(point) >= 0 {
                            part.append(point)
                        } else if !part.isEmpty {
                            parts.append(part)
                            part = []
                        }
                    }
                    return parts + (part.isEmpty ? [] : [part])
                }
            }
        }
        return lines
    }

    private static func ring(_ points: [(Int, Int)], _ frame: (Int, Int)) -> [(Int, Int)] {
        var ring = points
        for axis in 0..<2 {
            for (limit, sign) in [(frame.0, 1), (frame.1, -1)] {
                guard var last = ring.last else { return [] }
                var cut: [(Int, Int)] = []
                func value(_ point: (Int, Int)) -> Int { ((axis == 0 ? point.0 : point.1) - limit) * sign }
                for point in ring {
                    if (value(last) < 0) != (value(point) < 0) { cut.append(crossing(last, point, axis, limit)) }
                    if value(point) >= 0 { cut.append(point) }
                    last = point
                }
                ring = cut
            }
        }
        return ring
    }
}
