import PortolanRaster
import PortolanText

extension PaintTarget {
    /// Paints a line of text without a halo, in whole pixels, which keep the stems of small letters alike.
    mutating func draw(_ line: TextLine, x: Double, baseline: Double, color: MapColor) {
        draw(line.shaped(by: .translation(x: x.rounded(), y: baseline.rounded())), color: color, halo: nil)
    }
}
