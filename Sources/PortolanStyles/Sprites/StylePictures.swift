package import PortolanFeatures
import PortolanRaster

/// The pictures that a style may name: those of its sprites, and behind them shapes that need none.
package struct StylePictures: Sendable {
    /// How a picture is to look.
    package struct Look: Hashable, Sendable {
        /// The colour of what has none of its own, and the halo of it.
        var color: MapColor = .black
        var halo: MapColor?
        var haloWidth = 0.0
        /// How much larger it is drawn.
        var size = 1.0
    }

    /// The names of all pictures.
    package let names: Set<String>
    private let sprites: [Sprite]
    /// How many pixels of the picture are as wide as one of the style.
    private let pixelRatio: Double
    private var known: [Key: IconMarker.Source.Picture?] = [:]

    private struct Key: Hashable {
        let name: String
        let look: Look?
    }

    /// The shapes behind the sprites, by their names: half their size, and how far they are turned.
    private static let shapes: [String: (shape: ShapeMarker.Shape, rotation: Double)] = [
        "circle": (.circle, 0), "square": (.square, 0), "triangle": (.triangle, 0), "star": (.star, 0),
        "cross": (.cross, 0), "x": (.x, 0), "pin": (.pin, 0), "rounded-square": (.roundedSquare, 0),
        // As pictures along lines do, it points to the right.
        "arrow": (.arrow, 90), "flag": (.flag, 0),
    ]
    /// Half the size of a shape, in pixels.
    private static let shapeRadius = 6.0

    /// Makes the pictures for views with a pixel ratio.
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

    /// The mark of a name about its point, or `nil` where there is no such picture.
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

    /// The picture of a name as a pattern, or `nil` where no sprite has it.
    package mutating func pattern(_ name: String) -> IconMarker.Source.Picture? { picture(name, nil) }

    private mutating func picture(_ name: String, _ look: Look?) -> IconMarker.Source.Picture? {
        let key = Key(name: name, look: look)
        if let known = known[key] { return known }
        var picture: IconMarker.Source.Picture?
        if let (sprite, entry) = entry(name), let pixels = sprite.pixels(of: entry) {
            if let look {
                // As large as it is drawn, so that its edges are sharp.
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
