package import PortolanGeo

extension PointTable {
    /// The largest number of points that are counted.
    private static let sampleSize = 50_000
    /// The share of the points that may be in more crowded squares.
    private static let crowdedShare = 0.05

    /// Returns how many points are in a crowded square: a twentieth of all points are in fuller ones.
    ///
    /// It depends on all points of the table, so that pictures beside each other agree.
    ///
    /// - Parameters:
    ///   - side: the side of a square in units of `crs`.
    ///   - crs: the CRS of the squares.
    /// - Complexity: O(points), at most that of 50,000.
    package func crowding(inSquaresOf side: Double, in crs: CRS) -> Double {
        guard side > 0, let transform = try? CoordinateTransform(from: self.crs, to: crs) else { return 0 }
        struct Square: Hashable {
            let x: Double, y: Double
        }
        var counts: [Square: Int] = [:], sampled = 0
        let step = max(1, count / Self.sampleSize)
        for place in stride(from: 0, to: count, by: step) {
            guard let point = transform(coordinate(at: place)) else { continue }
            counts[Square(x: (point.x / side).rounded(.down), y: (point.y / side).rounded(.down)), default: 0] += 1
            sampled += 1
        }
        var rest = Double(sampled) * Self.crowdedShare
        for count in counts.values.sorted(by: >) {
            rest -= Double(count)
            if rest < 0 { return Double(count * step) }
        }
        return 0
    }
}
