public import PortolanRaster

/// Which part of an image is shown, when it was asked for with a gutter around that part.
public struct ImageCrop: Hashable, Sendable {
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
