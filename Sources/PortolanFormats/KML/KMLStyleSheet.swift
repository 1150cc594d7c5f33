import PortolanFeatures
import PortolanRaster
import PortolanWeb

/// The styles of a document during writing, without duplicates.
struct KMLStyleSheet {
    private var ids: [StyleSet: String] = [:]
    private let resolver = StyleResolver()

    /// Writes the style of a feature, unless it has been written.
    mutating func add(_ feature: Feature, to output: inout XMLOutput) {
        guard let look = look(of: feature), ids[look] == nil else { return }
        let id = "style\(ids.count + 1)"
        ids[look] = id
        guard let selected = look.selected else { return Self.write(look.default, id: id, to: &output) }
        Self.write(look.default, id: "\(id)n", to: &output)
        Self.write(selected, id: "\(id)h", to: &output)
        output.add("<StyleMap id=\"\(id)\"><Pair><key>normal</key><styleUrl>#\(id)n</styleUrl></Pair>")
        output.add("<Pair><key>highlight</key><styleUrl>#\(id)h</styleUrl></Pair></StyleMap>\n")
    }

    /// Returns the identifier of a feature's style, or `nil` if it has no style.
    func id(of feature: Feature) -> String? { look(of: feature).flatMap { ids[$0] } }

    /// Returns whether the feature's style hides it.
    func isHidden(_ feature: Feature) -> Bool { look(of: feature)?.default.isHidden ?? false }

    private func look(of feature: Feature) -> StyleSet? {
        guard feature.properties["style"] != nil || feature.usesSimpleStyle else { return nil }
        var warnings: [MapWarning] = []
        return resolver.styles(for: feature, warnings: &warnings)
    }

    private static func write(_ style: Style, id: String, to output: inout XMLOutput) {
        output.add("<Style id=\"\(id)\">")
        mark(style.marker, to: &output)
        output.add("<LabelStyle>")
        if let label = style.label, label.template == "${name}" || label.template == "${title}" {
            color(label.color, to: &output)
            output.element("scale", .number(label.size / KMLStyle.fontSize))
        } else {
            // Viewers display the name by default.
            output.add("<scale>0</scale>")
        }
        output.add("</LabelStyle>")
        if let stroke = style.stroke {
            output.add("<LineStyle>")
            color(stroke.color, to: &output)
            output.element("width", .number(stroke.width))
            output.add("</LineStyle>")
        }
        output.add("<PolyStyle>")
        if let fill = style.fill { color(fill.color, to: &output) }
        output.add("<fill>\(style.fill == nil ? 0 : 1)</fill><outline>\(style.stroke == nil ? 0 : 1)</outline>")
        output.add("</PolyStyle></Style>\n")
    }

    private static func mark(_ marker: MarkerSymbol?, to output: inout XMLOutput) {
        output.add("<IconStyle>")
        switch marker {
        case nil: output.add("<scale>0</scale>")
        case .shape(let shape):
            if let fill = shape.fill?.color ?? shape.stroke?.color { color(fill, to: &output) }
        case .icon(let icon):
            let size = (icon.height ?? icon.width ?? KMLStyle.iconSize) * icon.scale
            color((icon.tint ?? .white).withOpacity(icon.opacity), to: &output)
            output.element("scale", .number(size / KMLStyle.iconSize))
            if icon.rotation != 0 { output.element("heading", .number(icon.rotation)) }
            output.add("<Icon>")
            switch icon.source {
            case .file(let path), .url(let path): output.element("href", .string(path))
            // The creator of the image knows its URL by its name.
            case .picture(let picture): output.element("href", .string(picture.name))
            }
            output.add("</Icon>")
            if size > 0, icon.offsetX != nil || icon.offsetY != nil || icon.anchor != .center {
                let x = icon.offsetX.map { -$0 * icon.scale / size } ?? icon.anchor.x
                let y = icon.offsetY.map { -$0 * icon.scale / size } ?? icon.anchor.y
                output.add("<hotSpot xunits=\"fraction\" yunits=\"fraction\"")
                output.attribute("x", JSONNumber.text(x))
                output.attribute("y", JSONNumber.text(1 - y))
                output.add("/>")
            }
        }
        output.add("</IconStyle>")
    }

    /// Writes a colour in KML order: opacity, blue, green, red.
    private static func color(_ color: MapColor, to output: inout XMLOutput) {
        let parts = [color.alpha, color.blue, color.green, color.red]
        let digits = parts.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
        output.add("<color>\(digits)</color>")
    }
}
