import PortolanFeatures
import PortolanRaster

/// The ways in which the name of an area is written: the first that fits into it is taken.
///
/// As the style says, then broken into lines, then both in smaller letters. A name that fits in none of these ways may lie beyond the
/// borders of an area that is large enough to be seen.
final class AreaNames {
    /// How much smaller letters may become.
    private static let scales = [1, 0.85, 0.7]
    /// The smallest letters that come of that, in view pixels.
    private static let leastSize = 8.0
    /// The smallest area whose name may lie beyond its borders, in square view pixels, and its least side.
    private static let leastArea = 200.0
    private static let leastSide = 6.0
    /// The longest line of a name that is broken, in letters as wide as they are high.
    private static let lineLengths = [7.0, 4.0]

    private var known: [ObjectIdentifier: [SharedLabel]] = [:]

    /// The ways to write a text, that of the style first; the same ones for a label that is one of these ways.
    func ways(of label: SharedLabel, for text: String) -> [SharedLabel] {
        let mayBreak = text.contains(" ")
        if let all = known[ObjectIdentifier(label)] {
            return mayBreak ? all : all.filter { $0.symbol.maximumWidth == all[0].symbol.maximumWidth }
        }
        var all: [SharedLabel] = []
        for scale in Self.scales where scale == 1 || label.symbol.size * scale >= Self.leastSize {
            var symbol = label.symbol
            symbol.size *= scale
            all.append(scale == 1 ? label : SharedLabel(symbol))
            for length in Self.lineLengths where length * symbol.size < symbol.maximumWidth ?? .infinity {
                symbol.maximumWidth = length * symbol.size
                all.append(SharedLabel(symbol))
            }
        }
        for way in all { known[ObjectIdentifier(way)] = all }
        return ways(of: label, for: text)
    }

    /// Whether the name of an area may lie beyond its borders.
    static func mayOverflow(_ box: Rectangle, pixelRatio: Double) -> Bool {
        box.width * box.height >= leastArea * pixelRatio * pixelRatio
            && min(box.width, box.height) >= leastSide * pixelRatio
    }

    /// The least height of an area that holds its name, as a share of the height of its letters as the style says.
    static let leastShare = 0.7

    /// Where a name that is larger than its area may lie: about a point inside, then beside the box of the area.
    static func places(of text: LabelText, about point: Point, _ box: Rectangle, halo: Double) -> [LabelPlace] {
        let width = text.paddedWidth, height = text.paddedHeight
        var middles = [point]
        for down in [0.5, -0.5, 1, -1] { middles.append(Point(x: point.x, y: point.y + down * height)) }
        for across in [0.25, -0.25, 0.5, -0.5] { middles.append(Point(x: point.x + across * width, y: point.y)) }
        let gap = text.size / 4
        middles += [
            Point(x: box.maxX + gap + width / 2, y: point.y), Point(x: box.minX - gap - width / 2, y: point.y),
            Point(x: point.x, y: box.minY - gap - height / 2), Point(x: point.x, y: box.maxY + gap + height / 2),
        ]
        return middles.map { AreaPlaces(text: text, halo: halo).place(at: $0) }
    }
}
