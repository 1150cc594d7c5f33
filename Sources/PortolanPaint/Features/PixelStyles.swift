import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanWeb

/// The looks of a step's features in picture pixels, worked out once for a picture.
struct PixelStyles: Sendable {
    /// A line, and how near to the picture its middle may be seen.
    final class Stroke: Sendable {
        /// What is drawn one over the other: a sharp line once, one whose edges fade out as several.
        let strokes: [(style: StrokeStyle, color: MapColor)]
        /// What is drawn in place of a colour, or `nil` for nothing.
        let ornament: LineOrnament?
        /// Whether the line counts from its beginning, which may be out of sight.
        let isDashed: Bool
        let reach: Rectangle
        /// How far beside its place the line is drawn, or each of the two lines; none where it is drawn in its place.
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
            // A mitre may reach four widths far, or as far as it is told.
            let beside = 2 * (offsets.map(\.magnitude).max() ?? 0)
            reach = Rectangle(
                viewport.imageSize, margin: (max(4, symbol.miterLimit) * width + beside) * viewport.pixelRatio + 2)
        }
    }

    /// A mark whose outline has been made.
    enum Marker: Sendable {
        case shape(Mark)
        case icon(IconMarker)
    }

    /// What is drawn of a feature.
    struct Look: Sendable {
        let fill: MapColor?
        let fillRule: Path.FillRule
        /// The picture that is repeated in place of the colour.
        let pattern: PatternSheet?
        let stroke: Stroke?
        let casing: Stroke?
        fileprivate(set) var marker: Marker?
        let symbol: MarkerSymbol?
        /// Where the mark stands of lines and areas.
        let shapeMarks: Style.ShapeMarks
        let label: SharedLabel?
        /// The colour by which the picture at a point is multiplied.
        let tint: MapColor?

        init(
            _ style: Style, _ label: SharedLabel?, _ viewport: Viewport, _ markers: MarkerPainter,
            _ prepared: PreparedMarks?
        ) {
            fill = style.fill?.color
            fillRule =
                switch style.fill?.edges {
                case .sharp: .evenOddSharp
                // Where what lies beneath shows through an area, it shows through its border as well.
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
            marker = style.marker.map { marker -> Marker in
                switch marker {
                case .shape(let shape):
                    return .shape(
                        prepared?.mark(of: shape, pixelRatio: viewport.pixelRatio) { markers.mark(shape) }
                            ?? markers.mark(shape))
                case .icon(var icon):
                    // A picture that is fetched is tinted once for all places.
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

    /// From so many places on, a look's mark is made beforehand.
    private static let manyPlaces = 1000

    /// The looks that are seen.
    private(set) var all: [Look]
    let markers: MarkerPainter
    /// What is drawn for icons that are missing.
    let standIn: Mark?
    private let numbers: [Int32]
    private let images: [PixelBuffer?]
    /// Pictures in other colours, by their number and that of the look.
    private let tinted: [TintedIcon: PixelBuffer]

    private struct TintedIcon: Hashable {
        let icon: Int32
        let look: Int32
    }

    /// The most bytes of pictures in other colours; beyond them pictures keep their own.
    private static let tintedByteLimit = 64 << 20

    init(_ step: Scene.FeatureStep, viewport: Viewport, images: [NamedURL: PixelBuffer]) {
        let table = step.content.looks, prepared = step.content.source.preparedMarks
        markers = MarkerPainter(pixelRatio: viewport.pixelRatio)
        self.images = step.icons.map { images[$0] }
        if case .shape(let shape) = MarkerPainter.standIn { standIn = markers.mark(shape) } else { standIn = nil }
        var all: [Look] = []
        var known = [Int32](repeating: -1, count: 2 * table.styles.count), numbers: [Int32] = []
        var labels = SharedLabels()
        numbers.reserveCapacity(step.shown.count)
        var tinted: [TintedIcon: PixelBuffer] = [:], tintedByteCount = 0
        for shown in step.shown {
            let number = Int(shown.look), key = 2 * number + (shown.isSelected ? 1 : 0)
            if known[key] < 0 {
                known[key] = Int32(all.count)
                let style = table.styles[number].style(selected: shown.isSelected)
                let label = style.label.map { labels.label($0) }
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
        self.tinted = tinted
        self.all = all
        self.numbers = numbers
    }

    /// The labels of a picture, each once.
    ///
    /// They are told apart by little of them at first: as values they are large.
    private struct SharedLabels {
        private struct Key: Hashable {
            let template: String
            let size: Double
            let color: MapColor
        }

        private var known: [Key: [SharedLabel]] = [:]

        mutating func label(_ symbol: LabelSymbol) -> SharedLabel {
            let key = Key(template: symbol.template, size: symbol.size, color: symbol.color)
            if let label = known[key]?.first(where: { $0.symbol == symbol }) { return label }
            let label = SharedLabel(symbol)
            known[key, default: []].append(label)
            return label
        }
    }

    /// The same with the marks of looks that stand at many places prepared.
    func withPreparedMarks(for shapes: FeatureShapes) -> PixelStyles {
        var looks = self, counts = [Int](repeating: 0, count: all.count)
        for (number, size) in zip(numbers, shapes.sizes) { counts[Int(number)] += max(Int(size.points), 1) }
        for number in all.indices where counts[number] >= Self.manyPlaces {
            if case .shape(let mark)? = all[number].marker { looks.all[number].marker = .shape(mark.prepared()) }
        }
        return looks
    }

    /// The number of the look of a shown feature.
    func number(ofFeature index: Int) -> Int { Int(numbers[index]) }

    /// The image of an icon, or `nil` when it is missing.
    func image(ofIcon number: Int32) -> PixelBuffer? { number < 0 ? nil : images[Int(number)] }

    /// The image of an icon in the colours of a look, or `nil` when it is missing.
    func image(ofIcon number: Int32, look: Int) -> PixelBuffer? {
        guard all[look].tint != nil else { return image(ofIcon: number) }
        return tinted[TintedIcon(icon: number, look: Int32(look))] ?? image(ofIcon: number)
    }
}

/// How labels are drawn, shared by all of a layer that look alike: as a value it is large.
final class SharedLabel: Sendable {
    let symbol: LabelSymbol
    let template: LabelTemplate
    let priority: LabelTemplate?

    init(_ symbol: LabelSymbol) {
        self.symbol = symbol
        template = LabelTemplate(symbol)
        priority = symbol.priorityTemplate.map { LabelTemplate($0) }
    }

    /// Whether something says which of its labels matter more.
    var hasPriority: Bool { priority != nil || symbol.priority != 0 }

    /// The priority of a feature's label; what is no number counts as 0.
    func priority(of properties: Properties) -> Double {
        let priority =
            properties["labelPriority"]?.doubleValue ?? self.priority?.number(for: properties) ?? symbol.priority
        return priority.isNaN ? 0 : priority
    }
}
