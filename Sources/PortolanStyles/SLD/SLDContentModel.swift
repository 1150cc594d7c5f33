/// What is read of the elements of a symbolizer: whatever else stands in one is named, so that nothing is silently missing.
enum SLDContentModel {
    /// The elements that are read in an element, by its name, and names that only describe.
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
        "LinePlacement": ["PerpendicularOffset"],
        "Halo": ["Radius", "Fill"],
        "Stroke": ["GraphicFill", "GraphicStroke", "SvgParameter", "CssParameter"],
        "Fill": ["GraphicFill", "SvgParameter", "CssParameter"],
        "Font": ["SvgParameter", "CssParameter"],
    ]
    /// What is read of the elements around symbolizers; of others content is missing.
    private static let structure: [String: Set<String>] = [
        "StyledLayerDescriptor": ["NamedLayer", "UserLayer"],
        "NamedLayer": ["UserStyle", "NamedStyle"], "UserLayer": ["UserStyle", "NamedStyle"],
        "UserStyle": ["IsDefault", "FeatureTypeStyle"],
        "FeatureTypeStyle": [
            "FeatureTypeName", "SemanticTypeIdentifier", "Rule", "VendorOption", "Transformation",
        ],
        "Rule": ["LegendGraphic", "Filter", "ElseFilter", "MinScaleDenominator", "MaxScaleDenominator"],
    ]

    /// What is not read of an element around symbolizers.
    static func losses(around element: SLDElement) -> [SLDFault] {
        let known = structure[element.name] ?? []
        return element.children.filter {
            !known.contains($0.name) && !descriptions.contains($0.name) && !$0.isSymbolizer
        }.map { SLDFault("\($0.name.prefix(40)) of a \(element.name)", $0, isLoss: true) }
    }

    /// Elements that say nothing of how something is drawn.
    private static let descriptions: Set<String> = ["Name", "Title", "Abstract", "Description"]

    /// The parameters that are read of fills, strokes and fonts.
    private static let parameters: [String: Set<String>] = [
        "Fill": ["fill", "fill-opacity"],
        "Stroke": [
            "stroke", "stroke-width", "stroke-opacity", "stroke-linejoin", "stroke-linecap", "stroke-dasharray",
            "stroke-dashoffset",
        ],
        "Font": ["font-family", "font-style", "font-weight", "font-size"],
    ]
    /// Those that are read of the strokes of marks.
    private static let markParameters: Set<String> = ["stroke", "stroke-width", "stroke-opacity"]

    /// What is not read inside a symbolizer.
    static func faults(in symbolizer: SLDElement) -> [SLDFault] {
        var faults: [SLDFault] = []
        for option in symbolizer.children("VendorOption") where symbolizer.name != "TextSymbolizer" {
            faults.append(SLDFault("VendorOption '\(option.attribute("name")?.prefix(40) ?? "")'", option))
        }
        visit(symbolizer, isPlain: symbolizer.name == "TextSymbolizer" || symbolizer.name == "PointSymbolizer", &faults)
        return faults
    }

    /// - Parameter isPlain: whether fills and strokes are those of letters or marks, which have colours alone.
    private static func visit(_ element: SLDElement, isPlain: Bool, _ faults: inout [SLDFault]) {
        guard let known = children[element.name] else { return }
        for child in element.children where !descriptions.contains(child.name) {
            guard known.contains(child.name) else {
                faults.append(SLDFault("\(child.name) of a \(element.name)", child))
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
                    faults.append(SLDFault("\(child.name) of a mark or a text", child))
                } else {
                    visit(child, isPlain: true, &faults)
                }
            case "Geometry", "VendorOption", "Label": break
            default: visit(child, isPlain: isPlain || child.name == "Mark", &faults)
            }
        }
    }

    /// The function by which a symbolizer's geometry is made of the feature's, where that is not what is drawn anyway.
    static func geometryFault(of symbolizer: SLDElement) -> SLDFault? {
        guard let geometry = symbolizer.child("Geometry"), let function = geometry.children.first else { return nil }
        // A feature has one geometry, whatever its name is.
        if function.name == "PropertyName" || function.name == "ValueReference" { return nil }
        let name = function.attribute("name") ?? function.name
        // A mark stands there by itself.
        if symbolizer.name == "PointSymbolizer", name == "centroid" || name == "interiorPoint" { return nil }
        return SLDFault("Geometry by the function '\(name.prefix(40))'", geometry, isLoss: true)
    }
}
