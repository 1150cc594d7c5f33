import PortolanGeo
import PortolanRaster

/// The vector tiles of a style's symbols.
///
/// MapLibre places symbols tile by tile, at the scale of the whole zoom level: positions along lines, the least length
/// of a line, and the order of symbols depend on the tiles, and magnification at fractional zooms changes none of them.
struct LabelTiles: Sendable {
    /// The zoom level of the tiles.
    let zoom: Int
    /// The magnification of the zoom level in the view, from 1 to 2.
    let scale: Double
    /// The magnification of the tiles at the zoom level.
    let overscaling: Double

    init(zoom: Int, styleZoom: Double) {
        let level = (styleZoom + 1e-6).rounded(.down)
        self.zoom = zoom
        scale = max(Libm.power(2, styleZoom - level), 1)
        overscaling = max(Libm.power(2, level - Double(zoom)), 1)
    }
}

extension MeasuredLine {
    /// Returns the symbol positions of MapLibre along a line that tiles cut.
    ///
    /// Each tile has its own positions: the first at an inset from the start of its part, or at half of the spacing if
    /// the part begins at the border of the tile, and the others at equal distances. They do not depend on the presence
    /// of other tiles. A line on which nothing else fits has a symbol in its middle.
    ///
    /// - Parameters:
    ///   - inset: the distance of the first symbol from the start, in picture pixels of the zoom level.
    ///   - cuts: the distances from the start at which tiles cut the line, ascending.
    /// - Returns: The positions near a box, up to the limit, and the distance between them.
    func tileCenters(
        of width: Double, after inset: Double, spacing: Double, cuts: [Double], _ tiles: LabelTiles,
        in box: Rectangle, limit: Int
    ) -> (centers: [(number: Double, center: Double)], step: Double) {
        let width = width * tiles.scale, spacing = spacing * tiles.scale
        let step = spacing - width < spacing / 4 ? width + spacing / 4 : spacing
        guard width <= length, step > 0 else { return ([], step) }
        guard step.isFinite else { return ([(0, length / 2)], step) }
        var centers: [(number: Double, center: Double)] = [], isEmpty = true
        let visible = segments(in: box), ends = [0] + cuts.filter { $0 > 0 && $0 < length } + [length]
        for (from, to) in zip(ends, ends.dropFirst()) {
            let isContinued = cuts.contains(from)
            let offset = isContinued ? step / 2 : width / 2 + inset * tiles.scale
            let first = from + (offset * tiles.overscaling).truncatingRemainder(dividingBy: step)
            let low = max(((width / 2 - first) / step).rounded(.up), 0)
            let high = ((min(to, length - width / 2) - first) / step).rounded(.down)
            if low <= high {
                isEmpty = false
                var numbers: Set<Double> = []
                for segment in visible where segment.high >= from - width && segment.low <= to + width {
                    let near = max(((segment.low - width / 2 - first) / step).rounded(.up), low)
                    let far = min(((segment.high + width / 2 - first) / step).rounded(.down), high)
                    guard near <= far else { continue }
                    for number in stride(from: near, through: far, by: 1) where numbers.count < limit {
                        numbers.insert(number)
                    }
                }
                centers += numbers.sorted().map { ($0, first + $0 * step) }
            } else if !isContinued, width <= to - from {
                isEmpty = false
                centers.append((0, (from + to) / 2))
            }
        }
        return isEmpty ? ([(0, length / 2)], step) : (centers, step)
    }
}
