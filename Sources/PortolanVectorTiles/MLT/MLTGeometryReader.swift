/// Reads the geometry column of a layer (maplibre-tile-spec, "Geometry Column").
struct MLTGeometryReader {
    /// The geometry types of the format.
    private enum Kind: UInt32 {
        case point, line, polygon, points, lines, polygons

        var isMultiple: Bool { rawValue >= Kind.points.rawValue }
        var kind: VectorTileGeometry.Kind {
            switch self {
            case .point, .points: .points
            case .line, .lines: .lines
            case .polygon, .polygons: .polygons
            }
        }
    }

    /// The lengths of one level, taken one after another.
    private struct Lengths {
        let values: [UInt32]
        private var next = 0
        private let offset: Int

        init(_ values: [UInt32], at offset: Int) {
            self.values = values
            self.offset = offset
        }

        mutating func take() throws(VectorTileError) -> Int {
            guard next < values.count else {
                throw VectorTileError(.malformed, offset: offset, "the geometry column has too few lengths")
            }
            defer { next += 1 }
            return Int(values[next])
        }
    }

    private let streams: [MLTStream]
    private let offset: Int

    init(_ streams: [MLTStream], at offset: Int) {
        self.streams = streams
        self.offset = offset
    }

    private func malformed(_ reason: String) -> VectorTileError {
        VectorTileError(.malformed, offset: offset, reason)
    }

    func geometry(
        _ numbers: inout MLTNumbers, _ budget: inout VectorTileBudget
    ) throws(VectorTileError) -> VectorTileGeometry {
        var kinds: [Kind] = [], geometries: Lengths?, parts: Lengths?, rings: Lengths?
        var vertexIndices: [UInt32]?, vertices: [Int32] = []
        for (index, stream) in streams.enumerated() {
            switch stream.use {
            case .data(.none) where index == 0, .length(.varBinary) where index == 0, .present where index == 0:
                for value in try numbers.integers(stream, as: UInt32.self) {
                    guard let kind = Kind(rawValue: value) else { throw malformed("an unknown geometry type") }
                    kinds.append(kind)
                }
            case .length(.geometries): geometries = Lengths(try numbers.integers(stream), at: stream.range.lowerBound)
            case .length(.parts): parts = Lengths(try numbers.integers(stream), at: stream.range.lowerBound)
            case .length(.rings): rings = Lengths(try numbers.integers(stream), at: stream.range.lowerBound)
            case .offset(.vertex): vertexIndices = try numbers.integers(stream)
            case .data(.vertex), .data(.morton): vertices = try numbers.vertices(stream)
            // Triangles of polygons, whose rings are there as well.
            case .length(.triangles), .offset(.index): break
            default: throw malformed("a stream that geometry columns do not have")
            }
        }
        guard budget.take(kinds.count, of: \.featureCount) else {
            throw VectorTileError(.limitExceeded, offset: offset, "too many features")
        }
        if let vertexIndices { vertices = try resolve(vertexIndices, vertices) }
        guard budget.take(vertices.count / 2, of: \.vertexCount) else {
            throw VectorTileError(.limitExceeded, offset: offset, "too many vertices")
        }
        return try assemble(
            kinds, &geometries, &parts, &rings, vertices: vertices, parts: budget.remaining.partCount, &budget)
    }

    private func resolve(_ indices: [UInt32], _ vertices: [Int32]) throws(VectorTileError) -> [Int32] {
        var resolved: [Int32] = []
        resolved.reserveCapacity(2 * indices.count)
        for index in indices {
            guard Int(index) < vertices.count / 2 else { throw malformed("a vertex that the dictionary does not have") }
            resolved.append(vertices[2 * Int(index)])
            resolved.append(vertices[2 * Int(index) + 1])
        }
        return resolved
    }

    /// Reads the lengths of the features one after another: a single geometry has no length, and the vertices of a line are counted
    /// as a ring if the column has polygons.
    private func assemble(
        _ kinds: [Kind], _ geometries: inout Lengths?, _ parts: inout Lengths?, _ rings: inout Lengths?,
        vertices: [Int32], parts partLimit: Int, _ budget: inout VectorTileBudget
    ) throws(VectorTileError) -> VectorTileGeometry {
        var geometry = VectorTileGeometry()
        var vertexCount = 0
        func missing() -> VectorTileError { malformed("the geometry column has too few streams") }
        func add(_ count: Int) throws(VectorTileError) {
            guard count <= vertices.count / 2 - vertexCount else { throw malformed("the column has too few vertices") }
            guard geometry.vertexOffsets.count <= partLimit else {
                throw VectorTileError(.limitExceeded, offset: offset, "too many lines and rings")
            }
            vertexCount += count
            geometry.vertexOffsets.append(UInt32(truncatingIfNeeded: vertexCount))
        }
        let hasPolygons = kinds.contains { $0.kind == .polygons }
        for kind in kinds {
            var count = 1
            if kind.isMultiple {
                guard let length = try geometries?.take() else { throw missing() }
                count = length
            }
            switch kind.kind {
            case .lines:
                for _ in 0..<count {
                    guard let length = rings == nil ? try parts?.take() : try rings?.take() else { throw missing() }
                    try add(length)
                    if hasPolygons { geometry.isOuterRing.append(false) }
                }
            case .polygons:
                for _ in 0..<count {
                    guard let ringCount = try parts?.take() else { throw missing() }
                    for ring in 0..<ringCount {
                        guard let length = try rings?.take() else { throw missing() }
                        try add(length)
                        geometry.isOuterRing.append(ring == 0)
                    }
                }
            case .points, .unknown:
                try add(count)
                if hasPolygons { geometry.isOuterRing.append(false) }
            }
            geometry.types.append(kind.kind)
            geometry.partOffsets.append(UInt32(truncatingIfNeeded: geometry.vertexOffsets.count - 1))
        }
        geometry.coordinates = Array(vertices.prefix(2 * vertexCount))
        _ = budget.take(geometry.vertexOffsets.count - 1, of: \.partCount)
        return geometry
    }
}
