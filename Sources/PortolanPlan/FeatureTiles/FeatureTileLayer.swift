import PortolanFeatures
import PortolanGeo
package import PortolanRaster

/// A layer of vector tiles: features that are projected and simplified once for all tiles.
package struct FeatureTileLayer: Sendable {
    /// The number of features of a block.
    package static let blockSize = 4096

    /// The name in the tiles.
    package let name: String
    /// The attributes of the features.
    package let attributes: FeatureTileAttributes
    /// The shapes of each block of features.
    package let blocks: [FeatureTileShapes]
    /// The order in which the features of a tile that is too large are dropped, the lowest first.
    let ranks: [UInt32]
    /// The coarsest level that has each feature, or nothing if all levels have all features.
    let firstLevels: [UInt8]

    /// Creates a layer.
    ///
    /// - Parameters:
    ///   - blocks: the shapes of the features, ``blockSize`` in each.
    ///   - levels: the levels of the tiles, of which the finest has all points.
    /// - Complexity: O(*n* log *n*) in the features.
    package init(
        name: String, attributes: FeatureTileAttributes, blocks: [FeatureTileShapes], levels: ClosedRange<Int>,
        _ settings: FeatureTileSettings
    ) {
        self.name = name
        self.attributes = attributes
        self.blocks = blocks
        let count = attributes.featureCount
        guard settings.drop == .densest || settings.dropRate > 1 else {
            ranks = (0..<count).map(Self.scattered)
            firstLevels = []
            return
        }
        let curve = Self.curve(blocks)
        ranks = settings.drop == .densest ? Self.ranks(curve, count) : (0..<count).map(Self.scattered)
        firstLevels =
            settings.dropRate > 1 ? Self.firstLevels(curve, count, levels, rate: settings.dropRate) : []
    }

    /// The smallest rectangle around all shapes, as fractions of the world, or `nil` without any.
    package var box: Rectangle? { Self.box(blocks) }

    private static func box(_ blocks: [FeatureTileShapes]) -> Rectangle? {
        var box: Rectangle?
        for other in blocks.lazy.flatMap(\.groups).map(\.box) {
            guard let known = box else {
                box = other
                continue
            }
            box = Rectangle(
                minX: min(known.minX, other.minX), minY: min(known.minY, other.minY), maxX: max(known.maxX, other.maxX),
                maxY: max(known.maxY, other.maxY))
        }
        return box
    }

    /// A feature on a Hilbert curve through all features.
    private typealias Station = (position: UInt32, feature: UInt32, isPoint: Bool, size: Double)

    private static func curve(_ blocks: [FeatureTileShapes]) -> [Station] {
        guard let all = box(blocks) else { return [] }
        let width = max(all.maxX - all.minX, .leastNormalMagnitude)
        let height = max(all.maxY - all.minY, .leastNormalMagnitude)
        var stations: [Station] = []
        for block in blocks {
            for group in block.groups {
                let isPoint = group.kind == .points
                // The larger side in cells of the curve.
                let size =
                    max(
                        (group.box.maxX - group.box.minX) / width, (group.box.maxY - group.box.minY) / height) * 65535
                if let last = stations.last, last.feature == group.feature {
                    if !isPoint { stations[stations.count - 1].isPoint = false }
                    stations[stations.count - 1].size = max(last.size, size)
                    continue
                }
                let x = ((group.box.minX + group.box.maxX) / 2 - all.minX) / width * 65535
                let y = ((group.box.minY + group.box.maxY) / 2 - all.minY) / height * 65535
                stations.append((HilbertCurve.order(x: cell(x), y: cell(y)), group.feature, isPoint, size))
            }
        }
        stations.sort { ($0.position, $0.feature) < ($1.position, $1.feature) }
        return stations
    }

    private static func cell(_ position: Double) -> UInt32 { position > 0 ? UInt32(min(position, 65535)) : 0 }

    /// Orders features by their distance from the one before on the curve, or by their own size if it is larger.
    private static func ranks(_ curve: [Station], _ count: Int) -> [UInt32] {
        var gaps: [(gap: UInt32, tie: UInt32, feature: UInt32)] = [], last: UInt32?
        gaps.reserveCapacity(curve.count)
        for station in curve {
            // A distance of some cells is about its square on the curve.
            let own = UInt32(min(max(station.size * station.size, 0), Double(UInt32.max)))
            let gap = last.map { max(station.position - $0, own) } ?? .max
            gaps.append((gap, scattered(Int(station.feature)), station.feature))
            last = station.position
        }
        gaps.sort { ($0.gap, $0.tie) < ($1.gap, $1.tie) }
        var ranks = [UInt32](repeating: 0, count: count)
        for (place, entry) in gaps.enumerated() {
            // Ranks of layers of any size can be compared.
            ranks[Int(entry.feature)] = UInt32(UInt64(place) * UInt64(UInt32.max) / UInt64(max(gaps.count, 1)))
        }
        return ranks
    }

    /// The coarsest level of each point: each level has evenly distributed points, and those of all coarser levels.
    private static func firstLevels(
        _ curve: [Station], _ count: Int, _ levels: ClosedRange<Int>, rate: Double
    ) -> [UInt8] {
        var first = [UInt8](repeating: UInt8(levels.lowerBound), count: count)
        var shares: [Double] = [], share = 1.0
        for _ in levels {
            shares.append(share)
            share /= rate
        }
        shares.reverse()
        // The first point is at all levels.
        var credits = [Double](repeating: 1, count: shares.count)
        for station in curve where station.isPoint {
            for index in credits.indices { credits[index] += shares[index] }
            let level = credits.firstIndex { $0 >= 1 } ?? credits.count - 1
            for index in level..<credits.count { credits[index] -= 1 }
            first[Int(station.feature)] = UInt8(levels.lowerBound + level)
        }
        return first
    }

    /// A number for a feature, as different as possible from those of its neighbours in the file.
    private static func scattered(_ feature: Int) -> UInt32 { UInt32(truncatingIfNeeded: feature) &* 2_654_435_769 }

    /// About how many bytes it takes.
    package var byteCount: Int {
        attributes.byteCount + blocks.reduce(0) { $0 + $1.byteCount } + 5 * ranks.count
    }
}
