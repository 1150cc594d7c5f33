import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanText
import PortolanWeb

/// The styles of a step's features in picture pixels, computed once for a picture.
struct PixelStyles: Sendable {
    /// A line, and the distance from the picture within which it may be visible.
    final class Stroke: Sendable {
        /// The strokes drawn over one another: one for a sharp line, several for a blurred one.
        let strokes: [(style: StrokeStyle, color: MapColor)]
        /// The decoration that replaces a colour, or `nil`.
        let ornament: LineOrnament?
        /// Whether the appearance depends on the line's beginning, which may be outside the picture.
        let isDashed: Bool
        let reach: Rectangle
        /// The offsets at which the line, or each of two parallel lines, is drawn; empty for the original position.
        let offsets: [Double]

        init(_ symbol: LineSymbol, width: Double, color: MapColor, _ viewport: Viewport) {
            let style = symbol.strokeStyle(scale: viewport.pixelRatio, width: width)
            if symbol.blur > 0 {
                strokes = Fading.line(color, width: style.width, blur: symbol.blur * viewport.pixelRatio).map { step in
                    var narrow = style
                    narrow.width = step.width
                    return (narrow, step.color)
                }
            } else {
                strokes = [(style, color)]
            }
            ornament = LineOrnament(symbol, style, pixelRatio: viewport.pixelRatio)
            isDashed = !symbol.dashes.isEmpty || ornament != nil
            let half = (symbol.gapWidth + width) / 2
            let offsets =
                symbol.gapWidth > 0
                ? [symbol.offset - half, symbol.offset + half] : symbol.offset == 0 ? [] : [symbol.offset]
            self.offsets = offsets.map { $0 * viewport.pixelRatio }
            // A mitre can extend up to four widths, or up to the stated limit.
            let beside = 2 * (offsets.map(\.magnitude).max() ?? 0)
            reach = Rectangle(
                viewport.imageSize, margin: (max(4, symbol.miterLimit) * width + beside) * viewport.pixelRatio + 2)
        }
    }

    /// A mark with a prepared outline.
    enum Marker: Sendable {
        case shape(Mark)
        case icon(IconMarker)
    }

    /// The style of a feature.
    struct Look: Sendable {
        let fill: MapColor?
        let fillRule: Path.FillRule
        /// The repeated picture that replaces the colour, or `nil`.
        let pattern: PatternSheet?
        let stroke: Stroke?
        let casing: Stroke?
        /// The mark, unless it is drawn with the label.
        fileprivate(set) var marker: Marker?
        let symbol: MarkerSymbol?
        /// The positions of marks on lines and areas.
        let shapeMarks: Style.ShapeMarks
        let label: SharedLabel?
        /// The colour that multiplies the picture at a point, or `nil`.
        let tint: MapColor?

        init(
            _ style: Style, _ label: SharedLabel?, _ viewport: Viewport, _ markers: MarkerPainter,
            _ prepared: PreparedMarks?
        ) {
            fill = style.fill?.color
            fillRule =
                switch style.fill?.edges {
                case .sharp: .evenOddSharp
                // If an area is transparent, so is its border.
                case .joined where style.fill?.color.alpha == 255: .evenOddJoined
                default: .evenOdd
                }
            pattern = style.fill?.pattern.flatMap { PatternSheet($0, viewport) }
            stroke = style.stroke.map { Stroke($0, width: $0.width, color: $0.color, viewport) }
            casing = style.stroke.flatMap { line in
                line.casing.map { Stroke(line, width: $0.width, color: $0.color, viewport) }
            }
            symbol = style.marker
            shapeMarks = style.shapeMarks
            self.label = label
            var tint: MapColor?
            marker = (label?.holdsMark ?? false ? nil : style.marker).map { marker -> Marker in
                switch marker {
                case .shape(let shape):
                    return .shape(
                        prepared?.mark(of: shape, pixelRatio: viewport.pixelRatio) { markers.mark(shape) }
                            ?? markers.mark(shape))
                case .icon(var icon):
                    // A fetched picture is tinted once for all positions.
                    if icon.picture == nil {
                        tint = icon.tint
                        icon.tint = nil
                    }
                    return .icon(icon)
                }
            }
            self.tint = tint
        }
    }

    /// The number of positions from which the mark of a style is prepared.
    private static let manyPlaces = 1000

    /// The visible styles.
    private(set) var all: [Look]
    let markers: MarkerPainter
    /// The mark that replaces missing icons, or `nil` if there are no icons.
    let standIn: Mark?
    private let numbers: [Int32]
    private let images: [PixelBuffer?]
    /// Tinted pictures, by icon index and style index.
    private let tinted: [TintedIcon: PixelBuffer]

    private struct TintedIcon: Hashable {
        let icon: Int32
        let look: Int32
    }

    /// The largest number of bytes of tinted pictures; further ones remain untinted.
    private static let tintedByteLimit = 64 << 20

    init(_ step: Scene.FeatureStep, viewport: Viewport, images: [NamedURL: PixelBuffer]) {
        let table = step.content.looks, prepared = step.content.source.preparedMarks
        markers = MarkerPainter(pixelRatio: viewport.pixelRatio)
        self.images = step.icons.map { images[$0] }
        var all: [Look] = []
        var known = [Int32](repeating: -1, count: 2 * table.styles.count), numbers: [Int32] = []
        var labels = SharedLabels()
        numbers.reserveCapacity(step.shown.count)
        var tinted: [TintedIcon: PixelBuffer] = [:], tintedByteCount = 0
        for shown in step.shown {
            let number = Int(shown.look), key = 2 * number + (shown.isSelected ? 1 : 0)
            if known[key] < 0 {
                known[key] = Int32(all.count)
                var style = table.styles[number].style(selected: shown.isSelected)
                if shown.isSelected { style.label?.declutters = false }
                let label = style.label.map { labels.label($0, step.glyphs) }
                all.append(Look(style, label, viewport, markers, prepared))
            }
            numbers.append(known[key])
            let icon = TintedIcon(icon: shown.icon, look: known[key])
            if shown.icon >= 0, let tint = all[Int(icon.look)].tint, tinted[icon] == nil,
                let image = self.images[Int(shown.icon)],
                tintedByteCount + image.byteCount <= Self.tintedByteLimit
            {
                tinted[icon] = image.multiplied(by: tint)
                tintedByteCount += image.byteCount
            }
        }
        let hasIcons = all.contains { if case .icon? = $0.marker { true } else { false } }
        if hasIcons, case .shape(let shape) = MarkerPainter.standIn {
            standIn = markers.mark(shape)
        } else {
            standIn = nil
        }
        self.tinted = tinted
        self.all = all
        self.numbers = numbers
    }

    /// The distinct labels of a picture.
    ///
    /// They are first distinguished by a few properties, since they are large values.
    private struct SharedLabels {
        private struct Key: Hashable {
            let template: String
            let size: Double
            let color: MapColor
        }

        private var known: [Key: [SharedLabel]] = [:]

        /// - Parameter glyphs: the glyph ranges, the same for all labels.
        mutating func label(_ symbol: LabelSymbol, _ glyphs: GlyphRanges?) -> SharedLabel {
            let key = Key(template: symbol.template, size: symbol.size, color: symbol.color)
            if let label = known[key]?.first(where: { $0.symbol == symbol }) { return label }
            let label = SharedLabel(symbol, glyphs)
            known[key, default: []].append(label)
            return label
        }
    }

    /// Returns the styles with prepared marks for those that many features use.
    func withPreparedMarks(for shapes: FeatureShapes) -> PixelStyles {
        var looks = self, counts = [Int](repeating: 0, count: all.count)
        for (number, size) in zip(numbers, shapes.sizes) { counts[Int(number)] += max(Int(size.points), 1) }
        for number in all.indices where counts[number] >= Self.manyPlaces {
            if case .shape(let mark)? = all[number].marker { looks.all[number].marker = .shape(mark.prepared()) }
        }
        return looks
    }

    /// Returns the style index of a visible feature.
    func number(ofFeature index: Int) -> Int { Int(numbers[index]) }

    /// Returns the image of an icon, or `nil` if it is missing.
    func image(ofIcon number: Int32) -> PixelBuffer? { number < 0 ? nil : images[Int(number)] }

    /// Returns the mark of a style with the pixels of its icon, or the one that replaces missing icons; `nil` without a
    /// mark.
    func resolvedMark(_ look: Int, icon number: Int32) -> MarkerSymbol? {
        guard let symbol = all[look].symbol, case .icon(var icon) = symbol, icon.picture == nil else {
            return all[look].symbol
        }
        guard let pixels = image(ofIcon: number, look: look) else { return MarkerPainter.standIn }
        icon.source = .picture(IconMarker.Source.Picture(name: "", pixels: pixels))
        icon.tint = nil
        return .icon(icon)
    }

    /// Returns the image of an icon in the colours of a style, or `nil` if it is missing.
    func image(ofIcon number: Int32, look: Int) -> PixelBuffer? {
        guard all[look].tint != nil else { return image(ofIcon: number) }
        return tinted[TintedIcon(icon: number, look: Int32(look))] ?? image(ofIcon: number)
    }
}

/// A label style, shared by all equal labels of a layer because the value is large.
final class SharedLabel: Sendable {
    let symbol: LabelSymbol
    let template: LabelTemplate
    let priority: LabelTemplate?
    /// The glyph ranges for characters that no font has, or `nil`.
    let glyphs: GlyphRanges?

    init(_ symbol: LabelSymbol, _ glyphs: GlyphRanges? = nil) {
        self.symbol = symbol
        self.glyphs = glyphs
        template = LabelTemplate(symbol)
        priority = symbol.priorityTemplate.map { LabelTemplate($0) }
    }

    /// Whether the mark of a point is drawn with its label, or not at all.
    var holdsMark: Bool { symbol.declutters && symbol.placement == .free && symbol.collision == nil }

    /// Whether some of its labels have priorities.
    var hasPriority: Bool { priority != nil || symbol.priority != 0 }

    /// Returns the priority of a feature's label; NaN counts as 0.
    func priority(of properties: Properties) -> Double {
        let priority =
            properties["labelPriority"]?.doubleValue ?? self.priority?.number(for: properties) ?? symbol.priority
        return priority.isNaN ? 0 : priority
    }
}
