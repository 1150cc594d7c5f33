import PortolanFeatures
import PortolanRaster

/// The variants of an area label, of which the first that fits is used.
///
/// These are the style's own layout, then line breaks, then both in smaller letters. A label that does not fit in any
/// of these may extend beyond an area that is large enough to be visible.
final class AreaNames {
    /// The scales of the letters.
    private static let scales = [1, 0.85, 0.7]
    /// The smallest letters after scaling, in view pixels.
    private static let leastSize = 8.0
    /// The smallest area whose label may extend beyond its borders, in square view pixels, and the least side of its box.
    private static let leastArea = 100.0
    private static let leastSide = 6.0
    /// The longest lines of a broken label, in letters as wide as they are high.
    private static let lineLengths = [7.0, 4.0]

    private var known: [ObjectIdentifier: [SharedLabel]] = [:]

    /// Returns the variants of a label, that of the style first.
    ///
    /// All variants have the same list.
    func ways(of label: SharedLabel, for text: String) -> [SharedLabel] {
        let mayBreak = text.contains(" ")
        if let all = known[ObjectIdentifier(label)] {
            return mayBreak ? all : all.filter { $0.symbol.maximumWidth == all[0].symbol.maximumWidth }
        }
        var all: [SharedLabel] = []
        for scale in Self.scales where scale == 1 || label.symbol.size * scale >= Self.leastSize {
            var symbol = label.symbol
            symbol.size *= scale
            all.append(scale == 1 ? label : SharedLabel(symbol, label.glyphs))
            for length in Self.lineLengths where length * symbol.size < symbol.maximumWidth ?? .infinity {
                symbol.maximumWidth = length * symbol.size
                all.append(SharedLabel(symbol, label.glyphs))
            }
        }
        for way in all { known[ObjectIdentifier(way)] = all }
        return ways(of: label, for: text)
    }

    /// Returns whether the label may extend beyond an area with a size in square pixels and a box.
    static func mayOverflow(_ size: Double, _ box: Rectangle, pixelRatio: Double) -> Bool {
        size >= leastArea * pixelRatio * pixelRatio
            && min(box.width, box.height) >= leastSide * pixelRatio
    }

    /// The least height of an area for its label, as a share of the style's letter height.
    static let leastShare = 0.7

    /// Returns the positions at a point inside of a label that is larger than its area.
    static func places(of text: LabelText, about point: Point, halo: Double) -> [LabelPosition] {
        let width = text.paddedWidth, height = text.paddedHeight
        var middles = [point]
        for down in [0.4, -0.4] { middles.append(Point(x: point.x, y: point.y + down * height)) }
        for across in [0.25, -0.25, 0.45, -0.45] { middles.append(Point(x: point.x + across * width, y: point.y)) }
        return middles.map { AreaPositions(text: text, halo: halo).place(at: $0) }
    }

    /// The distances of labels with leaders from an area, in multiples of the letter size.
    private static let distances = [0.25, 1, 2]
    /// The largest shares on areas of others of a label that extends beyond its area, the first of which is best.
    static let overflowShares = [0.15, 0.25, 0.4]
    /// The largest shares on areas of others of a label beside its area, and the largest lengths of its leader there in
    /// multiples of the letter size; the first of which is best.
    static let leaderLimits = [(share: 0.1, crossing: 1.5), (share: 0.6, crossing: 3)]

    /// Returns the positions of a label beside its area, the nearest first.
    static func places(of text: LabelText, beside box: Rectangle, halo: Double) -> [LabelPosition] {
        let width = text.paddedWidth, height = text.paddedHeight
        return distances.flatMap { distance in
            let gap = distance * text.size
            return LabelLeader.directions.map { direction in
                // On the border of the area's box, enlarged by half of the text and the gap.
                let middle = Point(
                    x: box.center.x + direction.x * (box.width + width + 2 * gap) / 2,
                    y: box.center.y + direction.y * (box.height + height + 2 * gap) / 2)
                return AreaPositions(text: text, halo: halo).place(at: middle)
            }
        }
    }
}

extension LabelPosition {
    /// Returns the position with each of the leaders from a point inside the area.
    func led(from point: Point) -> [LabelPosition] {
        guard let bounds = candidate.bounds else { return [] }
        return [false, true].compactMap { endsInMiddle in
            var led = self
            led.leader = LabelLeader(from: point, beyond: 0, to: bounds, hasDot: true, endsInMiddle: endsInMiddle)
            return led.leader == nil ? nil : led
        }
    }
}
