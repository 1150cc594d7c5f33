import PortolanPlan
import PortolanRaster
import Synchronization

/// The layers of the last picture, so that only what changed is painted again: what came into view of a picture that was
/// dragged, or the layers from the first one on that looks different.
struct RetainedPicture: Sendable {
    /// All layers.
    let whole: PaintedLayers
    /// The layers below the first one that changed last; those above may change again soon.
    private let base: PaintedLayers?

    /// What paints scenes.
    struct Painter {
        /// The pixels of a scene's layers, over those that are below them.
        let paint: (Scene, PixelBuffer?) -> PixelBuffer
        /// The scene of a part of the view, given as a view of its own.
        let part: (Viewport) -> Scene
    }

    /// Paints what cannot be had from an earlier picture.
    ///
    /// - Complexity: O(pixels that are copied), and what the painting of the rest costs.
    init(_ scene: Scene, images: [ResourceID: PixelBuffer], after last: RetainedPicture?, by painter: Painter) {
        if let moved = last?.whole.moved(to: scene, images: images, { painter.paint(painter.part($0), nil) }) {
            (whole, base) = (moved, last?.base)
            return
        }
        let count = last?.whole.unchangedCount(in: scene, images: images) ?? 0
        guard count > 0 else {
            base = nil
            whole = PaintedLayers(scene: scene, images: images, pixels: painter.paint(scene, nil))
            return
        }
        let below = scene.cut(to: 0..<count)
        let base =
            last?.base?.moved(to: below, images: images) { painter.paint(painter.part($0).cut(to: 0..<count), nil) }
            ?? PaintedLayers(scene: below, images: images, pixels: painter.paint(below, nil))
        let above = scene.cut(to: count..<scene.layers.count)
        self.base = base
        whole = PaintedLayers(
            scene: scene, images: images, pixels: painter.paint(above, base.pixels), hasSeams: base.hasSeams)
    }
}

extension Scene {
    /// The scene with some of its layers alone.
    fileprivate func cut(to places: Range<Int>) -> Scene {
        var scene = self
        scene.layers = Array(layers[places.clamped(to: layers.indices)])
        return scene
    }
}

/// Keeps the last picture of a map from one drawing to the next.
package final class PictureKeeper: Sendable {
    private let last = Mutex<RetainedPicture?>(nil)

    /// Makes one that has nothing.
    package init() {}

    /// The layers of a scene, of which only what changed is painted.
    func layers(
        of scene: Scene, images: [ResourceID: PixelBuffer], by painter: RetainedPicture.Painter
    ) -> PaintedLayers {
        let earlier = last.withLock(\.self)
        let now = RetainedPicture(scene, images: images, after: earlier, by: painter)
        last.withLock { $0 = now }
        return now.whole
    }

    /// Forgets the picture: the next one is painted as a whole.
    func forget() { last.withLock { $0 = nil } }
}
