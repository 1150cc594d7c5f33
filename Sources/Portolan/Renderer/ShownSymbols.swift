import PortolanPaint
import PortolanPlan
import PortolanRaster

/// The style labels and icons in the picture of a view.
///
/// The placement of each depends on all others. Therefore hit tests use the picture, and not the style.
struct ShownSymbols: Sendable {
    let viewport: Viewport?
    private let symbols: [PlacedSymbol]

    /// Creates an empty set.
    init() {
        viewport = nil
        symbols = []
    }

    /// Creates the set of a picture, the topmost symbol last.
    init(viewport: Viewport, symbols: [PlacedSymbol]) {
        self.viewport = viewport
        self.symbols = symbols
    }

    /// Returns the symbols of a layer at a view pixel, the topmost first; empty if the picture showed another view.
    func symbols(of layer: String, at pixel: Point, in viewport: Viewport, tolerance: Double) -> [PlacedSymbol] {
        guard viewport == self.viewport else { return [] }
        let ratio = viewport.pixelRatio, reach = tolerance * ratio
        let x = pixel.x * ratio, y = pixel.y * ratio
        return symbols.reversed().filter { symbol in
            symbol.layer == layer
                && symbol.boxes.contains { box in
                    x >= box.minX - reach && x <= box.maxX + reach && y >= box.minY - reach && y <= box.maxY + reach
                }
        }
    }
}
