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

    /// Returns the middles of a label that is larger than its area, about points inside.
    static func middles(of text: LabelText, about points: [Point]) -> [Point] {
        let width = text.paddedWidth, height = text.paddedHeight
        var middles = [0, 0.4, -0.4].flatMap { down in
            points.prefix(1).map { Point(x: $0.x, y: $0.y + down * height) }
        }
        for point in points {
            for across in [0, 0.25, -0.25, 0.45, -0.45] {
                middles.append(Point(x: point.x + across * width, y: point.y))
            }
        }
        return middles
    }

    /// The smallest scale of letters for areas that the border of the picture cuts.
    static let leastCutScale = 0.85
    /// The distance within which an area is near a name, in multiples of the letter size.
    static let reach = 0.5
    /// The distances of labels with leaders from an area, and the largest length of a leader from its dot, in multiples
    /// of the letter size.
    static let distances = [0.6, 1.2, 2, 3], leaderLimit = 7.0
    /// The least distance between the beginnings of leaders, in multiples of the letter size.
    static let leaderDistance = 1.5
    /// The free space around the dot of a leader, in multiples of the letter size.
    static let dotSpace = (across: 0.5, down: 0.12)
    /// The least share of a name on its area that may cross the edge of the map's world, and the cost of that.
    static let edgeShare = 0.4, edgeCost = 1.0
    /// The free space between names on the same line, in multiples of the letter size: about three spaces.
    static let lineGap = 0.95
    /// The free space around names that are not on their areas, in multiples of the letter size.
    static let apart = 0.4
    /// The distance of labels without leaders from an area, in multiples of the letter size.
    private static let gap = 0.25

    /// The cost of the last position beside an area, and that of a distance of one letter size from the best point of an
    /// area, and that of a leader from another point.
    static let laterCost = 0.2, distanceCost = 0.1, otherPointCost = 0.15

    /// Returns the cost of a variant, by the size of its letters and its number in the list.
    static func cost(of way: SharedLabel, among all: [SharedLabel], _ number: Int) -> Double {
        let scale = all[0].symbol.size > 0 ? way.symbol.size / all[0].symbol.size : 1
        return 3 * (1 - scale) + 0.01 * Double(number)
    }

    /// Returns the middles of a label beside its area without a leader: at the sides of its box, and where the rows through
    /// some points leave it to the right and to the left.
    static func middles(
        of text: LabelText, beside box: Rectangle, at points: [Point], exits: [[Double?]]
    ) -> [Point] {
        let gap = gap * text.size
        var middles: [Point] = []
        for (point, sides) in zip(points, exits) {
            for (side, exit) in zip([1.0, -1], sides) {
                guard let exit else { continue }
                middles.append(Point(x: point.x + side * (exit + gap + text.paddedWidth / 2), y: point.y))
            }
        }
        for side in [-1.0, 1] {
            let y = box.center.y + side * (box.height + text.paddedHeight + gap) / 2
            for across in [0, 0.5, -0.5] {
                middles.append(Point(x: box.center.x + across * (box.width + text.paddedWidth) / 2, y: y))
            }
        }
        return middles
    }

    /// The directions of leaders: every other one of those of marks.
    static let directions = LabelLeader.directions.enumerated().filter { [0, 3].contains($0.offset % 4) }.map(\.element)

    /// Returns the middle of a label that a leader from a point meets at a distance.
    static func middle(
        of text: LabelText, from point: Point, in direction: Point, at distance: Double
    ) -> Point {
        let x = abs(direction.x) > 0.3 ? text.paddedWidth / 2 * (direction.x < 0 ? -1 : 1) : 0
        let y = abs(direction.y) > 0.7 ? text.paddedHeight / 2 * (direction.y < 0 ? -1 : 1) : 0
        return Point(x: point.x + distance * direction.x + x, y: point.y + distance * direction.y + y)
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
