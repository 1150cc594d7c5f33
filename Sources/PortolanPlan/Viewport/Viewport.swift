public import PortolanGeo
public import PortolanRaster

/// The visible part of the map: a centre, a resolution, a rotation and a size in a coordinate reference system.
///
/// ```swift
/// if let resolution = Resolution(zoom: 14, in: .webMercator), let size = ImageSize(width: 800, height: 600) {
///     let center = Coordinate(x: 2_776_000, y: 8_438_000)
///     let viewport = try Viewport(center: center, resolution: resolution, size: size)
///     print(viewport.coordinate(at: Point(x: 0, y: 0)))
/// }
/// ```
///
/// Pixels are *view pixels*: the units of ``Viewport/size``, with (0, 0) at the top left. The picture has
/// ``Viewport/pixelRatio`` times as many in each direction, so that lines and letters keep their size on a denser
/// screen.
public struct Viewport: Hashable, Sendable {
    /// The coordinate in the middle of the picture, in units of ``Viewport/crs``.
    public let center: Coordinate

    /// Units of the CRS per view pixel.
    public let resolution: Resolution

    /// The bearing that points up, in degrees clockwise from north, at least 0 and less than 360.
    public let rotation: Double

    /// Width and height in view pixels.
    public let size: ImageSize

    /// Picture pixels per view pixel, in each direction.
    public let pixelRatio: Double

    /// The CRS of the map.
    public let crs: CRS

    /// The size of the picture, in picture pixels.
    public let imageSize: ImageSize

    /// Creates a viewport.
    ///
    /// - Throws: ``Viewport/InvalidError`` if a number is not finite, the pixel ratio is not between 0.1 and 16, or the picture
    ///   would be larger than ``/PortolanRaster/ImageSize`` allows.
    public init(
        center: Coordinate, resolution: Resolution, rotation: Double = 0, size: ImageSize, pixelRatio: Double = 1,
        crs: CRS = .webMercator
    ) throws(Viewport.InvalidError) {
        guard center.isFinite, abs(center.x) < 1e12, abs(center.y) < 1e12 else { throw .centerOutOfRange }
        // Neighbouring pixels must have distinct coordinates at the centre.
        let finest = max(abs(center.x), abs(center.y)).ulp * 16
        guard resolution.unitsPerPixel > finest, resolution.unitsPerPixel < 1e12 else { throw .resolutionOutOfRange }
        guard rotation.isFinite else { throw .rotationNotFinite }
        guard pixelRatio >= 0.1, pixelRatio <= 16 else { throw .pixelRatioOutOfRange(pixelRatio) }
        let width = (Double(size.width) * pixelRatio).rounded(), height = (Double(size.height) * pixelRatio).rounded()
        guard let imageSize = ImageSize(width: Int(width), height: Int(height)) else {
            throw .pictureTooLarge(width: size.width, height: size.height, pixelRatio: pixelRatio)
        }
        self.center = center
        self.resolution = resolution
        self.rotation = Self.bearing(rotation)
        self.size = size
        self.pixelRatio = pixelRatio
        self.crs = crs
        self.imageSize = imageSize
        let axes = Bearing.axes(degrees: self.rotation)
        cosine = axes.cosine
        sine = axes.sine
    }

    /// The cosine and the sine of the rotation.
    let cosine: Double
    let sine: Double

    /// Normalises a finite angle to a bearing, at least 0 and less than 360 degrees.
    static func bearing(_ degrees: Double) -> Double {
        let remainder = degrees.truncatingRemainder(dividingBy: 360)
        let bearing = remainder < 0 ? remainder + 360 : remainder + 0
        // A tiny negative angle is rounded to 360, which is not a valid bearing.
        return bearing < 360 ? bearing : 0
    }

    /// Units of the CRS per picture pixel.
    public var imageResolution: Double { resolution.unitsPerPixel / pixelRatio }

    /// Returns the view pixel that shows `coordinate`, which is in units of ``crs``; it may be outside the picture.
    public func pixel(of coordinate: Coordinate) -> Point {
        let x = (coordinate.x - center.x) / resolution.unitsPerPixel
        let y = (center.y - coordinate.y) / resolution.unitsPerPixel
        return Point(
            x: x * cosine + y * sine + Double(size.width) / 2, y: y * cosine - x * sine + Double(size.height) / 2)
    }

    /// Returns the coordinate, in units of ``crs``, shown at a view pixel, which may be outside the picture.
    public func coordinate(at pixel: Point) -> Coordinate {
        let x = pixel.x - Double(size.width) / 2, y = pixel.y - Double(size.height) / 2
        return Coordinate(
            x: center.x + (x * cosine - y * sine) * resolution.unitsPerPixel,
            y: center.y - (x * sine + y * cosine) * resolution.unitsPerPixel)
    }

    /// The smallest extent that contains the view; for a rotated view it is larger than the view.
    public var extent: Extent { extent(margin: 0) }

    /// Returns the smallest extent that contains the view and `margin` view pixels around it.
    ///
    /// A negative or invalid margin counts as 0, one above a million as a million.
    public func extent(margin: Double) -> Extent {
        let margin = margin > 0 ? min(margin, 1e6) : 0
        let width = Double(size.width) + 2 * margin, height = Double(size.height) + 2 * margin
        let spanX = (width * abs(cosine) + height * abs(sine)) * resolution.unitsPerPixel
        let spanY = (width * abs(sine) + height * abs(cosine)) * resolution.unitsPerPixel
        guard let extent = Extent(center: center, width: spanX, height: spanY) else {
            preconditionFailure("a viewport's sides are finite and positive")
        }
        return extent
    }
}

extension Viewport {
    /// Returns the picture pixel that shows `coordinate`.
    package func imagePixel(of coordinate: Coordinate) -> Point {
        let pixel = pixel(of: coordinate)
        return Point(x: pixel.x * pixelRatio, y: pixel.y * pixelRatio)
    }

    /// Returns the coordinate shown at a picture pixel.
    package func coordinate(atImagePixel pixel: Point) -> Coordinate {
        coordinate(at: Point(x: pixel.x / pixelRatio, y: pixel.y / pixelRatio))
    }

    /// The cosine and sine of the rotation, exact for quarter turns.
    package var upAxis: (cosine: Double, sine: Double) { (cosine, sine) }
}

extension Viewport {
    /// The ground width of a picture pixel at the picture centre in metres, or `nil` if the map's CRS has no built-in
    /// projection.
    package var metersPerImagePixel: Double? {
        guard let toDegrees = try? CoordinateTransform(from: crs, to: .crs84) else { return nil }
        let x = Double(imageSize.width) / 2, y = Double(imageSize.height) / 2
        guard let left = toDegrees(coordinate(atImagePixel: Point(x: x - 0.5, y: y))),
            let right = toDegrees(coordinate(atImagePixel: Point(x: x + 0.5, y: y)))
        else { return nil }
        let meters = GroundDistance.meters(from: left, to: right)
        return meters > 0 && meters.isFinite ? meters : nil
    }

    /// The smallest extent in longitude and latitude that contains the view, or `nil` if unknown.
    package var geographicExtent: Extent? {
        (try? ViewInSource(viewport: self, margin: 0, sourceCRS: .crs84))?.shown
    }

    /// Returns the smallest extent in longitude and latitude that contains the view and `margin` view pixels around it.
    ///
    /// - Throws: ``PlanError/notTransformable(_:)`` if the map's CRS has no built-in projection.
    package func geographicExtent(margin: Double) throws(PlanError) -> Extent? {
        try ViewInSource.fetched(self, margin: margin, sourceCRS: .crs84)
    }
}

extension Viewport {
    /// The reason why a viewport cannot be created.
    public enum InvalidError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The centre is not finite, or farther than 10¹² units away.
        case centerOutOfRange
        /// The resolution is not finite, or too fine to distinguish pixels this far from the origin.
        case resolutionOutOfRange
        /// The rotation is not finite.
        case rotationNotFinite
        /// The pixel ratio is not between 0.1 and 16.
        case pixelRatioOutOfRange(Double)
        /// The picture would have too many pixels.
        case pictureTooLarge(width: Int, height: Int, pixelRatio: Double)
        /// The padding leaves no room.
        case paddingTooLarge(Double)

        /// The failure in one line.
        public var description: String {
            switch self {
            case .centerOutOfRange: "the centre of the map is out of range"
            case .resolutionOutOfRange: "the resolution is out of range at this location"
            case .rotationNotFinite: "the rotation must be a finite number of degrees"
            case .pixelRatioOutOfRange(let ratio): "the pixel ratio \(ratio) is not between 0.1 and 16"
            case .pictureTooLarge(let width, let height, let ratio):
                "a picture of \(width)x\(height) at pixel ratio \(ratio) is empty or too large; "
                    + "at most \(ImageSize.maximumPixelCount) pixels, and \(ImageSize.maximumSide) per side"
            case .paddingTooLarge(let padding): "a padding of \(padding) pixels leaves no room in the picture"
            }
        }
    }
}
