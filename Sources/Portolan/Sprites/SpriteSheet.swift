import PortolanCodecs
import PortolanFeatures
package import PortolanRaster

/// A sprite: one image with many icons, and their positions (MapLibre Style Specification, Sprite).
///
/// The same icons always give the same sprite.
package struct SpriteSheet: Sendable {
    /// An icon.
    package struct Icon: Sendable {
        /// The name in the style.
        package let name: String
        /// The pixels.
        package let pixels: PixelBuffer
        /// The number of pixels per style pixel.
        package let ratio: Int
        /// Whether the opacity encodes the distance from an outline.
        package let isDistanceField: Bool

        /// Creates an icon.
        package init(name: String, pixels: PixelBuffer, ratio: Int, isDistanceField: Bool = false) {
            self.name = name
            self.pixels = pixels
            self.ratio = ratio
            self.isDistanceField = isDistanceField
        }
    }

    /// The largest side of a sprite in pixels, which graphics processors support.
    package static let maximumSide = 8192

    /// The image.
    package let pixels: PixelBuffer
    /// The index in JSON.
    package let index: [UInt8]

    /// Packs icons in rows by height.
    ///
    /// - Returns: `nil` if they do not fit into ``maximumSide``.
    /// - Complexity: O(*n* log *n* + pixels).
    package init?(_ icons: [Icon]) {
        let ordered = icons.sorted {
            ($1.pixels.height, $1.pixels.width, $0.name) < ($0.pixels.height, $0.pixels.width, $1.name)
        }
        let area = ordered.reduce(0) { $0 + $1.pixels.width * $1.pixels.height }
        let widest = ordered.map(\.pixels.width).max() ?? 1
        let row = min(max(Int(Double(area).squareRoot().rounded(.up)), widest), Self.maximumSide)
        var places: [(x: Int, y: Int)] = [], x = 0, y = 0, height = 0, width = 1
        for icon in ordered {
            if x + icon.pixels.width > row {
                (x, y, height) = (0, y + height, 0)
            }
            places.append((x, y))
            x += icon.pixels.width
            width = max(width, x)
            height = max(height, icon.pixels.height)
        }
        guard widest <= Self.maximumSide, y + height <= Self.maximumSide,
            let size = ImageSize(width: width, height: max(y + height, 1))
        else { return nil }
        var canvas = Canvas(size: size), members: [String: PropertyValue] = [:]
        for (icon, place) in zip(ordered, places) {
            canvas.copy(icon.pixels, atX: place.x, y: place.y)
            var entry: Properties = [
                "x": .integer(place.x), "y": .integer(place.y), "width": .integer(icon.pixels.width),
                "height": .integer(icon.pixels.height), "pixelRatio": .integer(icon.ratio),
            ]
            if icon.isDistanceField { entry["sdf"] = true }
            members[icon.name] = .object(entry)
        }
        var document = Properties()
        for (name, entry) in members.sorted(by: { $0.key < $1.key }) { document[name] = entry }
        pixels = canvas.buffer
        index = GeoJSONWriter.json(.object(document))
    }

    /// Returns the image as PNG.
    package func png() throws(CodecError) -> [UInt8] { try PNGEncoder.encode(pixels, compression: .small) }
}
