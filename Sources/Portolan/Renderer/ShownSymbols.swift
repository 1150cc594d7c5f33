import PortolanPaint
import PortolanPlan
import PortolanRaster

/// The texts and icons of styles that a picture of a view shows.
///
/// Which of them get a place depends on all others: who points at one asks the picture, and not the style.
struct ShownSymbols: Sendable {
    private let viewport: Viewport?
    private let symbols: [PlacedSymbol]

    /// None.
    init() {
        viewport = nil
        symbols = []
    }

    /// Those of a picture, the topmost last.
    init(viewport: Viewport, symbols: [PlacedSymbol]) {
        self.viewport = viewport
        self.symbols = symbols
    }

    /// The symbols of a layer at a view pixel, the topmost first; none where the picture showed another view.
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
