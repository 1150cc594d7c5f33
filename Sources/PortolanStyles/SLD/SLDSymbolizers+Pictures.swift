import PortolanFeatures
import PortolanRaster

/// Pictures that fill areas, follow lines or mark points (OGC 02-070, clause 11.3; OGC 05-077r4, clause 11.3).
extension SLDSymbolizers {
    /// Returns the name of the picture that fills areas, or `nil` if none can be drawn.
    ///
    /// - Parameters:
    ///   - margin: the option for the free space around each repetition: on all sides, vertical and horizontal, top,
    ///     horizontal and bottom, or clockwise from the top.
    ///   - height: the least total height of vertical repetitions.
    mutating func picture(filling element: SLDElement, margin: SLDElement? = nil, atLeast height: Double = 0) -> String?
    {
        guard let graphic = element.child("Graphic") else {
            note("GraphicFill", element)
            return nil
        }
        var sides: [Double] = []
        if let margin {
            sides = margin.text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            if !(1...4).contains(sides.count) || !sides.allSatisfy({ (0...1_024).contains($0) }) {
                note("VendorOption 'graphic-margin'", margin)
                sides = []
            }
        }
        return picture(graphic, gap: 0, margin: StyleGraphic.Margin(sides), atLeast: height)?.name
    }

    /// The rotation of a picture.
    ///
    /// Along a line, only half turns keep its height.
    private mutating func turn(_ rotation: Double, _ graphic: SLDElement, isAlong: Bool) -> Double {
        guard isAlong, rotation.remainder(dividingBy: 180) != 0 else { return rotation.remainder(dividingBy: 360) }
        if let element = graphic.child("Rotation") { note("Rotation of an image along a line", element) }
        return 0
    }

    /// The picture drawn along a line, and its height.
    ///
    /// Free space between two pictures is a gap or a dash.
    mutating func picture(along element: SLDElement, _ stroke: SLDElement) -> (name: String, height: Double)? {
        guard let graphic = element.child("Graphic") else {
            note("GraphicStroke", element)
            return nil
        }
        if let gap = element.child("InitialGap"), Double(gap.text) != 0 { note("InitialGap", gap) }
        let dashes = parameter("stroke-dasharray", in: stroke)?.text.split { $0 == "," || $0.isWhitespace } ?? []
        let gap = element.child("Gap").flatMap { Double($0.text) } ?? (dashes.count == 2 ? Double(dashes[1]) : nil) ?? 0
        guard let picture = picture(graphic, gap: min(max(gap, 0), 4_096), isAlong: true) else { return nil }
        guard let height = picture.height else {
            note("GraphicStroke of an image without Size", graphic)
            return nil
        }
        return (picture.name, height)
    }

    /// A picture with a size that does not depend on features.
    mutating func picture(
        _ graphic: SLDElement, gap: Double, isAlong: Bool = false, margin: StyleGraphic.Margin? = nil,
        atLeast height: Double = 0
    ) -> StyleGraphic? {
        let choice: SLDGraphic.Choice
        do throws(SLDFault) { choice = try SLDGraphic.choice(of: graphic) } catch {
            faults.append(error)
            return nil
        }
        let size = number(graphic.child("Size")), rotation = number(graphic.child("Rotation"))
        if let element = graphic.child("Size"), size?.doubleValue == nil {
            note("Size that depends on features", element)
        }
        if let element = graphic.child("Rotation"), let rotation, rotation.doubleValue == nil {
            note("Rotation that depends on features", element)
        }
        let turn = rotation?.doubleValue ?? 0
        var made: StyleGraphic
        switch choice {
        case .picture(let address):
            made = StyleGraphic(
                .picture(address: address), height: size?.doubleValue.map(Self.bounded), gap: gap,
                turn: self.turn(turn, graphic, isAlong: isAlong))
        case .glyph(let glyph):
            note("mark of a font in a fill or along a line", glyph.element)
            return nil
        case .mark(let element):
            let fill = element.child("Fill"), stroke = element.child("Stroke"), isPlain = fill == nil && stroke == nil
            let shape = GraphicMark.Shape(named: element.child("WellKnownName")?.text ?? "square") ?? .square
            let mark = GraphicMark(
                shape: shape,
                fill: fill == nil && !isPlain ? nil : constant("fill", "#808080", in: fill),
                stroke: stroke == nil && !isPlain ? nil : constant("stroke", "#000000", in: stroke),
                strokeWidth: min(max(number("stroke-width", in: stroke)?.doubleValue ?? 1, 0), 256), rotation: turn)
            made = StyleGraphic(.mark(mark), height: Self.bounded(size?.doubleValue ?? 6), gap: gap)
        }
        made = made.surrounded(by: margin)
        if let own = made.height, height > own { made = made.stacked(Int(min((height / own).rounded(.up), 64))) }
        if !graphics.contains(made) { graphics.append(made) }
        return made
    }

    private static func bounded(_ size: Double) -> Double { min(max(size, 1), 1_024) }

    /// A colour with its opacity that is the same for all features.
    private mutating func constant(_ name: String, _ standard: String, in element: SLDElement?) -> MapColor? {
        let color = color(name, in: element) ?? .string(standard)
        guard let text = color.stringValue, let plain = MapColor(css: text) else {
            if let element { note("\(name) that depends on features", element) }
            return MapColor(css: standard)
        }
        let opacity = number("\(name)-opacity", in: element)?.doubleValue ?? 1
        return plain.withOpacity(min(max(opacity, 0), 1))
    }

    /// The layer of a mark at points, drawn as a picture of the same size.
    mutating func icon(of graphic: SLDElement, _ element: SLDElement) -> [Layer] {
        guard let made = picture(graphic, gap: 0) else { return [] }
        var layer = icon(made.name, graphic, size: nil, of: element)
        // The picture itself is already rotated.
        layer.layout["icon-rotate"] = PropertyValue?.none
        return [layer]
    }

    /// The layer of pictures at points.
    ///
    /// Their size is a height, for which the height of the picture must be known unless it is stated.
    mutating func icon(
        _ address: String, _ graphic: SLDElement, of element: SLDElement
    ) -> [Layer] {
        let size = number(graphic.child("Size"))
        // One pixel high, so that any size is a scale factor.
        let made = StyleGraphic(.picture(address: address), height: size == nil ? nil : 1)
        if !graphics.contains(made) { graphics.append(made) }
        return [icon(made.name, graphic, size: size, of: element)]
    }

    private mutating func icon(
        _ name: String, _ graphic: SLDElement, size: PropertyValue?, of element: SLDElement
    ) -> Layer {
        var layer = Layer(type: "symbol")
        layer.layout["icon-image"] = .string(name)
        layer.layout["icon-allow-overlap"] = true
        layer.layout["icon-ignore-placement"] = true
        layer.layout["icon-size"] = size.map { scaled($0, by: element.attribute("uom")) }
        layer.layout["icon-rotate"] = number(graphic.child("Rotation"))
        layer.paint["icon-opacity"] = number(graphic.child("Opacity"))
        if let offset = offset(graphic.child("Displacement")) {
            let factor = size == nil ? 1 : size?.doubleValue ?? 0
            if factor > 0 { layer.layout["icon-offset"] = .array(offset.map { .number($0 / factor) }) }
        }
        if let anchor = graphic.child("AnchorPoint") { layer.layout["icon-anchor"] = .string(self.anchor(anchor)) }
        return layer
    }
}
