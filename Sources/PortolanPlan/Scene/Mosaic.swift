public import PortolanGeo
public import PortolanRaster

/// Images of one CRS and resolution that are stitched unscaled and then resampled once onto the picture.
///
/// Stitching before resampling prevents seams at fractional zooms, with rotation and with reprojection.
public struct Mosaic: Hashable, Sendable {
    /// The CRS of the images.
    public let crs: CRS

    /// The coordinate of the mosaic's top-left corner.
    public let topLeft: Coordinate

    /// Units of the CRS per mosaic pixel, eastward.
    public let resolutionX: Double

    /// Units of the CRS per mosaic pixel, southward.
    public let resolutionY: Double

    /// Width and height in mosaic pixels.
    public let size: ImageSize

    /// The images of the mosaic, in drawing order.
    public var images: [Mosaic.Placement]

    /// The colour adjustment of the images; none by default.
    package var adjustment = ColorAdjustment()

    /// The colours between the centres of pixels.
    package var resampling = ImageResampling.bilinear

    /// The corners of the mosaic from the top left one clockwise, if it is not an upright rectangle; `nil` by default.
    package var corners: [Coordinate]?

    /// The picture of all of the mosaic if its source made it, or `nil` if it consists of resources.
    package var made: MadePicture?

    /// Creates a mosaic.
    public init(
        crs: CRS, topLeft: Coordinate, resolutionX: Double, resolutionY: Double, size: ImageSize,
        images: [Mosaic.Placement]
    ) {
        self.crs = crs
        self.topLeft = topLeft
        self.resolutionX = resolutionX
        self.resolutionY = resolutionY
        self.size = size
        self.images = images
    }
}

extension Mosaic {
    /// An image of a ``Mosaic`` and its position.
    public struct Placement: Hashable, Sendable {
        /// The resource of the image.
        public var resource: Resource.ID
        /// The distance from the left edge, in mosaic pixels.
        public var x: Int
        /// The distance from the top edge, in mosaic pixels.
        public var y: Int
        /// The size of the image on the mosaic.
        ///
        /// An image that arrives in another size is scaled to it.
        public var size: ImageSize
        /// The part of the image that is shown, or `nil` for all of it.
        public var crop: Mosaic.Crop?
        /// The missing resource for which the image is the fallback, or `nil`.
        public var standsIn: Resource.ID?

        /// Creates a placement.
        public init(resource: Resource.ID, x: Int, y: Int, size: ImageSize, crop: Mosaic.Crop? = nil) {
            self.resource = resource
            self.x = x
            self.y = y
            self.size = size
            self.crop = crop
        }
    }
}

extension Mosaic {
    /// The shown part of an image that was requested with a gutter.
    public struct Crop: Hashable, Sendable {
        /// The number of columns cut off on the left.
        public let x: Int
        /// The number of rows cut off at the top.
        public let y: Int
        /// The requested size of the whole image.
        ///
        /// An image that arrives in another size is scaled to it first.
        public let imageSize: ImageSize

        /// Creates a crop.
        public init(x: Int, y: Int, imageSize: ImageSize) {
            self.x = x
            self.y = y
            self.imageSize = imageSize
        }
    }
}

extension Mosaic {
    /// The ground extent of an image of the mosaic.
    func bounds(of placement: Mosaic.Placement) -> LayerBounds? {
        let left = topLeft.x + Double(placement.x) * resolutionX, top = topLeft.y - Double(placement.y) * resolutionY
        return Extent(
            minX: left, minY: top - Double(placement.size.height) * resolutionY,
            maxX: left + Double(placement.size.width) * resolutionX, maxY: top
        ).map { LayerBounds($0, crs: crs) }
    }

    /// The squared distance of an image from a coordinate in mosaic pixels, or from the middle of the mosaic if
    /// `center` is `nil`.
    func rank(of placement: Mosaic.Placement, around center: Coordinate?) -> Double {
        let x = center.map { ($0.x - topLeft.x) / resolutionX } ?? Double(size.width) / 2
        let y = center.map { (topLeft.y - $0.y) / resolutionY } ?? Double(size.height) / 2
        let dx = Double(placement.x) + Double(placement.size.width) / 2 - x
        let dy = Double(placement.y) + Double(placement.size.height) / 2 - y
        return dx * dx + dy * dy
    }
}
