package import PortolanPlan
package import PortolanRaster

/// The positions on a page in picture pixels: its size, and the map in it.
package struct PageLayout: Hashable, Sendable {
    /// The size of the page.
    package let size: ImageSize
    /// The column and row of the map's top left pixel.
    package let x: Int, y: Int
    /// The size of the map.
    package let map: ImageSize
    /// The paper, or `nil` for a picture without a physical size.
    package let paper: PaperSize?
    /// Picture pixels per inch.
    package let dotsPerInch: Double

    /// Lays out a page around a map.
    package init(_ page: PrintPage, around viewport: Viewport) {
        let ratio = viewport.pixelRatio, map = viewport.imageSize, (sides, bottom) = page.margins
        self.map = map
        dotsPerInch = 96 * ratio
        let grown = ImageSize(
            width: map.width + Int((2 * sides * ratio).rounded()),
            height: map.height + Int(((sides + bottom) * ratio).rounded()))
        let whole = page.paper?.pixels(dotsPerInch: dotsPerInch)
        // A map of another size than the paper has room for keeps its margins.
        let slack = Int(ratio) + 2
        let fits = whole.map { whole in
            grown.map { abs(whole.width - $0.width) <= slack && abs(whole.height - $0.height) <= slack } ?? false
        }
        paper = fits == true ? page.paper : nil
        let size = (fits == true ? whole : grown) ?? map
        self.size = size
        x = max((size.width - map.width) / 2, 0)
        let rest = Double(max(size.height - map.height, 0)), all = sides + bottom
        y = all > 0 ? Int((rest * sides / all).rounded()) : 0
    }

    /// The rectangle of the map on the page.
    package var mapBox: Rectangle {
        Rectangle(
            minX: Double(x), minY: Double(y), maxX: Double(x + map.width), maxY: Double(y + map.height))
    }

    /// The width and height of the page in points of 1/72 inch: exactly those of the paper, if there is one.
    package var points: (width: Double, height: Double) {
        guard let paper else {
            return (Double(size.width) * 72 / dotsPerInch, Double(size.height) * 72 / dotsPerInch)
        }
        return (paper.width / 25.4 * 72, paper.height / 25.4 * 72)
    }
}
