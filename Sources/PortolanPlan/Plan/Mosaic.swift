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
    public let images: [ImagePlacement]

    /// Images beside the view that are fetched for the next view, but not shown.
    public let margin: [ImagePlacement]

    /// Makes a mosaic.
    public init(
        crs: CRS, topLeft: Coordinate, resolutionX: Double, resolutionY: Double, size: ImageSize,
        images: [ImagePlacement], margin: [ImagePlacement] = []
    ) {
        self.crs = crs
        self.topLeft = topLeft
        self.resolutionX = resolutionX
        self.resolutionY = resolutionY
        self.size = size
        self.images = images
        self.margin = margin
    }
}

/// One image of a ``Mosaic``: where it comes from and where it goes.
public struct ImagePlacement: Hashable, Sendable {
    /// The address to fetch the image from.
    public let url: String
    /// What the image is, for a person: `7/63/42` for a tile, its extent for a WMS image.
    public let name: String
    /// Mosaic pixels from the left edge to the image.
    public let x: Int
    /// Mosaic pixels from the top edge to the image.
    public let y: Int
    /// The size the image has on the mosaic; one that comes in another size is scaled to it.
    public let size: ImageSize
    /// The part of the image that is shown, or `nil` for all of it.
    public let crop: ImageCrop?
    /// What to try where the service refuses the image for its size, or `nil` where it states its limit or has none.
    public let sizeTrial: SizeTrial?

    /// Makes a placement.
    public init(
        url: String, name: String, x: Int, y: Int, size: ImageSize, crop: ImageCrop? = nil,
        sizeTrial: SizeTrial? = nil
    ) {
        self.url = url
        self.name = name
        self.x = x
        self.y = y
        self.size = size
        self.crop = crop
        self.sizeTrial = sizeTrial
    }
}
