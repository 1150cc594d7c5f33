import PortolanPlan
import PortolanRaster
import Synchronization

/// The layers of the last picture, so that only changes are rendered again: the newly visible area of a dragged view,
/// or the layers from the first changed one upwards.
struct RetainedPicture: Sendable {
    /// All layers.
    let whole: PaintedLayers
    /// The layers below the first changed one; those above may soon change again.
    private let base: PaintedLayers?

    /// Renders scenes.
    struct Painter {
        /// Returns the pixels of a scene's layers over those below them.
        let paint: (Scene, PixelBuffer?) -> PixelBuffer
        /// Returns the scene of a part of the view, given as a separate view.
        let part: (Viewport) -> Scene
    }

    /// Renders the parts that are not available from an earlier picture.
    ///
    /// - Complexity: O(copied pixels), and the cost of rendering the rest.
    init(_ scene: Scene, images: [Resource.ID: PixelBuffer], after last: RetainedPicture?, by painter: Painter) {
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
    /// Returns the scene with some of its layers only.
    fileprivate func cut(to places: Range<Int>) -> Scene {
        var scene = self
        scene.layers = Array(layers[places.clamped(to: layers.indices)])
        return scene
    }
}

/// Keeps the last picture of a map between renders.
package final class PictureKeeper: Sendable {
    private let last = Mutex<RetainedPicture?>(nil)

    /// Creates an empty keeper.
    package init() {}

    /// Returns the layers of a scene, of which only changes are rendered.
    func layers(
        of scene: Scene, images: [Resource.ID: PixelBuffer], by painter: RetainedPicture.Painter
    ) -> PaintedLayers {
        let earlier = last.withLock(\.self)
        let now = RetainedPicture(scene, images: images, after: earlier, by: painter)
        last.withLock { $0 = now }
        return now.whole
    }

    /// Removes the picture, so that the next one is rendered completely.
    func forget() { last.withLock { $0 = nil } }
}
