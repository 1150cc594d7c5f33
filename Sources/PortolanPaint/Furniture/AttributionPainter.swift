import PortolanRaster
import PortolanText
import PortolanWeb

/// Paints an attribution on a panel at the bottom right.
struct AttributionPainter {
    let text: String
    let fonts: FontBook
    let theme: Furniture.Theme
    let pixelRatio: Double

    private var size: Double { 11 * pixelRatio }
    private var padding: Double { 5 * pixelRatio }
    private var lineHeight: Double { 1.3 * size }

    /// Returns the box of the panel in picture pixels.
    func box(above foot: Double, width: Double) throws(TextError) -> Rectangle {
        try panel(above: foot, width: width).box
    }

    private func panel(
        above foot: Double, width fullWidth: Double
    ) throws(TextError) -> (lines: [TextLine], box: Rectangle) {
        let available = max(fullWidth * 0.75 - 2 * padding, size)
        let room = Int(max((foot - 1.2 * padding) / lineHeight, 1))
        let lines = try fonts.wrap(
            FurniturePainter.shortened(text), request: FontRequest(), size: size, maximumWidth: available
        ).prefix(room)
        let width = (lines.map(\.advance).max() ?? 0) + 2 * padding
        let height = Double(lines.count) * lineHeight + 1.2 * padding
        return (
            Array(lines), Rectangle(minX: fullWidth - width, minY: foot - height, maxX: fullWidth, maxY: foot)
        )
    }

    func paint(above foot: Double, width: Double, on canvas: inout some PaintTarget) throws(TextError) {
        let (lines, box) = try panel(above: foot, width: width)
        canvas.fill(
            .rectangle(
                x: box.minX.rounded(), y: box.minY.rounded(), width: box.width.rounded(.up),
                height: box.height.rounded(.up)), color: theme.panel)
        for (number, line) in lines.enumerated() {
            let baseline = box.minY + padding * 0.6 + lineHeight * Double(number) + size
            canvas.draw(line, x: width - padding - line.advance, baseline: baseline, color: theme.ink)
        }
    }

    /// Returns the areas of the text that lead to pages, in picture pixels.
    ///
    /// A link that is on two lines has two areas.
    func areas(
        of links: [AttributionLink], above foot: Double, width: Double
    ) throws(TextError) -> [(box: Rectangle, address: String)] {
        guard !links.isEmpty else { return [] }
        let (lines, box) = try panel(above: foot, width: width), whole = FurniturePainter.shortened(text)
        var found: [(box: Rectangle, address: String)] = [], start = whole.startIndex, taken: Set<String> = []
        let links = links.filter { taken.insert($0.text).inserted }
        for (number, line) in lines.enumerated() {
            guard let own = whole[start...].firstRange(of: line.text) else { continue }
            start = own.upperBound
            let left = width - padding - line.advance, top = box.minY + padding * 0.6 + lineHeight * Double(number)
            for link in links {
                guard let range = whole.firstRange(of: link.text)?.clamped(to: own), !range.isEmpty else { continue }
                func advance(_ part: Substring) throws(TextError) -> Double {
                    try fonts.shape(String(part), request: FontRequest(), size: size).advance
                }
                let from = left + (try advance(whole[own.lowerBound..<range.lowerBound]))
                let to = from + (try advance(whole[range]))
                found.append((Rectangle(minX: from, minY: top, maxX: to, maxY: top + lineHeight), link.address))
            }
        }
        return found
    }
}
