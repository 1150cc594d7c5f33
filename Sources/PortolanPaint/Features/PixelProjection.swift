import PortolanGeo
import PortolanPlan
import PortolanRaster

/// The way from a feature's coordinates to the picture's pixels, in one copy of the world.
///
/// A segment is straight in the features' own system (RFC 7946 section 3.1.1); where the map's system bends it, places
/// between its ends are added, and what has no place in the map's system is cut off.
struct PixelProjection {
    /// How far a segment got may be from the one given before it is parted, in picture pixels.
    private static let tolerance = 0.25

    /// How often a segment is halved at the most.
    private static let depth = 10

    /// How often a segment between two places that the map's system does not have is halved to find some that it has.
    private static let searchDepth = 6

    /// Up to so many coordinates it is not worth finding out which can be seen.
    private static let shortCount = 64

    private let transform: CoordinateTransform
    private let inverse: CoordinateTransform
    private let viewport: Viewport
    /// How far east the copy of the world lies, in units of the map's CRS.
    private let shift: Double

    /// Finds the way, or `nil` when the two systems cannot be brought together.
    init?(from crs: CRS, to viewport: Viewport, shift: Double) {
        guard let transform = try? CoordinateTransform(from: crs, to: viewport.crs) else { return nil }
        self.transform = transform
        inverse = transform.inverse
        self.viewport = viewport
        self.shift = shift
    }

    /// The picture pixel of a coordinate, or `nil` where the map's system has none for it.
    func callAsFunction(_ coordinate: Coordinate) -> Point? {
        guard var place = transform(coordinate) else { return nil }
        place.x += shift
        return viewport.imagePixel(of: place)
    }

    /// The pixels of a line, parted where the map's system has no place for it.
    func lines(_ coordinates: some Sequence<Coordinate>) -> [[Point]] {
        var lines: [[Point]] = []
        var line: [Point] = []
        var previous: (coordinate: Coordinate, point: Point?)?
        for coordinate in coordinates {
            let next = (coordinate: coordinate, point: self(coordinate))
            if let previous, !transform.isIdentity {
                addBetween(previous, next, depth: 0) { point in
                    if let point { line.append(point) } else { Self.end(&line, &lines) }
                }
            }
            if let point = next.point { line.append(point) } else { Self.end(&line, &lines) }
            previous = next
        }
        Self.end(&line, &lines)
        return lines
    }

    /// The pixels of a line as far as they make a difference in a box, parted as ``lines(_:)`` does it.
    ///
    /// - Complexity: O(*n*), at little cost for what lies outside the box.
    func lines(_ coordinates: ArraySlice<Coordinate>, near box: Rectangle) -> [[Point]] {
        guard coordinates.count > Self.shortCount, let extent = extent(of: box) else { return lines(coordinates) }
        return lines(EssentialCoordinates(coordinates, within: extent))
    }

    /// The pixels of a ring as far as they make a difference in a box; what has no place is left out.
    func ring(_ coordinates: ArraySlice<Coordinate>, near box: Rectangle) -> [Point] {
        let lines = lines(coordinates, near: box)
        return lines.count == 1 ? lines[0] : lines.flatMap { $0 }
    }

    /// The extent that holds a box of picture pixels, in the features' system, or `nil` where the two systems do not
    /// share their axes, so that an extent in one is none in the other.
    private func extent(of box: Rectangle) -> Extent? {
        guard transform.isIdentity || transform.source.worldWidth != nil && transform.target.worldWidth != nil
        else { return nil }
        // One pixel more makes up for rounding.
        let left = box.minX - 1, top = box.minY - 1, right = box.maxX + 1, bottom = box.maxY + 1
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)].map {
            viewport.coordinate(atImagePixel: Point(x: $0.0, y: $0.1))
        }
        guard let seen = BoundingBox(corners), let low = inverse(Coordinate(x: seen.minX - shift, y: seen.minY)),
            let high = inverse(Coordinate(x: seen.maxX - shift, y: seen.maxY))
        else { return nil }
        return Extent(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
    }

    private static func end(_ line: inout [Point], _ lines: inout [[Point]]) {
        if !line.isEmpty { lines.append(line) }
        line = []
    }

    /// Adds the places between two neighbours that a straight line on the picture would miss, in order; `nil` for one
    /// that the map's system does not have.
    private func addBetween(
        _ a: (coordinate: Coordinate, point: Point?), _ b: (coordinate: Coordinate, point: Point?), depth: Int,
        _ add: (Point?) -> Void
    ) {
        if let one = a.point, let other = b.point {
            // Over so few pixels no projection bends a line visibly.
            guard max(abs(one.x - other.x), abs(one.y - other.y)) > 8, depth < Self.depth else { return }
        } else if a.point == nil, b.point == nil {
            guard depth < Self.searchDepth,
                max(abs(a.coordinate.x - b.coordinate.x), abs(a.coordinate.y - b.coordinate.y)) > 1
            else { return }
        } else {
            guard depth < Self.depth else { return }
        }
        let middle = Coordinate(
            x: (a.coordinate.x + b.coordinate.x) / 2, y: (a.coordinate.y + b.coordinate.y) / 2)
        let found = (coordinate: middle, point: self(middle))
        if let one = a.point, let other = b.point, let point = found.point {
            let bend = max(abs((one.x + other.x) / 2 - point.x), abs((one.y + other.y) / 2 - point.y))
            // A line may bend both ways about its middle; only short ones are taken at that one's word.
            let isShort = max(abs(one.x - other.x), abs(one.y - other.y)) < 256
            if bend < Self.tolerance, isShort { return }
        }
        addBetween(a, found, depth: depth + 1, add)
        add(found.point)
        addBetween(found, b, depth: depth + 1, add)
    }
}
