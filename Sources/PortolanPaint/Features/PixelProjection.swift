import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// The projection from feature coordinates to picture pixels, in one copy of the world.
///
/// A segment is straight in the features' CRS (RFC 7946 section 3.1.1). If the map's CRS bends it, intermediate points
/// are added. Parts outside the domain of the map's CRS are cut off.
struct PixelProjection {
    /// The largest distance between a drawn and an exact segment, in picture pixels.
    private static let tolerance = 0.25

    /// The length in pixels from which a segment is always subdivided, since it may bend both ways around its middle.
    static let longSide = 256.0

    /// The largest subdivision depth of a segment.
    private static let depth = 10

    /// The subdivision depth of a segment between two points outside the map's domain, to find a part inside it.
    private static let searchDepth = 6

    let transform: CoordinateTransform
    /// The size of the picture.
    let size: ImageSize
    private let inverse: CoordinateTransform
    private let viewport: Viewport
    /// The eastward offset of the copy of the world, in units of the map's CRS.
    let shift: Double
    // The viewport's transform, copied for speed.
    private let center: Coordinate
    private let resolution: Double
    private let cosine: Double
    private let sine: Double
    private let halfWidth: Double
    private let halfHeight: Double
    private let pixelRatio: Double

    /// Creates the projection from a transform to the viewport's CRS.
    ///
    /// - Parameter translation: the drawing offset to the right and down, in view pixels.
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

    /// Finds the projection, or returns `nil` if no transformation between the two CRSs is available.
    init?(from crs: CRS, to viewport: Viewport, shift: Double) {
        guard let transform = try? CoordinateTransform(from: crs, to: viewport.crs) else { return nil }
        self.init(transform, to: viewport, shift: shift)
    }

    /// The width of a picture pixel in units of the map's CRS.
    var unitsPerPixel: Double { resolution / pixelRatio }

    /// Returns the picture pixel of a point in the map's CRS.
    @inline(__always)
    func pixel(x: Double, y: Double) -> Point {
        let x = (x + shift - center.x) / resolution, y = (center.y - y) / resolution
        return Point(
            x: (x * cosine + y * sine + halfWidth) * pixelRatio, y: (y * cosine - x * sine + halfHeight) * pixelRatio)
    }

    /// Returns the picture pixel of a coordinate, or `nil` if it is outside the domain of the map's CRS.
    func callAsFunction(_ coordinate: Coordinate) -> Point? {
        transform(coordinate).map { pixel(x: $0.x, y: $0.y) }
    }

    /// Returns whether segments that bend by at most `bend`, in units of the map's CRS, are straight in the picture
    /// unless they are long.
    func isStraight(bend: Double) -> Bool { bend / resolution * pixelRatio < 0.99 * Self.tolerance }

    /// Returns whether a segment is so long that it is always subdivided.
    @inline(__always)
    func isLong(_ a: Point, _ b: Point) -> Bool { max(abs(a.x - b.x), abs(a.y - b.y)) >= Self.longSide }

    /// Returns the extent of a box of picture pixels in the features' CRS, or `nil` if the axes of the two CRSs are not
    /// parallel.
    func extent(of box: Rectangle) -> Extent? {
        guard transform.isIdentity || transform.source.worldWidth != nil && transform.target.worldWidth != nil
        else { return nil }
        // One more pixel compensates for rounding.
        let left = box.minX - 1, top = box.minY - 1, right = box.maxX + 1, bottom = box.maxY + 1
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)].map {
            viewport.coordinate(atImagePixel: Point(x: $0.0, y: $0.1))
        }
        guard let seen = BoundingBox(corners), let low = inverse(Coordinate(x: seen.minX - shift, y: seen.minY)),
            let high = inverse(Coordinate(x: seen.maxX - shift, y: seen.maxY))
        else { return nil }
        return Extent(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
    }

    /// Returns the pixels of a line, split where it leaves the domain of the map's CRS.
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

    /// A coordinate of a line and its pixel, if it is in the domain of the map's CRS.
    struct Place {
        let coordinate: Coordinate
        let point: Point?
    }

    /// Adds the points between two neighbours that deviate from a straight line in the picture, in order; `nil` for a
    /// point outside the domain of the map's CRS.
    func addBetween(_ a: Place, _ b: Place, depth: Int = 0, _ add: (Point?) -> Void) {
        if let one = a.point, let other = b.point {
            // No projection bends a line visibly over so few pixels.
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
            // The deviation at the middle is only representative for short segments.
            if bend < Self.tolerance, !isLong(one, other) { return }
        }
        addBetween(a, found, depth: depth + 1, add)
        add(found.point)
        addBetween(found, b, depth: depth + 1, add)
    }
}
