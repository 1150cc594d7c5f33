import PortolanGeo
package import PortolanRaster

/// The gradient of an elevation grid: the rise of the ground to the east and to the north.
package struct TerrainGradient: Sendable {
    /// The formulas for the gradient of a sample from those around it.
    package enum Formula: String, Hashable, Sendable, CaseIterable {
        /// Horn (1981): the eight neighbours, the nearer ones twice.
        case horn
        /// Zevenbergen and Thorne (1987): the four nearest neighbours, for smooth ground.
        case zevenbergenThorne = "zevenbergen-thorne"
    }

    private let grid: RasterValues
    private let spacing: GroundSpacing
    private let formula: Formula
    private let factor: Double

    /// - Parameters:
    ///   - spacing: the distances on the ground, with as many rows as the grid.
    ///   - factor: the factor of elevations.
    package init(
        _ grid: RasterValues, spacing: GroundSpacing, formula: Formula = .horn, factor: Double = 1
    ) {
        self.grid = grid
        self.spacing = spacing
        self.formula = formula
        self.factor = factor
    }

    /// Returns the gradient of a sample, in metres up per metre: to the east and to the north; `nil` without data.
    ///
    /// A missing neighbour gets the value that continues the line from the opposite one, so that the edges of data are
    /// as steep as the ground beside them.
    package func callAsFunction(_ x: Int, _ y: Int) -> (east: Double, north: Double)? {
        let middle = grid.value(x, y)
        guard middle.isFinite else { return nil }
        func around(_ right: Int, _ down: Int) -> Double {
            let value = grid.value(x + right, y + down)
            if value.isFinite { return Double(value) }
            let opposite = grid.value(x - right, y - down)
            return opposite.isFinite ? 2 * Double(middle) - Double(opposite) : Double(middle)
        }
        let east = spacing.eastward[y], south = spacing.southward[y]
        let west = around(-1, 0), right = around(1, 0), top = around(0, -1), bottom = around(0, 1)
        switch formula {
        case .horn:
            func corner(_ right: Int, _ down: Int, _ side: Double, _ other: Double) -> Double {
                let value = grid.value(x + right, y + down)
                return value.isFinite ? Double(value) : side + other - Double(middle)
            }
            let topLeft = corner(-1, -1, west, top), topRight = corner(1, -1, right, top)
            let bottomLeft = corner(-1, 1, west, bottom), bottomRight = corner(1, 1, right, bottom)
            let rise = (topRight + 2 * right + bottomRight) - (topLeft + 2 * west + bottomLeft)
            let up = (topLeft + 2 * top + topRight) - (bottomLeft + 2 * bottom + bottomRight)
            return (rise * factor / (8 * east), up * factor / (8 * south))
        case .zevenbergenThorne:
            return ((right - west) * factor / (2 * east), (top - bottom) * factor / (2 * south))
        }
    }
}

extension TerrainGradient {
    /// Returns the slope of a gradient in degrees.
    package static func slope(east: Double, north: Double) -> Double {
        Libm.arcTangent(Libm.hypotenuse(east, north)) * 180 / .pi
    }

    /// Returns the direction in which the ground falls, in degrees clockwise from north, or `nil` on level ground.
    package static func aspect(east: Double, north: Double) -> Double? {
        guard east != 0 || north != 0 else { return nil }
        let degrees = Libm.arcTangent(y: -east, x: -north) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }
}
