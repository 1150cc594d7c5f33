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

    /// Where a name that is larger than its area may lie over a point inside.
    static func places(of text: LabelText, about point: Point, halo: Double) -> [LabelPosition] {
        let width = text.paddedWidth, height = text.paddedHeight
        var middles = [point]
        for down in [0.4, -0.4] { middles.append(Point(x: point.x, y: point.y + down * height)) }
        for across in [0.25, -0.25, 0.45, -0.45] { middles.append(Point(x: point.x + across * width, y: point.y)) }
        return middles.map { AreaPositions(text: text, halo: halo).place(at: $0) }
    }

    /// How far from an area names with leaders stand, in sizes of their letters.
    private static let distances = [0.25, 1, 2, 3.5, 5, 8]

    /// Where a name may stand beside its area, the nearest first.
    static func places(of text: LabelText, beside box: Rectangle, halo: Double) -> [LabelPosition] {
        let width = text.paddedWidth, height = text.paddedHeight
        return distances.flatMap { distance in
            let gap = distance * text.size
            return LabelLeader.directions.map { direction in
                // On the rim of the box of the area, grown by half of the text and the gap.
                let middle = Point(
                    x: box.center.x + direction.x * (box.width + width + 2 * gap) / 2,
                    y: box.center.y + direction.y * (box.height + height + 2 * gap) / 2)
                return AreaPositions(text: text, halo: halo).place(at: middle)
            }
        }
    }
}

extension LabelPosition {
    /// The place with each of the lines that may lead there from a point inside its area.
    func led(from point: Point) -> [LabelPosition] {
        guard let bounds = candidate.bounds else { return [] }
        return [false, true].compactMap { endsInMiddle in
            var led = self
            led.leader = LabelLeader(from: point, beyond: 0, to: bounds, hasDot: true, endsInMiddle: endsInMiddle)
            return led.leader == nil ? nil : led
        }
    }
}
