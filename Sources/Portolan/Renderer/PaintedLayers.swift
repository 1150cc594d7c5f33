import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanWeb

/// Rendered layers without labels and furniture.
///
/// If the next view shows the same ground with an offset, their pixels are moved and reused.
struct PaintedLayers: Sendable {
    /// The rendered scene.
    let scene: Scene
    /// The available images.
    let images: [Resource.ID: PixelBuffer]
    /// The rendered pixels.
    let pixels: PixelBuffer
    /// Whether shapes were drawn in parts.
    ///
    /// Shapes across parts may be off by a fifth of a pixel.
    let hasSeams: Bool
    /// The centre of the last completely rendered view, so that rounding errors of offsets do not accumulate.
    private let anchor: Coordinate

    init(
        scene: Scene, images: [Resource.ID: PixelBuffer], pixels: PixelBuffer, hasSeams: Bool = false,
        anchor: Coordinate? = nil
    ) {
        self.scene = scene
        self.images = images
        self.pixels = pixels
        self.hasSeams = hasSeams
        self.anchor = anchor ?? scene.viewport.center
    }

    /// Returns the layers for another scene, or `nil` if they must be rendered completely.
    ///
    /// - Parameter paint: renders the layers of a part of the view, given as a separate view.
    /// - Complexity: O(copied pixels), and the cost of `paint`.
    func moved(
        to scene: Scene, images: [Resource.ID: PixelBuffer], _ paint: (Viewport) -> PixelBuffer
    ) -> PaintedLayers? {
        guard scene.layers.count == self.scene.layers.count, let shift = shift(to: scene.viewport),
            unchangedCount(in: scene, images: images) == scene.layers.count
        else { return nil }
        guard shift.x != 0 || shift.y != 0 else {
            return PaintedLayers(scene: scene, images: images, pixels: pixels, hasSeams: hasSeams, anchor: anchor)
        }
        let size = scene.viewport.imageSize
        var parts: [(viewport: Viewport, x: Int, y: Int)] = []
        for strip in Self.strips(shift.x, shift.y, size.width, size.height) {
            guard let viewport = scene.viewport.part(strip) else { return nil }
            parts.append((viewport, strip.x, strip.y))
        }
        var canvas = Canvas(size: size)
        canvas.copy(pixels, atX: shift.x, y: shift.y)
        for part in parts { canvas.copy(paint(part.viewport), atX: part.x, y: part.y) }
        let hasShapes = scene.layers.contains {
            $0.nodes.contains { !$0.featureSteps.isEmpty || !$0.pointSteps.isEmpty }
        }
        return PaintedLayers(
            scene: scene, images: images, pixels: canvas.buffer, hasSeams: hasSeams || hasShapes, anchor: anchor)
    }

    /// Returns the number of layers of another scene, from the lowest, that are unchanged: the same features, and no
    /// image received since.
    func unchangedCount(in other: Scene, images: [Resource.ID: PixelBuffer]) -> Int {
        guard scene.background == other.background, scene.sphere == other.sphere, shift(to: other.viewport) != nil
        else {
            return 0
        }
        var count = zip(scene.layers, other.layers).prefix { before, after in
            before.name == after.name && before.opacity == after.opacity && before.group == after.group
                && before.transparentColor == after.transparentColor && looksTheSame(before.nodes, after.nodes, images)
        }.count
        // Layers of a group with an opacity are composited together.
        while count > 0, count < other.layers.count, let group = other.layers[count].group,
            group.name == other.layers[count - 1].group?.name
        {
            count -= 1
        }
        return count
    }

    /// Returns the offset to another view in picture pixels, right and down, or `nil` if it is not a whole number of
    /// pixels or the views do not overlap.
    private func shift(to new: Viewport) -> (x: Int, y: Int)? {
        let old = scene.viewport, ratio = new.pixelRatio
        guard old.resolution == new.resolution, old.rotation == new.rotation, old.size == new.size,
            old.pixelRatio == ratio, ratio == ratio.rounded(), old.crs == new.crs
        else { return nil }
        let (x, y) = new.way(to: old.center), far = new.way(to: anchor)
        guard abs(x) < Double(new.size.width), abs(y) < Double(new.size.height), abs(far.x - far.x.rounded()) < 1e-4,
            abs(far.y - far.y.rounded()) < 1e-4
        else { return nil }
        return (Int(x.rounded() * ratio), Int(y.rounded() * ratio))
    }

    /// Returns the strips of a view that the previous view did not show: beside it, and above or below it.
    static func strips(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [Strip] {
        var strips: [Strip] = []
        if x != 0 { strips.append(Strip(x: x > 0 ? 0 : width + x, y: 0, width: abs(x), height: height)) }
        if y != 0 {
            strips.append(
                Strip(x: max(x, 0), y: y > 0 ? 0 : height + y, width: width - abs(x), height: abs(y)))
        }
        return strips
    }

    /// A part of a picture in picture pixels.
    struct Strip: Equatable {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
    }

    private func looksTheSame(
        _ before: [Scene.Node], _ after: [Scene.Node], _ images: [Resource.ID: PixelBuffer]
    ) -> Bool {
        guard before.count == after.count else { return false }
        return zip(before, after).allSatisfy { pair in
            switch pair {
            case (.features(let before), .features(let after)):
                before.contentID == after.contentID && before.content.source.selection == after.content.source.selection
                    && before.selectionMarkSize == after.selectionMarkSize
                    && before.selectionMarkColor == after.selectionMarkColor
                    && hasSameIcons(before.icons + after.icons, images)
            case (.points(let before), .points(let after)): before.looksTheSame(as: after)
            case (.mosaic(let before), .mosaic(let after)): looksTheSame(before, after, images)
            case (.group(let before, let nodes), .group(let after, let others)):
                before == after && looksTheSame(nodes, others, images)
            default: false
            }
        }
    }

    private func hasSameIcons(_ addresses: [NamedURL], _ images: [Resource.ID: PixelBuffer]) -> Bool {
        guard !addresses.isEmpty else { return true }
        func icons(_ images: [Resource.ID: PixelBuffer]) -> [NamedURL: PixelBuffer] {
            var icons: [NamedURL: PixelBuffer] = [:]
            for (id, image) in images { if case .icon(let address) = id.item { icons[address] = image } }
            return icons
        }
        let before = icons(self.images), after = icons(images)
        return addresses.allSatisfy { before[$0] == after[$0] }
    }

    /// Returns whether two mosaics show the same content for the same ground.
    ///
    /// The identity of a tile determines its ground; other images must be identical.
    private func looksTheSame(_ before: Mosaic, _ after: Mosaic, _ images: [Resource.ID: PixelBuffer]) -> Bool {
        guard before.crs == after.crs, before.resolutionX == after.resolutionX, before.resolutionY == after.resolutionY
        else { return false }
        guard let old = byPlace(before), let new = byPlace(after) else { return false }
        for (place, image) in old {
            guard let now = new[place] else {
                guard case .tile = place.item else { return false }
                continue
            }
            guard image.resource == now.resource, image.crop == now.crop, image.size == now.size,
                self.images[image.resource] == images[now.resource]
            else { return false }
        }
        return new.keys.allSatisfy { place in
            if case .tile = place.item { true } else { old[place] != nil }
        }
    }

    /// Returns the images of a mosaic by the resources they represent, or `nil` if one is shown twice.
    private func byPlace(_ mosaic: Mosaic) -> [Resource.ID: Mosaic.Placement]? {
        var places: [Resource.ID: Mosaic.Placement] = [:]
        for image in mosaic.images where places.updateValue(image, forKey: image.standsIn ?? image.resource) != nil {
            return nil
        }
        return places
    }
}

extension Viewport {
    /// Returns a part of the view as a separate view, or `nil` if it does not consist of whole view pixels.
    func part(_ strip: PaintedLayers.Strip) -> Viewport? {
        let ratio = Int(pixelRatio)
        guard [strip.x, strip.y, strip.width, strip.height].allSatisfy({ $0 % ratio == 0 }),
            let size = ImageSize(width: strip.width / ratio, height: strip.height / ratio)
        else { return nil }
        let middle = Point(
            x: Double(strip.x / ratio) + Double(size.width) / 2, y: Double(strip.y / ratio) + Double(size.height) / 2)
        return try? Viewport(
            center: coordinate(at: middle), resolution: resolution, rotation: rotation, size: size,
            pixelRatio: pixelRatio, crs: crs)
    }
}
