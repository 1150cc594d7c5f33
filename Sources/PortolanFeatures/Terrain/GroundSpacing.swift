package import PortolanGeo

/// The distances between neighbouring samples of an elevation grid on the ground, in metres, by row.
package struct GroundSpacing: Hashable, Sendable {
    /// The distance to the next sample in the east, by row.
    package let eastward: [Double]
    /// The distance to the next sample in the south, by row.
    package let southward: [Double]

    /// Creates equal spacing in all rows.
    package init(eastward: Double, southward: Double, rowCount: Int) {
        self.eastward = [Double](repeating: eastward, count: rowCount)
        self.southward = [Double](repeating: southward, count: rowCount)
    }

    /// Measures the spacing of a grid on the ground, in the middle of each row.
    ///
    /// Where a coordinate is outside of the domain of the CRS, its unit counts.
    ///
    /// - Parameters:
    ///   - topLeft: the centre of the first sample.
    ///   - resolution: the units of the CRS between samples.
    package init(
        crs: CRS, topLeft: Coordinate, resolution: (x: Double, y: Double), columnCount: Int, rowCount: Int
    ) {
        let toDegrees = try? CoordinateTransform(from: crs, to: .crs84)
        let middle = topLeft.x + Double(columnCount - 1) / 2 * resolution.x
        var eastward: [Double] = [], southward: [Double] = []
        for row in 0..<rowCount {
            let y = topLeft.y - Double(row) * resolution.y
            func meters(_ x: Double, _ y: Double, _ otherX: Double, _ otherY: Double) -> Double? {
                guard let one = toDegrees?(Coordinate(x: x, y: y)),
                    let other = toDegrees?(Coordinate(x: otherX, y: otherY))
                else { return nil }
                let meters = GroundDistance.meters(from: one, to: other)
                return meters > 0 && meters.isFinite ? meters : nil
            }
            let halfX = resolution.x / 2, halfY = resolution.y / 2
            eastward.append(meters(middle - halfX, y, middle + halfX, y) ?? resolution.x * crs.metersPerUnit)
            southward.append(meters(middle, y - halfY, middle, y + halfY) ?? resolution.y * crs.metersPerUnit)
        }
        (self.eastward, self.southward) = (eastward, southward)
    }
}
