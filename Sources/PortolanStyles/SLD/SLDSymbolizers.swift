import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// Converts the symbolizers of a rule to style layers (OGC 02-070, clause 11; OGC 05-077r4, clause 11).
struct SLDSymbolizers {
    /// A layer without the members that its rule determines.
    struct Layer {
        let type: String
        var layout: Properties = [:]
        var paint: Properties = [:]
        var traits = SymbolizerTraits()

        init(type: String) { self.type = type }
    }

    /// The unsupported content.
    var faults: [SLDFault] = []
    /// The number of missing parts, each of which would be a layer.
    private(set) var lostPartCount = 0
    /// The pictures that layers draw by name.
    var graphics: [StyleGraphic] = []

    /// The layers of a symbolizer, the lowest first; empty if it is not drawn.
    mutating func layers(of element: SLDElement) -> [Layer] {
        guard !SLDContentModel.isForLegends(element) else { return [] }
        faults = SLDContentModel.faults(in: element)
        var geometry: [GeometryChange]
        do throws(SLDFault) { geometry = try SLDContentModel.geometry(of: element) } catch {
            faults.append(error)
            lose(since: 0)
            return []
        }
        var layers: [Layer]
        switch element.name {
        case "LineSymbolizer": layers = line(element)
        case "PolygonSymbolizer": layers = polygon(element)
        case "PointSymbolizer": layers = point(element)
        case "TextSymbolizer": layers = text(element)
        default:
            note(element.name, element)
            layers = []
        }
        // If a symbolizer is not drawn, all its faults count as losses.
        if layers.isEmpty, !faults.isEmpty {
            lostPartCount = 0
            lose(since: 0)
        }
        // The directions refer to the feature's own geometry.
        if layers.contains(where: { $0.layout.usesAngles || $0.paint.usesAngles }) { geometry.insert(.angles, at: 0) }
        for index in layers.indices { layers[index].traits.geometry = geometry }
        if !layers.isEmpty, let words = geometry.lazy.compactMap(\.remark).first, let place = element.child("Geometry")
        {
            faults.append(SLDFault(words, place, .drawn))
        }
        return layers
    }

    mutating func note(_ what: String, _ element: SLDElement, _ effect: SLDFault.Effect = .ignored) {
        faults.append(SLDFault(what, element, effect))
        if effect == .loss { lostPartCount += 1 }
    }

    /// Records that a part is missing because of the faults after the first `count`.
    mutating func lose(since count: Int) {
        for index in faults.indices.dropFirst(count) { faults[index].effect = .loss }
        lostPartCount += 1
    }

    /// Reads a value.
    ///
    /// An invalid one is recorded and replaced by the default.
    private mutating func value(_ element: SLDElement?) -> PropertyValue? {
        guard let element else { return nil }
        do throws(SLDFault) { return try SLDExpression.parameter(element) } catch {
            faults.append(error)
            return nil
        }
    }

    mutating func number(_ element: SLDElement?) -> PropertyValue? {
        guard let value = value(element) else { return nil }
        guard value.arrayValue != nil || value.doubleValue != nil else {
            if let element { note("\(element.name) '\(element.text.prefix(40))'", element) }
            return nil
        }
        // Operators that produce numbers.
        let operators: Set<PropertyValue> = ["step", "interpolate", "+", "-", "*", "/", "max", "min"]
        if let first = value.arrayValue?.first, operators.contains(first) { return value }
        return SLDExpression.numeric(value, otherwise: 0)
    }

    /// A parameter of a `Fill`, `Stroke` or `Font` by name.
    func parameter(_ name: String, in element: SLDElement?) -> SLDElement? {
        element?.children.first {
            ($0.name == "SvgParameter" || $0.name == "CssParameter") && $0.attribute("name") == name
        }
    }

    mutating func number(_ name: String, in element: SLDElement?) -> PropertyValue? {
        number(parameter(name, in: element))
    }

    /// A colour.
    ///
    /// A colour computed for each feature remains a text until evaluation.
    mutating func color(_ name: String, in element: SLDElement?) -> PropertyValue? {
        guard let value = value(parameter(name, in: element)) else { return nil }
        let first = value.arrayValue?.first
        return first == "get" || first == "concat" || first == "case" ? ["to-color", value] : value
    }

    /// A length in pixels.
    ///
    /// A length on the ground grows with the zoom (OGC 05-077r4, clause 10.2).
    func scaled(_ length: PropertyValue, by unit: String?) -> PropertyValue {
        let meters: Double? =
            switch unit {
            case "http://www.opengeospatial.org/se/units/metre": 1
            case "http://www.opengeospatial.org/se/units/foot": 0.3048
            default: nil
            }
        guard let meters else { return length }
        func pixels(_ zoom: Double) -> PropertyValue {
            let factor = meters / SLDReader.metersPerPixel * Libm.power(2, zoom)
            if let number = length.doubleValue { return .number(number * factor) }
            return ["*", length, .number(factor)]
        }
        return ["interpolate", ["exponential", 2], ["zoom"], 0, pixels(0), 24, pixels(24)]
    }

    // MARK: Lines and areas

    private mutating func stroke(_ stroke: SLDElement, of element: SLDElement, isArea: Bool) -> Layer? {
        var layer = Layer(type: "line")
        let unit = element.attribute("uom"), width = number("stroke-width", in: stroke)
        var picture: (name: String, height: Double)?
        if let graphic = stroke.child("GraphicFill") {
            let count = faults.count, own = width?.doubleValue ?? 1
            // The picture is repeated along the line, and across it up to the line width.
            guard let name = self.picture(filling: graphic, atLeast: own) else {
                lose(since: count)
                return nil
            }
            picture = (name, own)
            if let dashes = parameter("stroke-dasharray", in: stroke) { note("stroke-dasharray of an image", dashes) }
            if width != nil, width?.doubleValue == nil { note("stroke-width that depends on features", stroke) }
        } else if let graphic = stroke.child("GraphicStroke") {
            let count = faults.count
            picture = self.picture(along: graphic, stroke)
            // A plain line would not be a valid substitute.
            guard picture != nil else {
                lose(since: count)
                return nil
            }
        }
        if let picture {
            layer.paint["line-pattern"] = .string(picture.name)
            layer.paint["line-width"] = scaled(.number(picture.height), by: unit)
        } else {
            layer.paint["line-color"] = color("stroke", in: stroke) ?? "#000000"
            layer.paint["line-width"] = scaled(width ?? 1, by: unit)
        }
        layer.paint["line-opacity"] = number("stroke-opacity", in: stroke)
        let joins: [String: PropertyValue] = ["mitre": "miter", "miter": "miter", "round": "round", "bevel": "bevel"]
        if let join = parameter("stroke-linejoin", in: stroke), !join.text.isEmpty {
            layer.layout["line-join"] = joins[join.text]
            if joins[join.text] == nil { note("stroke-linejoin '\(join.text.prefix(40))'", join) }
        }
        if let cap = parameter("stroke-linecap", in: stroke), !cap.text.isEmpty {
            if ["butt", "round", "square"].contains(cap.text) {
                layer.layout["line-cap"] = .string(cap.text)
            } else {
                note("stroke-linecap '\(cap.text.prefix(40))'", cap)
            }
        }
        if picture == nil, let dashes = parameter("stroke-dasharray", in: stroke) {
            layer.paint["line-dasharray"] = self.dashes(dashes, width, parameter("stroke-dashoffset", in: stroke))
        } else if let offset = parameter("stroke-dashoffset", in: stroke), Double(offset.text) != 0, picture != nil {
            note("stroke-dashoffset", offset)
        }
        if let offset = element.child("PerpendicularOffset"), let distance = number(offset) {
            // MapLibre offsets to the left of a line and outside an area are opposite to those of GeoServer.
            let turned: PropertyValue = distance.doubleValue.map { .number(-$0) } ?? ["-", distance]
            layer.paint["line-offset"] = scaled(turned, by: unit)
        }
        return layer
    }

    /// Dashes in multiples of the line width, which must be known.
    ///
    /// An offset inside the pattern begins with the rest of a dash or gap.
    private mutating func dashes(
        _ element: SLDElement, _ width: PropertyValue?, _ start: SLDElement?
    ) -> PropertyValue? {
        let words = element.text.split { $0 == " " || $0 == "," || $0.isWhitespace }
        var lengths = words.compactMap { Double($0) }
        let width = width == nil ? 1 : width?.doubleValue
        guard let width, width > 0, element.children.isEmpty, lengths.count == words.count, !lengths.isEmpty else {
            note("stroke-dasharray '\(element.text.prefix(40))'", element)
            return nil
        }
        if let start, let offset = Double(start.text), offset != 0 {
            if lengths.count % 2 == 1 { lengths += lengths }
            let sum = lengths.reduce(0, +)
            guard offset.isFinite, sum > 0, sum.isFinite, lengths.allSatisfy({ $0 >= 0 }) else {
                note("stroke-dashoffset", start)
                return .array(lengths.map { .number($0 / width) })
            }
            var rest = offset - (offset / sum).rounded(.down) * sum, index = 0
            while index < lengths.count - 1, rest >= lengths[index] {
                rest -= lengths[index]
                index += 1
            }
            // A list begins with a dash, so an empty dash is inserted before a gap or the rest of one.
            let turned = lengths[index...].dropFirst() + lengths[..<index]
            lengths =
                index % 2 == 0
                ? [lengths[index] - rest] + turned + [rest, 0] : [0, lengths[index] - rest] + turned + [rest]
        }
        return .array(lengths.map { .number($0 / width) })
    }

    private mutating func line(_ element: SLDElement) -> [Layer] {
        guard let stroke = element.child("Stroke") else { return [] }
        return [self.stroke(stroke, of: element, isArea: false)].compactMap(\.self)
    }

    private mutating func polygon(_ element: SLDElement) -> [Layer] {
        var layers: [Layer] = []
        if let fill = element.child("Fill") {
            if let graphic = fill.child("GraphicFill") {
                let margin = element.vendorOption("graphic-margin")
                let count = faults.count, name = picture(filling: graphic, margin: margin)
                if name == nil { lose(since: count) }
                if let name {
                    var layer = Layer(type: "fill")
                    layer.paint["fill-pattern"] = .string(name)
                    layer.paint["fill-opacity"] = number(graphic.child("Graphic")?.child("Opacity"))
                    layers.append(layer)
                }
            } else {
                var layer = Layer(type: "fill")
                layer.paint["fill-color"] = color("fill", in: fill) ?? "#808080"
                layer.paint["fill-opacity"] = number("fill-opacity", in: fill)
                layers.append(layer)
            }
        }
        if let displacement = element.child("Displacement") { note("Displacement", displacement) }
        if let stroke = element.child("Stroke"), var border = self.stroke(stroke, of: element, isArea: true) {
            // Only the borders of areas, without lines.
            border.layout["line-join"] = border.layout["line-join"] ?? "miter"
            layers.append(border)
        }
        return layers
    }

    // MARK: Marks

    private static let marks: [String: String] = [
        "circle": "circle", "square": "square", "triangle": "triangle", "star": "star", "cross": "cross", "x": "x",
        "shape://times": "x", "shape://plus": "cross", "shape://dot": "circle",
    ]
    /// The size of a shape that needs no sprite, in pixels.
    private static let shapeSize = 12.0

    private mutating func point(_ element: SLDElement) -> [Layer] {
        guard let graphic = element.child("Graphic") else { return [] }
        let choice: SLDGraphic.Choice
        do throws(SLDFault) { choice = try SLDGraphic.choice(of: graphic) } catch {
            faults.append(error)
            return []
        }
        if case .picture(let address) = choice { return icon(address, graphic, of: element) }
        if case .glyph(let glyph) = choice { return [text(of: glyph, graphic, element)] }
        var first: SLDElement?
        if case .mark(let mark) = choice, mark.name == "Mark" { first = mark }
        let word = first?.child("WellKnownName")?.text ?? "square"
        guard let shape = Self.marks[word] else {
            // Shapes that consist of strokes are pictures.
            if GraphicMark.Shape(named: word) != nil { return icon(of: graphic, element) }
            note("mark '\(word.prefix(60))'", first ?? element)
            return []
        }
        let size = number(graphic.child("Size")) ?? 6
        let opacity = number(graphic.child("Opacity"))
        let fill = first?.child("Fill"), stroke = first?.child("Stroke")
        let isPlain = first?.child("Fill") == nil && first?.child("Stroke") == nil
        // A plain nil would be a JSON null.
        let fillColor = fill == nil && !isPlain ? PropertyValue?.none : color("fill", in: fill) ?? "#808080"
        let fillOpacity = combined(opacity, number("fill-opacity", in: fill))
        let strokeColor = stroke == nil ? PropertyValue?.none : color("stroke", in: stroke) ?? "#000000"
        let strokeOpacity = combined(opacity, number("stroke-opacity", in: stroke))
        let width = number("stroke-width", in: stroke) ?? 1
        let unit = element.attribute("uom")
        let isMoved = graphic.child("Displacement") != nil || graphic.child("AnchorPoint") != nil
        if shape == "circle", !isMoved {
            var layer = Layer(type: "circle")
            layer.paint["circle-color"] = fillColor ?? "rgba(0,0,0,0)"
            layer.paint["circle-opacity"] = fillOpacity
            var radius: PropertyValue = size.doubleValue.map { .number($0 / 2) } ?? ["/", size, 2]
            if let strokeColor {
                layer.paint["circle-stroke-color"] = strokeColor
                layer.paint["circle-stroke-width"] = scaled(width, by: unit)
                layer.paint["circle-stroke-opacity"] = strokeOpacity
                // Half of the border is inside the shape here, but outside in a circle layer.
                if let r = radius.doubleValue, let w = width.doubleValue {
                    radius = .number(max(r - w / 2, 0))
                } else {
                    radius = ["max", 0, ["-", radius, ["/", width, 2]]]
                }
            }
            layer.paint["circle-radius"] = scaled(radius, by: unit)
            return [layer]
        }
        var layer = Layer(type: "symbol")
        layer.layout["icon-image"] = .string(shape)
        layer.layout["icon-allow-overlap"] = true
        layer.layout["icon-ignore-placement"] = true
        // Half of the border is inside the shape here, but outside in a circle layer.
        let border = strokeColor == nil ? 0 : width.doubleValue ?? 0
        layer.layout["icon-size"] = scaled(
            size.doubleValue.map { .number(max($0 - border, 0.1) / Self.shapeSize) }
                ?? ["/", size, .number(Self.shapeSize)], by: unit)
        layer.layout["icon-rotate"] = number(graphic.child("Rotation"))
        if let offset = offset(graphic.child("Displacement")), let size = size.doubleValue, size > 0 {
            layer.layout["icon-offset"] = .array(
                offset.map { .number($0 * Self.shapeSize / max(size - border, 0.1)) })
        }
        if let anchor = graphic.child("AnchorPoint") { layer.layout["icon-anchor"] = .string(self.anchor(anchor)) }
        layer.paint["icon-color"] = faded(fillColor, fillOpacity, graphic) ?? "rgba(0,0,0,0)"
        if let strokeColor {
            layer.paint["icon-halo-color"] = faded(strokeColor, strokeOpacity, graphic)
            layer.paint["icon-halo-width"] = scaled(width, by: unit)
        }
        return [layer]
    }

    private func combined(_ one: PropertyValue?, _ other: PropertyValue?) -> PropertyValue? {
        guard let one, let other else { return one ?? other }
        if let first = one.doubleValue, let second = other.doubleValue { return .number(first * second) }
        return ["*", one, other]
    }

    /// A colour with an opacity applied.
    mutating func faded(
        _ color: PropertyValue?, _ opacity: PropertyValue?, _ element: SLDElement
    ) -> PropertyValue? {
        guard let color, let opacity else { return color }
        guard let share = opacity.doubleValue, let text = color.stringValue, let plain = MapColor(css: text) else {
            note("opacity that depends on features", element)
            return color
        }
        let alpha = Double(plain.alpha) / 255 * min(max(share, 0), 1)
        return .string("rgba(\(plain.red),\(plain.green),\(plain.blue),\(alpha))")
    }

    /// A displacement in pixels to the right and down.
    mutating func offset(_ element: SLDElement?) -> [Double]? {
        guard let element else { return nil }
        guard let x = number(element.child("DisplacementX") ?? element)?.doubleValue,
            let y = number(element.child("DisplacementY") ?? element)?.doubleValue
        else {
            note("Displacement", element)
            return nil
        }
        return [x, -y]
    }

    /// The anchor keyword for the position of a box at the point.
    mutating func anchor(_ element: SLDElement) -> String {
        let x = number(element.child("AnchorPointX"))?.doubleValue ?? 0.5
        let y = number(element.child("AnchorPointY"))?.doubleValue ?? 0.5
        let across = x < 0.25 ? "left" : x > 0.75 ? "right" : ""
        let up = y < 0.25 ? "bottom" : y > 0.75 ? "top" : ""
        return [up, across].filter { !$0.isEmpty }.joined(separator: "-").isEmpty
            ? "center" : [up, across].filter { !$0.isEmpty }.joined(separator: "-")
    }
}

extension Properties {
    /// Whether any value depends on the direction of a line end.
    fileprivate var usesAngles: Bool { contains { $0.value.usesAngles } }
}

extension PropertyValue {
    fileprivate var usesAngles: Bool {
        guard let items = arrayValue else { return false }
        if items.count == 2, items[0] == "get" {
            return [GeometryChange.startAngle, GeometryChange.endAngle].contains(items[1].stringValue)
        }
        return items.contains(where: \.usesAngles)
    }
}
