/// The supported content of symbolizers.
///
/// All other content is reported, so that nothing is missing silently.
enum SLDContentModel {
    /// The supported child elements by element name, and purely descriptive names.
    private static let children: [String: Set<String>] = [
        "PointSymbolizer": ["Geometry", "Graphic", "VendorOption"],
        "LineSymbolizer": ["Geometry", "Stroke", "PerpendicularOffset", "VendorOption"],
        "PolygonSymbolizer": ["Geometry", "Fill", "Stroke", "Displacement", "PerpendicularOffset", "VendorOption"],
        "TextSymbolizer": [
            "Geometry", "Label", "Font", "LabelPlacement", "Halo", "Fill", "Graphic", "Priority", "VendorOption",
        ],
        "Graphic": ["Mark", "ExternalGraphic", "Opacity", "Size", "Rotation", "AnchorPoint", "Displacement"],
        "Mark": ["WellKnownName", "Fill", "Stroke"],
        "ExternalGraphic": ["OnlineResource", "InlineContent", "Format"],
        "GraphicFill": ["Graphic"],
        "GraphicStroke": ["Graphic", "InitialGap", "Gap"],
        "LabelPlacement": ["PointPlacement", "LinePlacement"],
        "PointPlacement": ["AnchorPoint", "Displacement", "Rotation"],
        "LinePlacement": ["PerpendicularOffset", "IsRepeated", "Gap", "IsAligned", "GeneralizeLine"],
        "Halo": ["Radius", "Fill"],
        "Stroke": ["GraphicFill", "GraphicStroke", "SvgParameter", "CssParameter"],
        "Fill": ["GraphicFill", "SvgParameter", "CssParameter"],
        "Font": ["SvgParameter", "CssParameter"],
    ]
    /// The supported content of the elements around symbolizers.
    ///
    /// Other content counts as missing.
    private static let structure: [String: Set<String>] = [
        "StyledLayerDescriptor": ["NamedLayer", "UserLayer"],
        "NamedLayer": ["UserStyle", "NamedStyle"], "UserLayer": ["UserStyle", "NamedStyle"],
        "UserStyle": ["IsDefault", "FeatureTypeStyle"],
        "FeatureTypeStyle": [
            "FeatureTypeName", "SemanticTypeIdentifier", "Rule", "VendorOption", "Transformation",
        ],
        "Rule": ["LegendGraphic", "Filter", "ElseFilter", "MinScaleDenominator", "MaxScaleDenominator"],
    ]

    /// The unsupported content of an element around symbolizers.
    static func losses(around element: SLDElement) -> [SLDFault] {
        let known = structure[element.name] ?? []
        return element.children.filter {
            !known.contains($0.name) && !descriptions.contains($0.name) && !$0.isSymbolizer
        }.map { SLDFault("\($0.name.prefix(40)) in \(element.name)", $0, .loss) }
    }

    /// Elements without effect on the drawing.
    private static let descriptions: Set<String> = ["Name", "Title", "Abstract", "Description"]

    /// The supported parameters of fills, strokes and fonts.
    private static let parameters: [String: Set<String>] = [
        "Fill": ["fill", "fill-opacity"],
        "Stroke": [
            "stroke", "stroke-width", "stroke-opacity", "stroke-linejoin", "stroke-linecap", "stroke-dasharray",
            "stroke-dashoffset",
        ],
        "Font": ["font-family", "font-style", "font-weight", "font-size"],
    ]
    /// The supported parameters of mark strokes.
    private static let markParameters: Set<String> = ["stroke", "stroke-width", "stroke-opacity"]

    /// The unsupported content of a symbolizer.
    static func faults(in symbolizer: SLDElement) -> [SLDFault] {
        var faults: [SLDFault] = []
        for option in symbolizer.children("VendorOption") where !isRead(option, of: symbolizer) {
            faults.append(SLDFault(option.vendorOptionName, option))
        }
        visit(symbolizer, isPlain: symbolizer.name == "TextSymbolizer" || symbolizer.name == "PointSymbolizer", &faults)
        return faults
    }

    /// Whether a vendor option has its intended effect, or is read with its symbolizer.
    private static func isRead(_ option: SLDElement, of symbolizer: SLDElement) -> Bool {
        switch (option.attribute("name"), symbolizer.name) {
        case (_, "TextSymbolizer"): true
        case ("graphic-margin", "PolygonSymbolizer"): symbolizer.child("Fill")?.child("GraphicFill") != nil
        case ("inclusion", _): ["normal", "legendOnly", "mapOnly"].contains(option.text)
        // A missing picture is left out.
        case ("fallbackOnDefaultMark", _): option.text == "false"
        default: false
        }
    }

    /// Whether a symbolizer only applies to legends.
    static func isForLegends(_ symbolizer: SLDElement) -> Bool {
        symbolizer.children("VendorOption").contains { $0.attribute("name") == "inclusion" && $0.text == "legendOnly" }
    }

    /// - Parameter isPlain: whether fills and strokes belong to letters or marks, which support only colours.
    private static func visit(_ element: SLDElement, isPlain: Bool, _ faults: inout [SLDFault]) {
        guard let known = children[element.name] else { return }
        for child in element.children where !descriptions.contains(child.name) {
            guard known.contains(child.name) else {
                faults.append(SLDFault("\(child.name) in \(element.name)", child))
                continue
            }
            switch child.name {
            case "SvgParameter", "CssParameter":
                let name = child.attribute("name") ?? ""
                let names = isPlain && element.name == "Stroke" ? markParameters : parameters[element.name] ?? []
                if !names.contains(name) {
                    faults.append(SLDFault("\(element.name) parameter '\(name.prefix(40))'", child))
                }
            case "GraphicFill", "GraphicStroke":
                if isPlain {
                    faults.append(SLDFault("\(child.name) of a mark or text", child))
                } else {
                    visit(child, isPlain: true, &faults)
                }
            case "Geometry", "VendorOption", "Label": break
            default: visit(child, isPlain: isPlain || child.name == "Mark", &faults)
            }
        }
    }

    /// The transformations of the geometry that a symbolizer draws, if it states any.
    static func geometry(of symbolizer: SLDElement) throws(SLDFault) -> [GeometryChange] {
        guard let geometry = symbolizer.child("Geometry"), let source = geometry.children.first else { return [] }
        return try changes(source, in: geometry)
    }

    private static func changes(_ source: SLDElement, in geometry: SLDElement) throws(SLDFault) -> [GeometryChange] {
        // A feature has one geometry, regardless of its name.
        if source.name == "PropertyName" || source.name == "ValueReference" { return [] }
        let name = source.attribute("name") ?? source.name, arguments = source.children
        let fault = SLDFault("geometry function '\(name.prefix(40))'", geometry, .loss)
        guard source.name == "Function" else { throw fault }
        var numbers: [Double] = []
        for argument in arguments.dropFirst() {
            guard argument.name == "Literal", let number = Double(argument.text), number.isFinite else { throw fault }
            numbers.append(number)
        }
        // The number of buffer segments is chosen by this package.
        if name == "buffer", numbers.count > 1 { numbers.removeLast(numbers.count - 1) }
        guard let change = GeometryChange(name, numbers), change != .angles else { throw fault }
        // Without an argument, the function applies to the feature's own geometry.
        guard let inner = arguments.first else { return [change] }
        return try changes(inner, in: geometry) + [change]
    }
}
