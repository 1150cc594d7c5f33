import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// The marks along the sides of a map where its border crosses round coordinates, and the grid lines between them.
struct FrameTicks {
    /// A mark on a side.
    struct Tick: Equatable {
        let side: PrintPage.Neighbor.Side
        /// The position in picture pixels of the map.
        let point: Point
        let text: String
    }

    private(set) var ticks: [Tick] = []
    /// The grid lines in picture pixels of the map; empty for degrees, which have a graticule.
    private(set) var lines: [[Point]] = []
    /// The name of the zone or square of a grid, or `nil`.
    private(set) var zone: String?

    /// The least distance between marks, in view pixels.
    private static let spacing = 72.0
    /// The number of samples along a side.
    private static let sampleCount = 256
    /// The largest number of grid lines in one direction.
    private static let mostLines = 200.0

    /// The least number of marks of a side, and the shares of the spacing that are tried for it.
    private static let leastCount = 2, densities = [1.0, 0.5, 0.25]

    /// Finds the marks of a view; none if its CRS has no built-in projection.
    ///
    /// They are closer together on a small map, so that each side has two; degrees are those of the graticule, if there is
    /// one.
    init(_ frame: PrintPage.Frame, of viewport: Viewport, graticule: Furniture.Graticule? = nil) {
        let interval = graticule.flatMap { GraticulePainter.interval(of: $0, in: viewport) }
        var best: (ticks: FrameTicks, count: Int)?
        for density in Self.densities {
            let ticks = FrameTicks(frame, of: viewport, spacing: Self.spacing * density, degrees: interval)
            let counts = PrintPage.Neighbor.Side.allCases.map { side in
                min(ticks.ticks.count { $0.side == side }, Self.leastCount)
            }
            let count = counts.reduce(0, +)
            if count > best?.count ?? -1 { best = (ticks, count) }
            if count == Self.leastCount * counts.count { break }
        }
        self = best?.ticks ?? FrameTicks(frame, of: viewport, spacing: Self.spacing, degrees: interval)
    }

    private init(_ frame: PrintPage.Frame, of viewport: Viewport, spacing: Double, degrees interval: Double?) {
        guard let degrees = try? CoordinateTransform(from: viewport.crs, to: .crs84) else { return }
        switch frame {
        case .degrees:
            guard let seen = viewport.geographicExtent else { return }
            let room = Double(viewport.size.width) / spacing, high = Double(viewport.size.height) / spacing
            let spans = [(seen.width, room), (seen.height, high)]
            let intervals = spans.compactMap {
                interval ?? Furniture.Graticule.automatic.interval(forSpan: $0.0, room: $0.1)
            }
            guard intervals.count == 2 else { return }
            mark(viewport, degrees, steps: (intervals[0], intervals[1])) { value, isX in
                GraticulePainter.text(
                    value, positive: isX ? "E" : "N", negative: isX ? "W" : "S", interval: intervals[isX ? 0 : 1])
            }
        case .utm, .mgrs:
            guard let center = degrees(viewport.center), abs(center.y) <= 84, let meters = viewport.metersPerImagePixel,
                let step = Self.step(atLeast: spacing * viewport.pixelRatio * meters)
            else { return }
            let zone = UTMZone(containing: center)
            guard let crs = try? CRS("EPSG:\(zone.code)"),
                let grid = try? CoordinateTransform(from: viewport.crs, to: crs),
                let own = grid(viewport.center)
            else { return }
            self.zone = frame == .utm ? "UTM \(zone.name)" : zone.square(of: own)
            mark(viewport, grid, steps: (step, step)) { value, isX in
                let number = Self.text(
                    kilometers: frame == .mgrs ? (value / 1000).truncatingRemainder(dividingBy: 100) : value / 1000,
                    step: step)
                guard frame == .mgrs else { return "\(number) km \(isX ? "E" : "N")" }
                return number.prefix { $0 != "." }.count < 2 ? "0\(number)" : number
            }
            addLines(viewport, crs, grid, step: step)
        }
    }

    /// Returns kilometres with as many decimals as steps of less than a kilometre need.
    private static func text(kilometers: Double, step: Double) -> String {
        let decimals = step >= 1000 ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3
        var digits: [UInt8] = []
        digits.append(DecimalText.units(kilometers, decimals: decimals), decimals: decimals)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the least of 1, 2 and 5 times a power of ten metres that is not less than `length`.
    private static func step(atLeast length: Double) -> Double? {
        guard length.isFinite, length > 0, length < 1e6 else { return nil }
        var power = 1.0
        while power * 10 < length { power *= 10 }
        return [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= length }
    }

    /// Adds a mark for each multiple of a step that a side crosses.
    ///
    /// A side has the marks of the coordinate that changes along it: in a north-up map longitude at the top and bottom.
    private mutating func mark(
        _ viewport: Viewport, _ transform: CoordinateTransform, steps: (x: Double, y: Double),
        _ text: (_ value: Double, _ isX: Bool) -> String
    ) {
        let width = Double(viewport.imageSize.width), height = Double(viewport.imageSize.height)
        let isTurned = abs(viewport.upAxis.sine) > abs(viewport.upAxis.cosine)
        for side in PrintPage.Neighbor.Side.allCases {
            let isHorizontal = side == .top || side == .bottom, isX = isHorizontal != isTurned
            let step = isX ? steps.x : steps.y, length = isHorizontal ? width : height
            let count = Self.sampleCount
            var previous: (place: Double, value: Double)?, used: [String] = []
            for index in 0...count {
                let place = length * Double(index) / Double(count)
                guard let found = transform(viewport.coordinate(atImagePixel: Self.point(side, place, width, height)))
                else {
                    previous = nil
                    continue
                }
                let value = isX ? found.x : found.y
                defer { previous = (place, value) }
                // A jump is the antimeridian.
                guard let before = previous, before.value != value, abs(before.value - value) < step * 4 else {
                    continue
                }
                let low = min(before.value, value), high = max(before.value, value)
                var multiple = (low / step).rounded(.up)
                // The end of a sample is the beginning of the next one.
                while multiple * step <= high {
                    let round = multiple * step, share = (round - before.value) / (value - before.value)
                    multiple += 1
                    let label = text(round, isX)
                    guard used.last != label else { continue }
                    used.append(label)
                    let position = before.place + (place - before.place) * share
                    ticks.append(Tick(side: side, point: Self.point(side, position, width, height), text: label))
                }
            }
        }
    }

    private static func point(
        _ side: PrintPage.Neighbor.Side, _ place: Double, _ width: Double, _ height: Double
    ) -> Point {
        switch side {
        case .top: Point(x: place, y: 0)
        case .bottom: Point(x: place, y: height)
        case .left: Point(x: 0, y: place)
        case .right: Point(x: width, y: place)
        }
    }

    /// Returns the extent of the border of a view in a grid.
    private static func extent(of viewport: Viewport, _ grid: CoordinateTransform) -> BoundingBox? {
        let width = Double(viewport.imageSize.width), height = Double(viewport.imageSize.height), pieces = 32
        return BoundingBox(
            PrintPage.Neighbor.Side.allCases.flatMap { side in
                (0...pieces).compactMap { piece in
                    let length = side == .top || side == .bottom ? width : height
                    let place = point(side, length * Double(piece) / Double(pieces), width, height)
                    return grid(viewport.coordinate(atImagePixel: place))
                }
            })
    }

    /// Adds the lines of a grid in metres.
    private mutating func addLines(
        _ viewport: Viewport, _ crs: CRS, _ grid: CoordinateTransform, step: Double
    ) {
        guard let projection = PixelProjection(from: crs, to: viewport, shift: 0),
            let seen = Self.extent(of: viewport, grid),
            max(seen.maxX - seen.minX, seen.maxY - seen.minY) / step <= Self.mostLines
        else { return }
        let box = Rectangle(viewport.imageSize)
        func add(_ ends: (Coordinate, Coordinate)) {
            let pieces = 16
            let line = (0...pieces).map { piece in
                let share = Double(piece) / Double(pieces)
                return Coordinate(
                    x: ends.0.x + (ends.1.x - ends.0.x) * share, y: ends.0.y + (ends.1.y - ends.0.y) * share)
            }
            lines += projection.lines(line).flatMap { LineClipper.clip($0, to: box) }
        }
        for x in stride(from: (seen.minX / step).rounded(.up) * step, through: seen.maxX, by: step) {
            add((Coordinate(x: x, y: seen.minY), Coordinate(x: x, y: seen.maxY)))
        }
        for y in stride(from: (seen.minY / step).rounded(.up) * step, through: seen.maxY, by: step) {
            add((Coordinate(x: seen.minX, y: y), Coordinate(x: seen.maxX, y: y)))
        }
    }
}
