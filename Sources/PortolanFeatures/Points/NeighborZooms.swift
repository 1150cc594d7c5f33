/// Determines the zoom levels at which points may have neighbours.
///
/// A cluster is less than a radius from its first point. At its own zoom level it has moved by at most the radius of
/// that level, which is half of the next one's, by a quarter before, and so on. A point without another within two
/// radii is therefore isolated, regardless of the clustering of the others.
struct NeighborZooms {
    private let options: PointClusters.Options

    /// The maximum number of points to search for the nearest one.
    private static let mostLookedAt = 64

    init(_ options: PointClusters.Options) { self.options = options }

    private func side(at zoom: Int) -> Double { 2.001 * options.reach(at: zoom) }

    /// Returns the maximum zoom level at which each point may have a neighbour, -1 for none.
    ///
    /// - Parameter x: NaN for an invalid point.
    func zooms(_ x: [Double], _ y: [Double]) -> [Int8] {
        var zooms = [Int8](repeating: -1, count: x.count)
        guard options.gathers else { return zooms }
        var left = x.indices.filter { !x[$0].isNaN }.map { Int32($0) }
        var zoom = beginning(left.map { x[Int($0)] }, left.map { y[Int($0)] })
        for place in left { zooms[Int(place)] = Int8(zoom - 1) }
        // Whether the level of each point is unknown. Known points are still neighbours of others.
        var isOpen = [Bool](repeating: true, count: left.count), isDone = false
        while zoom <= options.maximumZoom, !isDone {
            let grid = PointGrid(left.map { x[Int($0)] }, left.map { y[Int($0)] }, side: side(at: zoom))
            var count = 0
            isDone = true
            for index in left.indices {
                let place = left[index]
                var stays = zooms[Int(place)] > Int8(zoom)
                if isOpen[index] {
                    let square = grid.nearest(Int(grid.numbers[index]), among: Self.mostLookedAt)
                    stays = square != .infinity
                    zooms[Int(place)] = Int8(square.map { last(from: zoom, $0) } ?? zoom)
                    // In dense areas, smaller cells give more information.
                    isOpen[count] = square == nil
                    isDone = isDone && square != nil
                } else {
                    isOpen[count] = false
                }
                left[count] = place
                count += stays ? 1 : 0
            }
            left.removeLast(left.count - count)
            zoom += 1
        }
        return zooms
    }

    /// Returns the zoom level from which on many points are isolated if they are evenly distributed.
    private func beginning(_ x: [Double], _ y: [Double]) -> Int {
        guard let minX = x.min(), let maxX = x.max(), let minY = y.min(), let maxY = y.max() else { return 0 }
        let spacing = ((maxX - minX) * (maxY - minY) / Double(x.count)).squareRoot()
        return (0...options.maximumZoom).first { 4 * options.reach(at: $0) <= spacing } ?? options.maximumZoom + 1
    }

    /// Returns the maximum zoom level, from the given one on, at which two points with this distance may be neighbours;
    /// the level before if none exists.
    private func last(from zoom: Int, _ square: Double) -> Int {
        var next = zoom
        while next <= options.maximumZoom, square <= side(at: next) * side(at: next) { next += 1 }
        return next - 1
    }
}
