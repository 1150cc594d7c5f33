import PortolanGeo
import PortolanVectorTiles

/// Converts tile coordinates to units of the level, and decides which of them belong to its square.
struct VectorTileFrame {
    /// The distance by which a tile that replaces several extends beyond the view.
    private static let standInBuffer = 64.0

    private let scale: Double
    private let startX: Double, startY: Double
    /// The square.
    let minX: Double, minY: Double, maxX: Double, maxY: Double
    /// The sides with a neighbour.
    let sides: VectorTilePiece.Sides
    /// The drawn extent: the square, and the buffer beyond sides without a neighbour.
    let left: Double, top: Double, right: Double, bottom: Double
    /// The column and row of the square.
    let column: Int, row: Int

    init(_ piece: VectorTilePiece, extent: UInt32) {
        let unit = VectorTileJoiner.unit
        column = piece.column
        row = piece.row
        (minX, minY) = (Double(piece.column) * unit, Double(piece.row) * unit)
        (maxX, maxY) = (Double(piece.column + 1) * unit, Double(piece.row + 1) * unit)
        scale = unit / Double(extent) * piece.scale
        startX = minX + piece.offsetX * unit
        startY = minY + piece.offsetY * unit
        sides = piece.neighbours
        let beyond = piece.isWhole ? Double.infinity : Self.standInBuffer
        left = sides.contains(.left) ? minX : minX - beyond
        top = sides.contains(.top) ? minY : minY - beyond
        right = sides.contains(.right) ? maxX : maxX + beyond
        bottom = sides.contains(.bottom) ? maxY : maxY + beyond
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

    /// How much of a feature is drawn: all of what meets no neighbour.
    func share(of feature: Int, _ geometry: VectorTileGeometry) -> Share {
        guard let box = box(geometry, feature) else { return .nothing }
        if box.minX > left, box.maxX < right, box.minY > top, box.maxY < bottom { return .all }
        return box.minX <= right && box.maxX >= left && box.minY <= bottom && box.maxY >= top ? .some : .nothing
    }
}
