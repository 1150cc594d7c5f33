import PortolanFeatures
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

    /// From how many pixels on a segment is parted whether it is bent or not: it may bend both ways about its middle.
    static let longSide = 256.0

    /// How often a segment is halved at the most.
    private static let depth = 10

    /// How often a segment between two places that the map's system does not have is halved to find some that it has.
    private static let searchDepth = 6

    let transform: CoordinateTransform
    /// The size of the picture.
    let size: ImageSize
    private let inverse: CoordinateTransform
    private let viewport: Viewport
    /// How far east the copy of the world lies, in units of the map's CRS.
    let shift: Double
    // What a viewport does to a place, without asking it for each.
    private let center: Coordinate
    private let resolution: Double
    private let cosine: Double
    private let sine: Double
    private let halfWidth: Double
    private let halfHeight: Double
    private let pixelRatio: Double

    /// Makes the way of a transform that leads to the viewport's system.
    ///
    /// - Parameter translation: how far to the right and down of its place all is seen, in view pixels.
    init(
        _ transform: CoordinateTransform, to viewport: Viewport, shift: Double,
        translation: Point = Point(x: 0, y: 0)
    ) {
        self.transform = transform
        inverse = transform.inverse
        self.viewport = viewport
        self.shift = shift
        size = viewport.imageSize
        center = viewport.center
        resolution = viewport.resolution.unitsPerPixel
        (cosine, sine) = viewport.upAxis
        halfWidth = Double(viewport.size.width) / 2 + translation.x
        halfHeight = Double(viewport.size.height) / 2 + translation.y
        pixelRatio = viewport.pixelRatio
    }

    /// Finds the way, or `nil` when the two systems cannot be brought together.
    init?(from crs: CRS, to viewport: Viewport, shift: Double) {
        guard let transform = try? CoordinateTransform(from: crs, to: viewport.crs) else { return nil }
        self.init(transform, to: viewport, shift: shift)
    }

    /// How many units of the map's system a picture pixel is wide.
    var unitsPerPixel: Double { resolution / pixelRatio }

    /// The picture pixel of a place in the map's system.
    @inline(__always)
    func pixel(x: Double, y: Double) -> Point {
        let x = (x + shift - center.x) / resolution, y = (center.y - y) / resolution
        return Point(
            x: (x * cosine + y * sine + halfWidth) * pixelRatio, y: (y * cosine - x * sine + halfHeight) * pixelRatio)
    }

    /// The picture pixel of a coordinate, or `nil` where the map's system has none for it.
    func callAsFunction(_ coordinate: Coordinate) -> Point? {
        transform(coordinate).map { pixel(x: $0.x, y: $0.y) }
    }

    /// Whether segments that bend by no more than `bend`, in units of the map's system, are straight on the picture, as
    /// long as they are not long.
    func isStraight(bend: Double) -> Bool { bend / resolution * pixelRatio < 0.99 * Self.tolerance }

    /// Whether a segment is so long that it is parted in any case.
    @inline(__always)
    func isLong(_ a: Point, _ b: Point) -> Bool { max(abs(a.x - b.x), abs(a.y - b.y)) >= Self.longSide }

    /// The extent that holds a box of picture pixels, in the features' system, or `nil` where the two systems do not
    /// share their axes, so that an extent in one is none in the other.
    func extent(of box: Rectangle) -> Extent? {
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

    /// The pixels of a line, parted where the map's system has no place for it.
    func lines(_ coordinates: some Sequence<Coordinate>) -> [[Point]] {
        var runs = PointRuns()
        var previous: Place?
        for coordinate in coordinates {
            let next = Place(coordinate: coordinate, point: self(coordinate))
            if let previous, !transform.isIdentity {
                addBetween(previous, next) { point in
                    if let point { runs.points.append(point) } else { runs.end() }
                }
            }
            if let point = next.point { runs.points.append(point) } else { runs.end() }
            previous = next
        }
        runs.end()
        return runs.arrays
    }

    /// A coordinate of a line and the pixel that shows it, if the map's system has one.
    struct Place {
        let coordinate: Coordinate
        let point: Point?
    }

    /// Adds the places between two neighbours that a straight line on the picture would miss, in order; `nil` for one
    /// that the map's system does not have.
    func addBetween(_ a: Place, _ b: Place, depth: Int = 0, _ add: (Point?) -> Void) {
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
        let found = Place(coordinate: middle, point: self(middle))
        if let one = a.point, let other = b.point, let point = found.point {
            let bend = max(abs((one.x + other.x) / 2 - point.x), abs((one.y + other.y) / 2 - point.y))
            // Only short ones are taken at their middle's word.
            if bend < Self.tolerance, !isLong(one, other) { return }
        }
        addBetween(a, found, depth: depth + 1, add)
        add(found.point)
        addBetween(found, b, depth: depth + 1, add)
    }
}
