package import PortolanFeatures
package import PortolanRaster

/// Where the pictures of a sprite lie in its image (MapLibre Style Specification, Sprite, the index file).
package struct SpriteIndex: Hashable, Sendable {
    /// One picture.
    package struct Entry: Hashable, Sendable {
        /// Pixels from the left side of the image to the picture.
        package let x: Int
        /// Pixels from the top of the image to the picture.
        package let y: Int
        /// The size of the picture in the image.
        package let size: ImageSize
        /// How many of its pixels are as wide as a pixel of the style.
        package let pixelRatio: Double
        /// Whether its opacity tells the distance from an outline, so that it may have any colour.
        package let isDistanceField: Bool
        /// Whether some parts alone are to be stretched around a text.
        package var hasStretchedParts: Bool { stretch != nil }
        /// Which parts these are, or `nil` for the whole.
        package let stretch: PictureStretch?

        init(
            x: Int, y: Int, size: ImageSize, pixelRatio: Double, isDistanceField: Bool, stretch: PictureStretch? = nil
        ) {
            self.x = x
            self.y = y
            self.size = size
            self.pixelRatio = pixelRatio
            self.isDistanceField = isDistanceField
            self.stretch = stretch
        }
    }

    /// The most pictures that are read.
    package static let maximumCount = 20_000

    /// The pictures by their names.
    package let entries: [String: Entry]
    /// The names of those that are not as they must be, in alphabetical order.
    package let malformedNames: [String]

    init(entries: [String: Entry]) {
        self.entries = entries
        malformedNames = []
    }

    /// Reads an index.
    ///
    /// - Throws: ``SpriteError`` when it is none at all.
    /// - Complexity: O(*n*) in the bytes.
    package init(bytes: [UInt8]) throws(SpriteError) {
        let json: PropertyValue
        do {
            json = try JSONReader.value(bytes: bytes, limits: FeatureLimits(maximumByteCount: 1 << 24))
        } catch { throw .json(line: error.line, error.detail) }
        guard let members = json.objectValue else { throw .noIndex }
        guard members.count <= Self.maximumCount else { throw .tooMany(limit: Self.maximumCount) }
        var entries: [String: Entry] = [:], malformed: [String] = []
        for member in members {
            if let entry = Entry(member.value) { entries[member.name] = entry } else { malformed.append(member.name) }
        }
        self.entries = entries
        malformedNames = malformed.sorted()
    }
}

extension SpriteIndex.Entry {
    fileprivate init?(_ value: PropertyValue) {
        func whole(_ name: String) -> Int? {
            guard let number = value.objectValue?[name]?.doubleValue, number >= 0, number <= 65_535 else { return nil }
            return Int(number)
        }
        guard let x = whole("x"), let y = whole("y"), let width = whole("width"), let height = whole("height"),
            let size = ImageSize(width: width, height: height)
        else { return nil }
        self.x = x
        self.y = y
        self.size = size
        let ratio = value.objectValue?["pixelRatio"]?.doubleValue ?? 1
        guard ratio > 0, ratio <= 16 else { return nil }
        pixelRatio = ratio
        isDistanceField = value.objectValue?["sdf"] == .bool(true)
        stretch = Self.stretch(value, size)
    }

    /// The parts that are stretched, if any are named; those that lie outside the picture do not count.
    private static func stretch(_ value: PropertyValue, _ size: ImageSize) -> PictureStretch? {
        func ranges(_ name: String, _ length: Int) -> [Range<Double>] {
            let pairs = (value.objectValue?[name]?.arrayValue ?? []).prefix(64).compactMap { pair -> Range<Double>? in
                let ends = pair.arrayValue?.compactMap(\.doubleValue) ?? []
                guard ends.count == 2, ends[0] >= 0, ends[0] < ends[1], ends[1] <= Double(length) else { return nil }
                return ends[0]..<ends[1]
            }
            return pairs.sorted { $0.lowerBound < $1.lowerBound }
        }
        let columns = ranges("stretchX", size.width), rows = ranges("stretchY", size.height)
        let sides = value.objectValue?["content"]?.arrayValue?.compactMap(\.doubleValue) ?? []
        var content: Rectangle?
        if sides.count == 4, sides[0] >= 0, sides[1] >= 0, sides[0] < sides[2], sides[1] < sides[3],
            sides[2] <= Double(size.width), sides[3] <= Double(size.height)
        {
            content = Rectangle(minX: sides[0], minY: sides[1], maxX: sides[2], maxY: sides[3])
        }
        guard !columns.isEmpty || !rows.isEmpty || content != nil else { return nil }
        return PictureStretch(columns: columns, rows: rows, content: content)
    }
}

/// Why a document is no index of a sprite.
package enum SpriteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is no JSON; the line and what stands there.
    case json(line: Int, String)
    /// It is JSON, and no object of pictures.
    case noIndex
    /// It has more pictures than are read.
    case tooMany(limit: Int)

    /// What is wrong, in one line.
    package var description: String {
        switch self {
        case .json(let line, let words): "line \(line): \(words)"
        case .noIndex: "not a sprite index: expected an object of images"
        case .tooMany(let limit): "the sprite has more than \(limit) images"
        }
    }
}

/// A sprite that has come: its image, and where the pictures lie in it.
package struct Sprite: Sendable {
    /// What the style calls it.
    package let id: String
    /// What stands before the names of its pictures, with a colon: nothing for the first sprite of a style.
    package let prefix: String
    package let index: SpriteIndex
    package let image: PixelBuffer

    /// Joins the two.
    package init(id: String, index: SpriteIndex, image: PixelBuffer) {
        self.id = id
        prefix = id == Self.defaultID ? "" : id + ":"
        self.index = index
        self.image = image
    }

    /// The name of the sprite whose pictures are named without one.
    package static let defaultID = "default"

    /// The pixels of a picture, or `nil` where it lies outside the image.
    func pixels(of entry: SpriteIndex.Entry) -> PixelBuffer? {
        guard entry.x + entry.size.width <= image.width, entry.y + entry.size.height <= image.height else {
            return nil
        }
        var pixels: [UInt32] = []
        pixels.reserveCapacity(entry.size.pixelCount)
        for row in entry.y..<entry.y + entry.size.height {
            let start = row * image.width + entry.x
            pixels += image.pixels[start..<start + entry.size.width]
        }
        return PixelBuffer(size: entry.size, pixels: pixels)
    }
}
