public import PortolanRaster

/// A marker that is a picture.
public struct IconMarker: Hashable, Sendable {
    /// Which spot of a picture lies on the point, as fractions of its size from the top-left corner.
    public struct Anchor: Hashable, Sendable {
        /// 0 for the left side, 1 for the right one.
        public var x: Double
        /// 0 for the top, 1 for the bottom.
        public var y: Double

        /// Makes an anchor.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }

        /// The middle of the picture.
        public static let center = Anchor(x: 0.5, y: 0.5)
        /// The middle of the lower side.
        public static let bottom = Anchor(x: 0.5, y: 1)
    }

    /// Where the picture comes from.
    public var source: IconSource
    /// The width drawn, in pixels; `nil` for the picture's own, or what `height` asks for to keep its proportions.
    public var width: Double?
    /// The height drawn, in pixels; `nil` for the picture's own, or what `width` asks for to keep its proportions.
    public var height: Double?
    /// Pixels from the point to the picture's left side, x to the right; `nil` to let `anchor` decide.
    public var offsetX: Double?
    /// Pixels from the point to the picture's top, y down; `nil` to let `anchor` decide.
    public var offsetY: Double?
    /// Which spot lies on the point in the directions that have no offset; the middle unless told.
    public var anchor: Anchor
    /// 0 (clear) to 1.
    public var opacity: Double
    /// How far the picture is turned about the point, in degrees clockwise.
    public var rotation: Double
    /// A factor on size and offset; 1 unless told.
    public var scale: Double

    /// Makes a marker.
    public init(
        source: IconSource, width: Double? = nil, height: Double? = nil, offsetX: Double? = nil, offsetY: Double? = nil,
        anchor: Anchor = .center, opacity: Double = 1, rotation: Double = 0, scale: Double = 1
    ) {
        self.source = source
        self.width = width
        self.height = height
        self.offsetX = offsetX
        self.offsetY = offsetY
        self.anchor = anchor
        self.opacity = opacity
        self.rotation = rotation
        self.scale = scale
    }

    /// The size drawn for a picture of a size, in pixels, `scale` included.
    public func drawnSize(of picture: ImageSize) -> (width: Double, height: Double) {
        let natural = (width: Double(picture.width), height: Double(picture.height))
        let size: (width: Double, height: Double) =
            switch (width, height) {
            case (let width?, let height?): (width, height)
            case (let width?, nil): (width, width * natural.height / natural.width)
            case (nil, let height?): (height * natural.width / natural.height, height)
            case (nil, nil): natural
            }
        return (size.width * scale, size.height * scale)
    }

    /// The way from the point to the top-left corner of a picture of a size before it is turned, in pixels, y down.
    public func topLeftOffset(of picture: ImageSize) -> Point {
        let size = drawnSize(of: picture)
        return Point(
            x: offsetX.map { $0 * scale } ?? -anchor.x * size.width,
            y: offsetY.map { $0 * scale } ?? -anchor.y * size.height)
    }
}
