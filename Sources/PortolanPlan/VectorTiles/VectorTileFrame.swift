import PortolanGeo
import PortolanVectorTiles

/// Converts tile coordinates to units of the level, and decides which of them belong to its square.
struct VectorTileFrame {
    /// The distance from the visible squares up to which features beside them are drawn: the reach of a view at the
    /// smallest scale of a tile.
    private static let nearness = VectorTilePlanner.reach * VectorTileJoiner.unit / 512

    private let scale: Double
    private let startX: Double, startY: Double
    /// The square.
    let minX: Double, minY: Double, maxX: Double, maxY: Double
    /// The box that drawn features touch, or `nil` for all.
    private let near: (minX: Double, minY: Double, maxX: Double, maxY: Double)?
    /// The column and row of the square.
    let column: Int, row: Int

    init(_ piece: VectorTilePiece, of view: VectorTileView, extent: UInt32) {
        let unit = VectorTileJoiner.unit
        column = piece.column
        row = piece.row
        (minX, minY) = (Double(piece.column) * unit, Double(piece.row) * unit)
        (maxX, maxY) = (Double(piece.column + 1) * unit, Double(piece.row + 1) * unit)
        scale = unit / Double(extent) * piece.scale
        startX = minX + piece.offsetX * unit
        startY = minY + piece.offsetY * unit
        near = (piece.isBeside ? view.visible : nil).map { columns, rows in
            (
                Double(columns.lowerBound) * unit - Self.nearness, Double(rows.lowerBound) * unit - Self.nearness,
                Double(columns.upperBound + 1) * unit + Self.nearness,
                Double(rows.upperBound + 1) * unit + Self.nearness
            )
        }
    }

    /// Returns the coordinates of a vertex in the level.
    @inline(__always)
    func point(_ vertex: (x: Int32, y: Int32)) -> Coordinate {
        Coordinate(x: startX + Double(vertex.x) * scale, y: startY + Double(vertex.y) * scale)
    }

    /// Returns whether a point belongs to the square and not to a neighbour.
    func owns(_ point: Coordinate) -> Bool { point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY }

    private func box(
        _ geometry: VectorTileGeometry, _ feature: Int
    ) -> (minX: Double, minY: Double, maxX: Double, maxY: Double)? {
        let parts = geometry.parts(of: feature)
        guard !parts.isEmpty else { return nil }
        let first = 2 * Int(geometry.vertexOffsets[parts.lowerBound])
        let end = 2 * Int(geometry.vertexOffsets[parts.upperBound])
        guard first < end else { return nil }
        let coordinates = geometry.coordinates.span
        var minX = Int32.max, minY = Int32.max, maxX = Int32.min, maxY = Int32.min
        var index = first
        while index < end {
            let x = coordinates[index], y = coordinates[index + 1]
            minX = min(minX, x)
            maxX = max(maxX, x)
            minY = min(minY, y)
            maxY = max(maxY, y)
            index += 2
        }
        let low = point((minX, minY)), high = point((maxX, maxY))
        return (low.x, low.y, high.x, high.y)
    }

    /// How much of a feature is drawn.
    enum Share { case nothing, some, all }

    /// How much of a feature is drawn: all of it if it is inside the square.
    func share(of feature: Int, _ geometry: VectorTileGeometry) -> Share {
        guard let box = box(geometry, feature) else { return .nothing }
        if let near, box.minX > near.maxX || box.maxX < near.minX || box.minY > near.maxY || box.maxY < near.minY {
            return .nothing
        }
        if box.minX > minX, box.maxX < maxX, box.minY > minY, box.maxY < maxY { return .all }
        return box.minX <= maxX && box.maxX >= minX && box.minY <= maxY && box.maxY >= minY ? .some : .nothing
    }
}
