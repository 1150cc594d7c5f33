import PortolanFeatures

/// Texts (OGC 02-070, clause 11.4; OGC 05-077r4, clause 11.4).
extension SLDSymbolizers {
    /// The layer of a `TextSymbolizer`.
    mutating func text(_ element: SLDElement) -> [Layer] {
        guard let label = element.child("Label"), let words = words(label) else { return [] }
        var layer = Layer(type: "symbol")
        layer.layout["text-field"] = words
        let font = element.child("Font"), size = number("font-size", in: font) ?? 10
        layer.layout["text-size"] = size
        let weight = parameter("font-weight", in: font)?.text ?? "normal"
        var name = parameter("font-family", in: font)?.text ?? "sans-serif"
        if weight != "normal" { name += weight == "bolder" ? " bold" : " \(weight)" }
        switch parameter("font-style", in: font)?.text.lowercased() ?? "" {
        case "normal", "": break
        case "italic", "oblique": name += " italic"
        case let style: if let font { note("font-style '\(style.prefix(40))'", font) }
        }
        layer.layout["text-font"] = [.string(name)]
        let fill = element.child("Fill")
        layer.paint["text-color"] = color("fill", in: fill) ?? "#000000"
        layer.paint["text-opacity"] = number("fill-opacity", in: fill)
        if let halo = element.child("Halo") {
            let fill = halo.child("Fill"), color = color("fill", in: fill) ?? "#ffffff"
            layer.paint["text-halo-color"] = faded(color, number("fill-opacity", in: fill), halo)
            layer.paint["text-halo-width"] = number(halo.child("Radius")) ?? 1
        }
        // Texts are only broken where the style states it.
        layer.layout["text-max-width"] = 0
        let placement = element.child("LabelPlacement")
        if let line = placement?.child("LinePlacement") {
            layer.layout["symbol-placement"] = "line-center"
            // Positive offsets are upward in reading direction.
            if let offset = line.child("PerpendicularOffset"), let distance = number(offset) {
                if let distance = distance.doubleValue, let size = size.doubleValue, size > 0 {
                    layer.layout["text-offset"] = [0, .number(-distance / size)]
                } else {
                    note("PerpendicularOffset", offset)
                }
            }
            readRepetition(line, into: &layer)
        } else if let point = placement?.child("PointPlacement") {
            // By default, a text begins at the point and is vertically centred.
            layer.layout["text-anchor"] = .string(point.child("AnchorPoint").map { anchor($0) } ?? "left")
            layer.layout["text-rotate"] = number(point.child("Rotation"))
            if let offset = offset(point.child("Displacement")) {
                if let size = size.doubleValue, size > 0 {
                    layer.layout["text-offset"] = .array(offset.map { .number($0 / size) })
                } else if offset != [0, 0] {
                    note("Displacement of a text whose size depends on features", point)
                }
            }
        }
        if let priority = number(element.child("Priority")) {
            layer.layout["symbol-sort-key"] = priority.doubleValue.map { .number(-$0) } ?? ["-", priority]
        }
        if let unit = element.attribute("uom"), unit != SLDReader.pixelUnit { note("uom of a TextSymbolizer", element) }
        let hasShield = element.child("Graphic") != nil
        for option in element.children("VendorOption") { read(option, size, hasShield: hasShield, into: &layer) }
        if let graphic = element.child("Graphic") { addShield(graphic, of: element, to: &layer) }
        return [layer]
    }

    /// Reads the repetition of a text along a line (OGC 05-077r4, clause 11.4.4).
    private mutating func readRepetition(_ line: SLDElement, into layer: inout Layer) {
        func isTrue(_ element: SLDElement?) -> Bool { ["true", "1"].contains(element?.text) }
        if isTrue(line.child("IsRepeated")) {
            layer.layout["symbol-placement"] = "line"
            layer.layout["symbol-spacing"] = number(line.child("Gap")) ?? 0
            layer.traits.repeatsByGap = true
        } else if let gap = line.child("Gap") {
            note("Gap of a text that is not repeated", gap)
        }
        if let aligned = line.child("IsAligned"), !isTrue(aligned) {
            layer.layout["text-rotation-alignment"] = "viewport"
        }
        if let generalized = line.child("GeneralizeLine"), isTrue(generalized) { note("GeneralizeLine", generalized) }
    }

    /// Adds a picture or mark behind a text, which GeoServer optionally fits to the text.
    private mutating func addShield(_ graphic: SLDElement, of element: SLDElement, to layer: inout Layer) {
        let count = faults.count
        // Along a line, texts and pictures are placed independently.
        guard layer.layout["symbol-placement"] == nil, let made = picture(graphic, gap: 0) else {
            if faults.count == count { note("Graphic of a text along a line", graphic) }
            return lose(since: count)
        }
        layer.layout["icon-image"] = .string(made.name)
        if let resize = element.vendorOption("graphic-resize")?.text, resize == "stretch" || resize == "proportional" {
            layer.layout["icon-text-fit"] = "both"
            let sides = element.vendorOption("graphic-margin")?.text.split(whereSeparator: \.isWhitespace).compactMap {
                Double($0)
            }
            if let sides, let margin = StyleGraphic.Margin(sides) {
                layer.layout["icon-text-fit-padding"] = [
                    .number(margin.top), .number(margin.right), .number(margin.bottom), .number(margin.left),
                ]
            }
        }
        // The text and its picture are only drawn together.
        for key in ["icon-optional", "text-optional"] { layer.layout[key] = false }
    }

    /// The layer of marks that are font letters, at the size of the mark.
    mutating func text(of glyph: SLDGraphic.Glyph, _ graphic: SLDElement, _ element: SLDElement) -> Layer {
        var layer = Layer(type: "symbol")
        let size = number(graphic.child("Size")) ?? 16
        layer.layout["text-field"] = .string(glyph.letter)
        layer.layout["text-font"] = [.string(glyph.family)]
        layer.layout["text-size"] = scaled(size, by: element.attribute("uom"))
        layer.layout["text-rotate"] = number(graphic.child("Rotation"))
        for key in ["text-allow-overlap", "text-ignore-placement"] { layer.layout[key] = true }
        if let offset = offset(graphic.child("Displacement")), let size = size.doubleValue, size > 0 {
            layer.layout["text-offset"] = .array(offset.map { .number($0 / size) })
        }
        if let anchor = graphic.child("AnchorPoint") { layer.layout["text-anchor"] = .string(self.anchor(anchor)) }
        let fill = glyph.element.child("Fill")
        let inside = color("fill", in: fill) ?? "#808080"
        layer.paint["text-color"] = faded(inside, number("fill-opacity", in: fill), fill ?? graphic)
        layer.paint["text-opacity"] = number(graphic.child("Opacity"))
        if let stroke = glyph.element.child("Stroke") {
            let color = color("stroke", in: stroke) ?? "#000000"
            layer.paint["text-halo-color"] = faded(color, number("stroke-opacity", in: stroke), stroke)
            layer.paint["text-halo-width"] = number("stroke-width", in: stroke) ?? 1
        }
        return layer
    }

    /// The text of a label: its texts and properties, joined in order.
    private mutating func words(_ label: SLDElement) -> PropertyValue? {
        var items: [PropertyValue] = ["concat"]
        for part in label.parts {
            switch part {
            case .text(let text):
                let words = SLDElement.trimmed(text)
                if !words.isEmpty { items.append(.string(words)) }
            case .verbatim(let text): items.append(.string(text))
            case .element(let element):
                do throws(SLDFault) { items.append(try SLDExpression.text(element)) } catch {
                    faults.append(error)
                    return nil
                }
            }
        }
        return items.count > 1 ? .array(items) : nil
    }

    private mutating func read(
        _ option: SLDElement, _ size: PropertyValue, hasShield: Bool, into layer: inout Layer
    ) {
        let name = option.attribute("name") ?? "", number = Double(option.text)
        let isOnLine = layer.layout["symbol-placement"] != nil, size = size.doubleValue.flatMap { $0 > 0 ? $0 : nil }
        switch (name, number) {
        case ("repeat", let number?) where number > 0 && isOnLine:
            layer.layout["symbol-placement"] = "line"
            layer.layout["symbol-spacing"] = .number(number)
        // Touching lines with the same text are joined, and have one label.
        case ("group", _):
            guard option.text == "yes" || option.text == "true" else { break }
            guard isOnLine else { return note("grouping of point labels", option) }
            layer.layout["symbol-placement"] = "line"
            layer.layout["symbol-spacing"] = layer.layout["symbol-spacing"] ?? 1_000_000
        case ("spaceAround", let number?): layer.layout["text-padding"] = .number(max(number, 0))
        case ("autoWrap", let number?) where size != nil && !isOnLine:
            layer.layout["text-max-width"] = .number(number / (size ?? 1))
        case ("maxAngleDelta", let number?) where isOnLine: layer.layout["text-max-angle"] = .number(number)
        case ("charSpacing", let number?) where size != nil:
            layer.layout["text-letter-spacing"] = .number(number / (size ?? 1))
        case ("conflictResolution", _) where ["true", "false"].contains(option.text):
            layer.layout["text-allow-overlap"] = .bool(option.text == "false")
        // Texts on lines follow them, or are placed at their middle.
        case ("followLine", _) where isOnLine && ["true", "false"].contains(option.text):
            if option.text == "false" { layer.layout["text-rotation-alignment"] = "viewport" }
        case ("forceLeftToRight", _) where isOnLine && ["true", "false"].contains(option.text):
            layer.layout["text-keep-upright"] = .bool(option.text == "true")
            if option.text == "false" { remark("labels of lines that run to the left are upside down", option) }
        case ("partials", _) where ["true", "false"].contains(option.text):
            layer.traits.mayBeCut = option.text == "true"
            if option.text == "true" { remark("labels may be cut at the border of the picture", option) }
        case ("maxDisplacement", let number?) where number >= 0 && !isOnLine && layer.layout["text-offset"] == nil:
            guard number > 0 else { break }
            displace(&layer)
            remark("a label may be moved to eight positions around its point, at any distance", option)
        case ("inclusion", _) where ["normal", "mapOnly"].contains(option.text): break
        // These options are read together with the picture.
        case ("graphic-resize", _) where hasShield && ["none", "stretch", "proportional"].contains(option.text): break
        case ("graphic-margin", _) where hasShield: break
        default: note(option.vendorOptionName, option)
        }
    }

    /// Records a remark about a supported option.
    private mutating func remark(_ words: String, _ option: SLDElement) {
        faults.append(SLDFault("\(option.vendorOptionName): \(words)", option, .drawn))
    }

    /// Allows a text at a point to move to other sides if its position is occupied.
    private func displace(_ layer: inout Layer) {
        let own = layer.layout["text-anchor"] ?? "center"
        let others: [PropertyValue] = [
            "left", "right", "bottom", "top", "bottom-left", "top-left", "bottom-right", "top-right",
        ]
        layer.layout["text-variable-anchor"] = .array([own] + others.filter { $0 != own })
    }
}
