import PortolanFeatures
import PortolanRaster
import PortolanText

/// Draws the text of a feature at its place; labels may lie over each other.
struct LabelPainter {
    /// From this weight on a text is set in bold.
    private static let boldWeight = 600

    let fonts: FontBook
    /// Picture pixels a pixel of the style.
    let pixelRatio: Double

    /// Draws `text`, line by line where it has several.
    func paint(_ label: LabelSymbol, text: String, at point: Point, on canvas: inout Canvas) throws(TextError) {
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        let request = FontRequest(
            families: families(label.family), weight: label.weight >= Self.boldWeight ? .bold : .regular)
        let size = min(label.size * pixelRatio, fonts.limits.size)
        guard size > 0 else { return }
        var lines: [TextLine] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).prefix(16) {
            lines.append(try fonts.shape(String(line.unicodeScalars.prefix(512)), request: request, size: size))
        }
        let lineHeight = 1.25 * size, height = lineHeight * Double(lines.count)
        let top =
            switch label.verticalAlignment {
            case .top: 0.0
            case .middle: -height / 2
            case .bottom: -height
            }
        var path = Path()
        for (number, line) in lines.enumerated() {
            let left =
                switch label.horizontalAlignment {
                case .left: 0.0
                case .center: -line.advance / 2
                case .right: -line.advance
                }
            // The middle of the small letters, rather than of the line, is what the eye centres on.
            let baseline = top + lineHeight * (Double(number) + 0.5) + 0.35 * size
            path.append(
                line.outline.transformed(
                    by: .translation(
                        x: (point.x + label.offsetX * pixelRatio + left).rounded(),
                        y: (point.y + label.offsetY * pixelRatio + baseline).rounded())))
        }
        if let outline = label.outline {
            canvas.stroke(
                path, style: StrokeStyle(width: 2 * outline.width * pixelRatio, join: .round), color: outline.color)
        }
        canvas.fill(path, color: label.color)
    }

    private func families(_ names: String?) -> [String] {
        let wanted = (names ?? "").split(separator: ",").map { name in
            String(name.drop { $0 == " " || $0 == "'" || $0 == "\"" }.prefix { $0 != "'" && $0 != "\"" })
        }
        return wanted + ["sans-serif"]
    }
}
