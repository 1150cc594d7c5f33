public import PortolanRaster

/// The marker at a point.
public indirect enum MarkerSymbol: Hashable, Sendable {
    /// A drawn shape.
    case shape(ShapeMarker)
    /// An image.
    case icon(IconMarker)
}

/// A marker with a drawn shape.
public struct ShapeMarker: Hashable, Sendable {
    /// The shape.
    public var shape: ShapeMarker.Shape
    /// Half the size of the shape in pixels; see ``ShapeMarker/Shape``.
    public var radius: Double
    /// The fill, or `nil`.
    public var fill: FillSymbol?
    /// The outline, or `nil`.
    public var stroke: LineSymbol?
    /// The halo around and behind the shape, or `nil`.
    public var halo: LabelSymbol.Outline?
    /// The rotation about the point, in degrees clockwise.
    public var rotation: Double
    /// The symbol in the head of a pin, or `nil` for its eye; the symbol in a circle or square, or `nil` for none.
    public var symbol: PinSymbol?
    /// The beak at a circle or square that points in the direction of movement, or `nil`.
    public var beak: Beak?
    /// The width of a circle's fade-out inside its edge, as a fraction of its radius with the outline.
    ///
    /// Default: 0, for a sharp edge.
    public var blur = 0.0

    /// A triangle at an upright circle or square that points in a direction.
    public struct Beak: Hashable, Sendable {
        /// The direction in degrees clockwise from up.
        public var direction: Double
        /// The distance of its tip from the radius, in pixels.
        public var length: Double

        /// Creates a beak.
        public init(direction: Double, length: Double = 8) {
            self.direction = direction
            self.length = length
        }
    }

    /// Creates a marker.
    public init(
        shape: ShapeMarker.Shape = .circle, radius: Double, fill: FillSymbol?, stroke: LineSymbol? = nil,
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

extension ShapeMarker {
    /// The drawn shapes of markers.
    ///
    /// All shapes except the pin and the flag are centred on the point and inside the circle of the marker's radius.
    public enum Shape: Hashable, Sendable, CaseIterable {
        /// A circle.
        case circle
        /// A square with sides of twice the radius, parallel to those of the picture.
        case square
        /// A triangle that points up.
        case triangle
        /// A five-pointed star with one point up.
        case star
        /// An upright cross.
        case cross
        /// A diagonal cross.
        case x
        /// A pin whose tip is at the point.
        ///
        /// The head has the marker's radius, and its centre is two radii above the point.
        case pin
        /// A square with rounded corners.
        case roundedSquare
        /// An arrow that points up.
        case arrow
        /// A flag on a pole that starts at the point and is three radii high.
        case flag
    }
}

/// A marker with an image.
public struct IconMarker: Hashable, Sendable {
    /// The position in an image that is at the point, as fractions of its size from the top left corner.
    public struct Anchor: Hashable, Sendable {
        /// The horizontal fraction: 0 for the left side, 1 for the right.
        public var x: Double
        /// The vertical fraction: 0 for the top, 1 for the bottom.
        public var y: Double

        /// Creates an anchor.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }

        /// The centre of the image.
        public static let center = Anchor(x: 0.5, y: 0.5)
        /// The middle of the lower side.
        public static let bottom = Anchor(x: 0.5, y: 1)
    }

    /// The source of the image.
    public var source: IconMarker.Source
    /// The drawn width in pixels; `nil` for that of the image, or for its aspect ratio with `height`.
    public var width: Double?
    /// The drawn height in pixels; `nil` for that of the image, or for its aspect ratio with `width`.
    public var height: Double?
    /// The offset of the image's left side from the point, in pixels; `nil` to use `anchor`.
    public var offsetX: Double?
    /// The offset of the image's top from the point, in pixels, y down; `nil` to use `anchor`.
    public var offsetY: Double?
    /// The position in the image that is at the point, in directions without an offset.
    ///
    /// Default: the centre.
    public var anchor: Anchor
    /// The opacity, 0 to 1.
    public var opacity: Double
    /// The rotation about the point, in degrees clockwise.
    public var rotation: Double
    /// The scale of size and offset.
    ///
    /// Default: 1.
    public var scale: Double
    /// The colour by which each pixel is multiplied, or `nil`.
    ///
    /// Its alpha has no effect.
    public var tint: MapColor?

    /// Creates a marker.
    public init(
        source: IconMarker.Source, width: Double? = nil, height: Double? = nil, offsetX: Double? = nil,
        offsetY: Double? = nil,
        anchor: Anchor = .center, opacity: Double = 1, rotation: Double = 0, scale: Double = 1, tint: MapColor? = nil
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

    /// The image, or `nil` if it must be fetched.
    public var picture: IconMarker.Source.Picture? { if case .picture(let picture) = source { picture } else { nil } }

    /// Returns the drawn size for an image size, in pixels, including `scale`.
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

    /// Returns the offset of the top left corner from the point for an image size, before rotation, in pixels, y down.
    public func topLeftOffset(of picture: ImageSize) -> Point {
        let size = drawnSize(of: picture)
        return Point(
            x: offsetX.map { $0 * scale } ?? -anchor.x * size.width,
            y: offsetY.map { $0 * scale } ?? -anchor.y * size.height)
    }
}

extension IconMarker {
    /// The source of a marker's image.
    public enum Source: Hashable, Sendable {
        /// A path, relative to the file that names it unless it starts with a slash.
        case file(String)
        /// A URL with a scheme, as written, including `data:`.
        case url(String)
        /// An available image, such as one of a sprite.
        case picture(Picture)

        /// An image with its pixels.
        public struct Picture: Hashable, Sendable {
            /// The name.
            public var name: String
            /// The pixels.
            public var pixels: PixelBuffer
            /// The number of pixels per style pixel.
            public var pixelRatio: Double
            /// The parts that are stretched around a text.
            ///
            /// Default: `nil`, for the whole image.
            package var stretch: PictureStretch?

            /// Creates an image.
            public init(name: String, pixels: PixelBuffer, pixelRatio: Double = 1) {
                self.name = name
                self.pixels = pixels
                self.pixelRatio = pixelRatio
            }

            /// The width in style pixels.
            public var width: Double { Double(pixels.width) / pixelRatio }

            /// The height in style pixels.
            public var height: Double { Double(pixels.height) / pixelRatio }

            /// Hashes the name and the size, which are different for almost all images.
            public func hash(into hasher: inout Hasher) {
                hasher.combine(name)
                hasher.combine(pixels.size)
                hasher.combine(pixelRatio)
            }
        }

        /// Parses the text of an `externalGraphic`: a URL with a scheme, or else a path.
        ///
        /// Returns `nil` if it is empty.
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
}
