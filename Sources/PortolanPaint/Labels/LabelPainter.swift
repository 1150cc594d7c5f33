import PortolanFeatures
import PortolanRaster
import PortolanText

/// Draws placed labels.
struct LabelPainter {
    /// Picture pixels per style pixel.
    let pixelRatio: Double
    let fonts: FontBook
    /// Whether the target has pixels.
    ///
    /// Upright texts are then drawn from glyph masks.
    let usesMasks: Bool

    /// Draws a label: first the box behind it, then its halo, then the letters.
    func paint(_ label: PlacedLabel, on canvas: inout some PaintTarget) {
        let symbol = label.symbol
        guard let set = label.text, let pose = label.pose else { return }
        if let leader = label.leader { paint(leader, of: symbol, on: &canvas) }
        if let background = symbol.background { paint(background, of: set, pose, on: &canvas) }
        var halo = symbol.outline.map { ShapedText.Halo(width: 2 * $0.width * pixelRatio, color: $0.color) }
        if let outline = symbol.outline, outline.blur > 0 {
            paintFading(outline, of: set, pose, on: &canvas)
            halo = nil
        }
        if let halo, halo.color.alpha == 255, symbol.anchoring == nil, symbol.collision == nil {
            paintGaps(of: set, pose, halo, on: &canvas)
        }
        if usesMasks, case .upright(let origins, turn: nil) = pose, set.pieces.allSatisfy(\.isEmpty),
            let mask = fonts.mask(of: set.lines, at: origins, haloWidth: halo?.width ?? 0)
        {
            var text = ShapedText(outline: Path(), text: "", runs: [], font: ShapedText.Font(families: [], size: 0))
            text.mask = mask
            return canvas.draw(text, color: symbol.color, halo: halo)
        }
        guard var text = shaped(set, pose) else { return }
        if set.pieces.contains(where: { !$0.isEmpty }) {
            let pieces = shapedPieces(set, pose)
            // All halos are below the letters of every piece. Images have no halo.
            if let halo {
                let hasPictures = set.pieces.contains { $0.contains(where: \.isPicture) }
                for var whole in hasPictures ? pieces.map(\.0) : [text] where !whole.outline.isEmpty {
                    whole.colorGlyphs = []
                    // Documents take the text from the pieces.
                    (whole.text, whole.runs, whole.lines) = ("", [], [])
                    canvas.draw(whole, color: halo.color, halo: halo)
                }
            }
            for (piece, color) in pieces {
                canvas.draw(piece, color: color ?? symbol.color, halo: nil)
            }
            return
        }
        if let width = halo?.width, let pieces = self.halo(of: set, pose, width: width) {
            text.halo = PlacedHalo(width: width, pieces: pieces)
        }
        canvas.draw(text, color: symbol.color, halo: halo)
    }

    /// Draws the leader line in the colour of the letters, with their halo.
    private func paint(_ leader: LabelLeader, of symbol: LabelSymbol, on canvas: inout some PaintTarget) {
        let path = Path.polyline([leader.start, leader.end]), dot = 1.5 * pixelRatio
        func paint(_ color: MapColor, grownBy margin: Double) {
            canvas.stroke(path, style: StrokeStyle(width: (0.8 + 2 * margin) * pixelRatio), color: color)
            guard leader.hasDot else { return }
            canvas.fill(.circle(center: leader.start, radius: dot + margin * pixelRatio), color: color)
        }
        if let outline = symbol.outline { paint(outline.color, grownBy: min(outline.width, 1)) }
        paint(symbol.color, grownBy: 0)
    }

    /// Covers the line between the words of a text along a line.
    ///
    /// Other gaps show no line.
    private func paintGaps(
        of set: LabelText, _ pose: LabelPose, _ halo: ShapedText.Halo, on canvas: inout some PaintTarget
    ) {
        guard let line = set.lines.first, set.lines.count == 1 else { return }
        let place: (Int) -> AffineTransform
        switch pose {
        case .upright: return
        case .turned(let transform): place = { _ in transform }
        case .bent(let transforms):
            guard transforms.count == line.clusters.count else { return }
            place = { transforms[$0] }
        }
        // As high as lower-case letters with their halo, around the line through their middle.
        let style = StrokeStyle(width: 0.5 * set.size + halo.width, cap: .butt), middle = -0.35 * set.size
        let colored = line.coloredClusters
        for (number, cluster) in line.clusters.enumerated().dropFirst().dropLast()
        where cluster.elements.isEmpty && !colored.contains(number) {
            let transform = place(number)
            let ends = [cluster.x, cluster.x + cluster.advance].map { transform(Point(x: $0, y: middle)) }
            canvas.stroke(.polyline(ends), style: style, color: halo.color)
        }
    }

    /// Draws a blurred halo as strokes over one another.
    private func paintFading(
        _ outline: LabelSymbol.Outline, of set: LabelText, _ pose: LabelPose, on canvas: inout some PaintTarget
    ) {
        guard var text = shaped(set, pose) else { return }
        text.colorGlyphs = []
        let width = 2 * (outline.width + outline.blur) * pixelRatio
        for step in Fading.line(outline.color, width: width, blur: 2 * outline.blur * pixelRatio) where step.width > 0 {
            let pieces = set.pieces.allSatisfy(\.isEmpty) ? halo(of: set, pose, width: step.width) : nil
            text.halo = pieces.map { PlacedHalo(width: step.width, pieces: $0) }
            canvas.draw(text, color: .clear, halo: ShapedText.Halo(width: step.width, color: step.color))
        }
    }

    /// The outline of the halo, or `nil` if it is derived from the letters.
    private func halo(
        of text: LabelText, _ pose: LabelPose, width: Double
    ) -> [(outline: StrokedOutline, transform: AffineTransform)]? {
        guard let first = text.lines.first else { return nil }
        switch pose {
        case .upright(let origins, let turn):
            var pieces: [(outline: StrokedOutline, transform: AffineTransform)] = []
            for (line, origin) in zip(text.lines, origins) {
                let transform = Self.place(of: origin, turn)
                guard let own = fonts.halo(of: line, width: width, movedBy: { _ in transform }) else { return nil }
                pieces += own
            }
            return pieces
        case .turned(let transform): return fonts.halo(of: first, width: width) { _ in transform }
        case .bent(let transforms):
            guard transforms.count == first.clusters.count else { return nil }
            return fonts.halo(of: first, width: width) { transforms[$0] }
        }
    }

    /// The transform of a line whose baseline begins at a point.
    private static func place(of origin: Point, _ turn: AffineTransform?) -> AffineTransform {
        let shift = AffineTransform.translation(x: origin.x, y: origin.y)
        return turn.map { shift.then($0) } ?? shift
    }

    private func paint(
        _ background: LabelSymbol.Background, of text: LabelText, _ pose: LabelPose, on canvas: inout some PaintTarget
    ) {
        let color = background.color
        switch pose {
        case .upright(let origins, let turn):
            guard let box = text.plate(at: origins) else { return }
            func plate(grown reach: Double) -> Path {
                let radius = background.cornerRadius * pixelRatio
                let plate = MarkerOutline.roundedBox(
                    box.grown(by: reach), radius: radius > 0 ? radius + reach : 0)
                return turn.map { plate.transformed(by: $0) } ?? plate
            }
            if let border = background.border {
                canvas.fill(plate(grown: border.width * pixelRatio), color: border.color)
            }
            canvas.fill(plate(grown: 0), color: color)
        case .turned(let transform):
            guard let box = text.plate(of: 0) else { return }
            let path = Path.rectangle(x: box.minX, y: box.minY, width: box.width, height: box.height)
            canvas.fill(path.transformed(by: transform), color: color)
        case .bent(let transforms):
            guard let box = text.plate(of: 0), let line = text.lines.first else { return }
            // A band along the middle of the letters, as wide as the box is high.
            let middle = (box.minY + box.maxY) / 2
            var band: [Point] = []
            for (cluster, transform) in zip(line.clusters, transforms) {
                if band.isEmpty { band.append(transform(Point(x: box.minX, y: middle))) }
                band.append(transform(Point(x: cluster.x + cluster.advance / 2, y: middle)))
            }
            if let last = transforms.last { band.append(last(Point(x: box.maxX, y: middle))) }
            canvas.stroke(.polyline(band), style: StrokeStyle(width: box.height, join: .round), color: color)
        }
    }

    /// The positioned letters, or `nil` if there are none.
    private func shaped(_ text: LabelText, _ pose: LabelPose) -> ShapedText? {
        guard let first = text.lines.first else { return nil }
        switch pose {
        case .upright(let origins, let turn):
            let lines = zip(text.lines, origins).map { line, origin in
                line.shaped(by: Self.place(of: origin, turn))
            }
            var outline = Path()
            for line in lines { outline.append(line.outline) }
            var shaped = ShapedText(
                outline: outline, text: lines.map(\.text).joined(separator: "\n"), runs: lines.flatMap(\.runs),
                font: first.font, colorGlyphs: lines.flatMap(\.colorGlyphs))
            shaped.lines = lines.flatMap(\.lines)
            return shaped
        case .turned(let transform): return first.shaped(by: transform)
        case .bent(let transforms):
            var outline = Path()
            outline.append(
                zip(first.clusters, transforms).map { (elements: $0.elements, transform: $1) }, of: first.outline)
            var shaped = ShapedText(
                outline: outline, text: first.text, runs: Self.letters(of: first, transforms), font: first.font,
                colorGlyphs: first.colorGlyphs { transforms[$0] })
            shaped.lines = [first.placed(by: transforms)]
            return shaped
        }
    }

    /// The positioned letters of each piece, with its colour.
    private func shapedPieces(_ text: LabelText, _ pose: LabelPose) -> [(ShapedText, MapColor?)] {
        func moved(_ piece: TextSetter.Piece) -> AffineTransform { .translation(x: piece.x, y: 0) }
        switch pose {
        case .upright(let origins, let turn):
            return zip(text.pieces, origins).flatMap { pieces, origin in
                pieces.map { piece in
                    let shift = moved(piece).then(.translation(x: origin.x, y: origin.y))
                    return (piece.line.shaped(by: turn.map { shift.then($0) } ?? shift), piece.color)
                }
            }
        case .turned(let transform):
            return (text.pieces.first ?? []).map { ($0.line.shaped(by: moved($0).then(transform)), $0.color) }
        case .bent(let transforms):
            return (text.pieces.first ?? []).map { piece in
                let own = transforms[piece.clusters].map { moved(piece).then($0) }
                var outline = Path()
                outline.append(
                    zip(piece.line.clusters, own).map { (elements: $0.elements, transform: $1) }, of: piece.line.outline
                )
                var letters = ShapedText(
                    outline: outline, text: piece.line.text, runs: Self.letters(of: piece.line, own),
                    font: piece.line.font, colorGlyphs: piece.line.colorGlyphs { own[$0] })
                letters.lines = [piece.line.placed(by: own)]
                return (letters, piece.color)
            }
        }
    }

    /// The individual letters of a bent line, if each is a cluster of the line; empty otherwise.
    private static func letters(of line: TextLine, _ transforms: [AffineTransform]) -> [ShapedText.Run] {
        let scalars = Array(line.text.unicodeScalars)
        // In right-to-left scripts, clusters are ordered from the last letter to the first.
        guard scalars.count == line.clusters.count, !scalars.contains(where: { (0x590...0x8FF).contains($0.value) })
        else { return [] }
        return zip(zip(scalars, line.clusters), transforms).map { letter, transform in
            ShapedText.Run(
                text: String(letter.0), transform: AffineTransform.translation(x: letter.1.x, y: 0).then(transform),
                advance: letter.1.advance)
        }
    }
}

/// A placed label.
struct PlacedLabel {
    /// The text and the pose of its letters, or `nil` for an icon alone.
    let text: LabelText?
    let pose: LabelPose?
    let shared: SharedLabel
    var symbol: LabelSymbol { shared.symbol }
    let icon: PlacedIcon?
    /// The leader line, or `nil`.
    let leader: LabelLeader?
    /// The index of the layer whose opacity it has.
    let layer: Int
    /// The index of the feature in its source.
    let feature: Int32
    /// The boxes that it covers, in picture pixels.
    let boxes: [Rectangle]
}
