import PortolanGeo

/// The integer grid on which areas are combined.
///
/// A cell is a power of two wide, so that grid positions are exact coordinates.
struct OverlayGrid {
    /// The width of a cell.
    let cell: Double
    private let origin: Coordinate

    /// Creates the finest grid for a box.
    init(_ box: BoundingBox) {
        // Halves keep the difference of huge numbers finite.
        let half = max(box.maxX / 2 - box.minX / 2, box.maxY / 2 - box.minY / 2)
        let reach = max(abs(box.minX), abs(box.maxX), abs(box.minY), abs(box.maxY))
        let finest = max(half / Double(GridPoint.most - 4), reach.ulp, .leastNormalMagnitude)
        let cell = Double(sign: .plus, exponent: finest.exponent + 1, significand: 1)
        self.cell = cell
        let middle = Coordinate(x: box.minX / 2 + box.maxX / 2, y: box.minY / 2 + box.maxY / 2)
        origin = Coordinate(x: (middle.x / cell).rounded() * cell, y: (middle.y / cell).rounded() * cell)
    }

    /// Returns the nearest grid position.
    func position(of coordinate: Coordinate) -> GridPoint {
        let most = Double(GridPoint.most)
        return GridPoint(
            x: Int(min(max(((coordinate.x - origin.x) / cell).rounded(), -most), most)),
            y: Int(min(max(((coordinate.y - origin.y) / cell).rounded(), -most), most)))
    }

    /// Returns the coordinate of a grid position.
    func coordinate(of position: GridPoint) -> Coordinate {
        Coordinate(x: origin.x + Double(position.x) * cell, y: origin.y + Double(position.y) * cell)
    }
}
