package import PortolanFeatures
import PortolanRaster

/// The images that a style can use: those of its sprites, and built-in shapes as a fallback.
package struct StylePictures: Sendable {
    /// The appearance of an image.
    package struct Look: Hashable, Sendable {
        /// The colour and halo of images without their own colour.
        var color: MapColor = .black
        var halo: MapColor?
        var haloWidth = 0.0
        /// The scale factor.
        var size = 1.0
    }

    /// The names of all images.
    package let names: Set<String>
    private let sprites: [Sprite]
    /// The number of picture pixels per style pixel.
    private let pixelRatio: Double
    private var known: [Key: IconMarker.Source.Picture?] = [:]

    private struct Key: Hashable {
        let name: String
        let look: Look?
    }

    /// The built-in shapes by name: half their size, and their rotation.
    private static let shapes: [String: (shape: ShapeMarker.Shape, rotation: Double)] = [
        "circle": (.circle, 0), "square": (.square, 0), "triangle": (.triangle, 0), "star": (.star, 0),
        "cross": (.cross, 0), "x": (.x, 0), "pin": (.pin, 0), "rounded-square": (.roundedSquare, 0),
        // It points to the right, like images along lines.
        "arrow": (.arrow, 90), "flag": (.flag, 0),
    ]
    /// Half the size of a shape, in pixels.
    private static let shapeRadius = 6.0

    /// Creates the images for views with a pixel ratio.
    package init(sprites: [Sprite], pixelRatio: Double) {
        self.sprites = sprites
        self.pixelRatio = pixelRatio
        names = Set(
            Self.shapes.keys + sprites.flatMap { sprite in sprite.index.entries.keys.map { sprite.prefix + $0 } })
    }

    private func entry(_ name: String) -> (sprite: Sprite, entry: SpriteIndex.Entry)? {
        for sprite in sprites where name.hasPrefix(sprite.prefix) {
            if let entry = sprite.index.entries[String(name.dropFirst(sprite.prefix.count))] { return (sprite, entry) }
        }
        return nil
    }

    /// Returns the mark of a name, relative to its point, or `nil` if there is no such image.
    mutating func marker(_ name: String, look: Look, opacity: Double) -> MarkerSymbol? {
        if let (_, entry) = entry(name) {
            let picture = entry.isDistanceField ? self.picture(name, look) : self.picture(name, nil)
            guard let picture else { return nil }
            return .icon(
                IconMarker(
                    source: .picture(picture), width: Double(entry.size.width) / entry.pixelRatio * look.size,
                    height: Double(entry.size.height) / entry.pixelRatio * look.size, opacity: opacity))
        }
        guard let (shape, turn) = Self.shapes[name], look.size > 0 else { return nil }
        let halo = look.haloWidth > 0 ? look.halo : nil
        return .shape(
            ShapeMarker(
                shape: shape, radius: Self.shapeRadius * look.size,
                fill: FillSymbol(color: look.color.withOpacity(opacity)), rotation: turn,
                halo: halo.map { LabelSymbol.Outline(color: $0.withOpacity(opacity), width: look.haloWidth) }))
    }

    /// Returns the image of a name as a pattern, or `nil` if no sprite contains it.
    package mutating func pattern(_ name: String) -> IconMarker.Source.Picture? { picture(name, nil) }

    private mutating func picture(_ name: String, _ look: Look?) -> IconMarker.Source.Picture? {
        let key = Key(name: name, look: look)
        if let known = known[key] { return known }
        var picture: IconMarker.Source.Picture?
        if let (sprite, entry) = entry(name), let pixels = sprite.pixels(of: entry) {
            if let look {
                // At the drawn size, so that its edges are sharp.
                let scale = look.size * pixelRatio / entry.pixelRatio
                picture = DistanceField(pixels: pixels).tinted(
                    look.color, halo: look.haloWidth > 0 ? look.halo : nil,
                    haloWidth: look.haloWidth / look.size * entry.pixelRatio, scale: scale
                ).map { IconMarker.Source.Picture(name: name, pixels: $0, pixelRatio: entry.pixelRatio * scale) }
            } else {
                picture = IconMarker.Source.Picture(name: name, pixels: pixels, pixelRatio: entry.pixelRatio)
                picture?.stretch = entry.stretch
            }
        }
        known[key] = .some(picture)
        return picture
    }
}
