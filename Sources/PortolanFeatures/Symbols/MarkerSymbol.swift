public import PortolanRaster

/// The mark drawn at a point.
public indirect enum MarkerSymbol: Hashable, Sendable {
    /// A drawn shape.
    case shape(ShapeMarker)
    /// A picture.
    case icon(IconMarker)
}

/// A marker that is drawn as a shape.
public struct ShapeMarker: Hashable, Sendable {
    /// The shape.
    public var shape: MarkerShape
    /// Half the size of the shape in pixels; see ``MarkerShape``.
    public var radius: Double
    /// The inside, or `nil` when it is left open.
    public var fill: FillSymbol?
    /// The outline, or `nil` when there is none.
    public var stroke: LineSymbol?
    /// What sets the shape off from what is below, around it and beneath its inside, or `nil` for nothing.
    public var halo: LabelSymbol.Outline?
    /// How far the shape is turned about the point, in degrees clockwise.
    public var rotation: Double
    /// What stands in the head of a pin, or `nil` for its eye; and what stands in a disc or a square, or `nil` for nothing.
    public var symbol: PinSymbol?
    /// The beak that points out of a disc or a square to where something moves, or `nil` for none.
    public var beak: Beak?
    /// How far inside its edge a disc fades out, as a share of its radius with its border; 0, unless set, for a sharp edge.
    public var blur = 0.0

    /// A triangle by which a disc or a square points in a direction, while it stays upright itself.
    public struct Beak: Hashable, Sendable {
        /// Where it points to, in degrees clockwise from up.
        public var direction: Double
        /// How far its tip reaches beyond the radius, in pixels.
        public var length: Double

        /// Makes a beak.
        public init(direction: Double, length: Double = 8) {
            self.direction = direction
            self.length = length
        }
    }

    /// Makes a marker.
    public init(
        shape: MarkerShape = .circle, radius: Double, fill: FillSymbol?, stroke: LineSymbol? = nil,
        rotation: Double = 0, symbol: PinSymbol? = nil, beak: Beak? = nil, halo: LabelSymbol.Outline? = nil
    ) {
        self.halo = halo
        self.beak = beak
        self.symbol = symbol
        self.shape = shape
        self.radius = radius
        self.fill = fill
        self.stroke = stroke
        self.rotation = rotation
    }
}

/// The drawn shapes that a marker may have.
///
/// All but the pin and the flag are centred on the point and lie within the circle about it that the marker's radius gives.
public enum MarkerShape: Hashable, Sendable, CaseIterable {
    /// A disc.
    case circle
    /// A square with sides of twice the radius, parallel to the picture's.
    case square
    /// A triangle that points up.
    case triangle
    /// A star of five points, one of them up.
    case star
    /// An upright cross.
    case cross
    /// A cross on its side.
    case x
    /// A drop that stands on the point: the tip is the point, and the centre of the round head, whose radius is the
    /// marker's, lies two radii above it.
    case pin
    /// A square with round corners.
    case roundedSquare
    /// An arrow that points up.
    case arrow
    /// A flag on a pole that stands on the point and is three radii high.
    case flag
}

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
    /// The colour by which each pixel is multiplied, or `nil` to leave the picture as it is; its alpha has no effect.
    public var tint: Color?

    /// Makes a marker.
    public init(
        source: IconSource, width: Double? = nil, height: Double? = nil, offsetX: Double? = nil, offsetY: Double? = nil,
        anchor: Anchor = .center, opacity: Double = 1, rotation: Double = 0, scale: Double = 1, tint: Color? = nil
    ) {
        self.tint = tint
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

    /// The picture, where it is there and need not be fetched.
    public var picture: IconSource.Picture? { if case .picture(let picture) = source { picture } else { nil } }

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

/// Where a marker's picture comes from.
public enum IconSource: Hashable, Sendable {
    /// A path, relative to the file that names it unless it begins with a slash.
    case file(String)
    /// An address with a scheme, as it is written; `data:` is one.
    case url(String)
    /// A picture that is there, such as one of a sprite.
    case picture(Picture)

    /// A picture with its pixels.
    public struct Picture: Hashable, Sendable {
        /// What it is called.
        public var name: String
        /// The pixels.
        public var pixels: PixelBuffer
        /// How many of its pixels are as wide as a pixel of the style.
        public var pixelRatio: Double
        /// Which parts alone are stretched around a text, or `nil`, unless set, for the whole.
        package var stretch: PictureStretch?

        /// Makes a picture.
        public init(name: String, pixels: PixelBuffer, pixelRatio: Double = 1) {
            self.name = name
            self.pixels = pixels
            self.pixelRatio = pixelRatio
        }

        /// How wide it is, in pixels of a style.
        public var width: Double { Double(pixels.width) / pixelRatio }

        /// How high it is, in pixels of a style.
        public var height: Double { Double(pixels.height) / pixelRatio }

        /// Hashes the name and the size, which nearly always tell pictures apart.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(pixels.size)
            hasher.combine(pixelRatio)
        }
    }

    /// Reads the text of an `externalGraphic`: an address with a scheme, or else a path; `nil` when it is empty.
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        if let colon = text.firstIndex(of: ":"), text[..<colon].utf8.count > 1,
            text[..<colon].utf8.allSatisfy({
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
            })
        {
            self = .url(text)
        } else {
            self = .file(text)
        }
    }
}
