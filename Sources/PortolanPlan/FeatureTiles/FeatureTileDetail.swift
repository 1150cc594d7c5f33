import PortolanFeatures
import PortolanRaster
import PortolanVectorTiles

extension FeatureTileLayer {
    /// The finest level that is estimated.
    private static let finestGuess = 16
    /// The number of units of a tile that a short segment of a line has at the estimated level.
    private static let segmentLength = 16.0
    /// The number of units between neighbouring points at the estimated level.
    private static let pointDistance = 64.0
    /// The largest number of distances that are compared.
    private static let sampleCount = 100_000

    /// Estimates the level at which tiles show all details of some shapes, from 0 to 16.
    ///
    /// A quarter of the segments of lines may be shorter than 1/256 of a tile, and half of the points may be closer to the
    /// next one on a Hilbert curve than 1/64 of a tile.
    ///
    /// - Complexity: O(*n* log *n*) in the features.
    package static func finestLevel(of blocks: [FeatureTileShapes]) -> Int {
        let count = blocks.reduce(0) { $0 + $1.x.count }, step = count / sampleCount + 1
        var lengths: [Double] = [], points: [Point] = []
        for block in blocks {
            for group in block.groups {
                for part in Int(group.firstPart)..<Int(group.endPart) {
                    let range = block.range(ofPart: part)
                    if group.kind == .points {
                        points += range.map { Point(x: block.x[$0], y: block.y[$0]) }
                    } else {
                        for index in range.dropFirst() where index.isMultiple(of: step) {
                            lengths.append(distance(block, index - 1, index))
                        }
                    }
                }
            }
        }
        let segment = quantile(lengths, 0.25).map { level(where: $0, has: segmentLength) } ?? 0
        let spacing = quantile(spacings(points), 0.5).map { level(where: $0, has: pointDistance) } ?? 0
        return max(segment, spacing)
    }

    private static func distance(_ block: FeatureTileShapes, _ one: Int, _ other: Int) -> Double {
        let dx = block.x[one] - block.x[other], dy = block.y[one] - block.y[other]
        return (dx * dx + dy * dy).squareRoot()
    }

    private static func quantile(_ values: [Double], _ share: Double) -> Double? {
        let sorted = values.filter { $0.isFinite && $0 > 0 }.sorted()
        return sorted.isEmpty ? nil : sorted[Int(Double(sorted.count - 1) * share)]
    }

    /// The coarsest level at which a fraction of the world has a number of units.
    private static func level(where distance: Double, has units: Double) -> Int {
        var level = 0
        while level < finestGuess, distance * Double(MVTLayerWriter.extent) * Double(1 << level) < units { level += 1 }
        return level
    }

    /// The distances of points from the next one on a Hilbert curve.
    private static func spacings(_ points: [Point]) -> [Double] {
        let points = points.filter { abs($0.x) < 8 && abs($0.y) < 8 }
        guard let minX = points.map(\.x).min(), let maxX = points.map(\.x).max(), let minY = points.map(\.y).min(),
            let maxY = points.map(\.y).max()
        else { return [] }
        let side = max(maxX - minX, maxY - minY, 1e-12)
        let sorted = points.map { point in
            (
                order: HilbertCurve.order(
                    x: UInt32((point.x - minX) / side * 65535), y: UInt32((point.y - minY) / side * 65535)),
                point: point
            )
        }.sorted { ($0.order, $0.point.x, $0.point.y) < ($1.order, $1.point.x, $1.point.y) }
        return zip(sorted, sorted.dropFirst()).map { one, other in
            let dx = one.point.x - other.point.x, dy = one.point.y - other.point.y
            return (dx * dx + dy * dy).squareRoot()
        }
    }
}
