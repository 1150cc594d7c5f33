public import PortolanGeo
public import PortolanRaster

/// Images of one CRS and resolution, to be put side by side unscaled and then resampled once onto the picture.
///
/// Stitching before resampling is what keeps seams out of a picture at fractional zoom, rotation or reprojection.
public struct Mosaic: Hashable, Sendable {
    /// The system of the images.
    public let crs: CRS

    /// The coordinate of the mosaic's top-left corner.
    public let topLeft: Coordinate

    /// Units of the CRS a mosaic pixel, eastward.
    public let resolutionX: Double

    /// Units of the CRS a mosaic pixel, southward.
    public let resolutionY: Double

    /// Width and height in mosaic pixels.
    public let size: ImageSize

    /// The images that make up the mosaic, in drawing order.
    public var images: [Mosaic.Placement]

    /// How the colours of the images are changed; not at all unless set.
    package var adjustment = ColorAdjustment()

    /// Where the corners of the mosaic lie, from the top left one clockwise, if that is no upright rectangle; `nil` unless set.
    package var corners: [Coordinate]?

    /// Makes a mosaic.
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
    /// One image of a ``Mosaic``: which it is and where it goes.
    public struct Placement: Hashable, Sendable {
        /// The resource that the image is.
        public var resource: Resource.ID
        /// Mosaic pixels from the left edge to the image.
        public var x: Int
        /// Mosaic pixels from the top edge to the image.
        public var y: Int
        /// The size the image has on the mosaic; one that comes in another size is scaled to it.
        public var size: ImageSize
        /// The part of the image that is shown, or `nil` for all of it.
        public var crop: Mosaic.Crop?
        /// The resource in whose place the image is shown since that one is missing, or `nil` for an image of its own.
        public var standsIn: Resource.ID?

        /// Makes a placement.
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
    /// Which part of an image is shown, when it was asked for with a gutter around that part.
    public struct Crop: Hashable, Sendable {
        /// Pixels that are cut off on the left.
        public let x: Int
        /// Rows that are cut off at the top.
        public let y: Int
        /// The size that the whole image was asked for in; one that comes in another size is scaled to it first.
        public let imageSize: ImageSize

        /// Makes a crop.
        public init(x: Int, y: Int, imageSize: ImageSize) {
            self.x = x
            self.y = y
            self.imageSize = imageSize
        }
    }
}

extension Mosaic {
    /// The ground that an image of the mosaic shows.
    func bounds(of placement: Mosaic.Placement) -> LayerBounds? {
        let left = topLeft.x + Double(placement.x) * resolutionX, top = topLeft.y - Double(placement.y) * resolutionY
        return Extent(
            minX: left, minY: top - Double(placement.size.height) * resolutionY,
            maxX: left + Double(placement.size.width) * resolutionX, maxY: top
        ).map { LayerBounds($0, crs: crs) }
    }

    /// The square of the distance of an image from a coordinate, in mosaic pixels; from the middle of the mosaic where
    /// there is none.
    func rank(of placement: Mosaic.Placement, around center: Coordinate?) -> Double {
        let x = center.map { ($0.x - topLeft.x) / resolutionX } ?? Double(size.width) / 2
        let y = center.map { (topLeft.y - $0.y) / resolutionY } ?? Double(size.height) / 2
        let dx = Double(placement.x) + Double(placement.size.width) / 2 - x
        let dy = Double(placement.y) + Double(placement.size.height) / 2 - y
        return dx * dx + dy * dy
    }
}
