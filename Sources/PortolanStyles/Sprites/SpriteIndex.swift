package import PortolanFeatures
package import PortolanRaster

/// The positions of images in a sprite (MapLibre Style Specification, Sprite, index file).
package struct SpriteIndex: Hashable, Sendable {
    /// An image of the sprite.
    package struct Entry: Hashable, Sendable {
        /// The distance from the left side of the sprite, in pixels.
        package let x: Int
        /// The distance from the top of the sprite, in pixels.
        package let y: Int
        /// The size in the sprite.
        package let size: ImageSize
        /// The number of its pixels per style pixel.
        package let pixelRatio: Double
        /// Whether its opacity encodes the distance from an outline, so that it can have any colour.
        package let isDistanceField: Bool
        /// Whether only some parts are stretched around a text.
        package var hasStretchedParts: Bool { stretch != nil }
        /// The parts that are stretched, or `nil` for the whole image.
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

    /// The largest number of images.
    package static let maximumCount = 20_000

    /// The images by name.
    package let entries: [String: Entry]
    /// The names of malformed images, in alphabetical order.
    package let malformedNames: [String]

    init(entries: [String: Entry]) {
        self.entries = entries
        malformedNames = []
    }

    /// Reads an index.
    ///
    /// - Throws: ``SpriteError`` if the document is not an index.
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

    /// The stretched parts, if any are stated; parts outside the image are ignored.
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

/// The reason why a document is not a sprite index.
package enum SpriteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is not valid JSON: the line and the unexpected text.
    case json(line: Int, String)
    /// It is JSON, but not an object of images.
    case noIndex
    /// It exceeds the limit of images.
    case tooMany(limit: Int)

    /// The error in one line.
    package var description: String {
        switch self {
        case .json(let line, let words): "line \(line): \(words)"
        case .noIndex: "not a sprite index: expected an object of images"
        case .tooMany(let limit): "the sprite has more than \(limit) images"
        }
    }
}

/// A received sprite: its image and index.
package struct Sprite: Sendable {
    /// The name in the style.
    package let id: String
    /// The prefix of its image names, with a colon; empty for the default sprite.
    package let prefix: String
    package let index: SpriteIndex
    package let image: PixelBuffer

    /// Joins an index and an image.
    package init(id: String, index: SpriteIndex, image: PixelBuffer) {
        self.id = id
        prefix = id == Self.defaultID ? "" : id + ":"
        self.index = index
        self.image = image
    }

    /// The name of the sprite whose images have no prefix.
    package static let defaultID = "default"

    /// Returns the pixels of an entry, or `nil` if it is outside the image.
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
