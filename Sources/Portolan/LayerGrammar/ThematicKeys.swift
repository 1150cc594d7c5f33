import PortolanFeatures
import PortolanRaster
import PortolanStyles
import PortolanWeb

/// The keys that colour or size features by their values: `fill=population;classes=5;palette=blues`, `radius=population`.
///
/// They compile to a MapLibre style, as any other style of a layer.
struct ThematicKeys {
    /// The keys of classes and ranges.
    static let keys = [
        "classes", "method", "breaks", "palette", "no-data", "radius", "radius-range", "stroke-width-range",
    ]

    /// The keys of colours that may name a property.
    private static let colorKeys = ["fill", "stroke", "marker-color"]

    /// The keys that have no effect beside classes.
    private static let idleKeys = [
        "casing", "casing-width", "declutter", "label-background", "label-padding", "label-line", "marker-symbol",
        "geodesic",
        FeatureLook.key, OverriddenKeys.key,
    ]

    private let specification: LayerSpecification
    /// The properties of colours, by key.
    private var colors: [String: String] = [:]
    /// The properties of sizes, by key.
    private var sizes: [String: String] = [:]

    /// Reads the keys, or returns `nil` if none of them is set and no colour or size is a property.
    ///
    /// - Throws: ``MapError`` for keys that contradict each other.
    init?(_ specification: LayerSpecification) throws(MapError) {
        self.specification = specification
        for key in Self.colorKeys where specification.kind.takes(key) {
            colors[key] = specification[key].flatMap(Self.property)
        }
        for key in ["radius", "stroke-width"] where specification.kind.takes(key) {
            sizes[key] = specification[key].flatMap { Double($0) == nil ? $0 : nil }
        }
        let stated = Self.keys.first { specification[$0] != nil }
        guard stated != nil || !colors.isEmpty || !sizes.isEmpty else { return nil }
        guard specification["style"] == nil else {
            let key = stated ?? colors.keys.min() ?? sizes.keys.min() ?? ""
            throw specification.invalid(key, "cannot be combined with a style")
        }
        for (key, needed) in [("radius-range", "radius"), ("stroke-width-range", "stroke-width")]
        where specification[key] != nil && sizes[needed] == nil {
            throw specification.invalid(key, "needs a property with numbers; add ';\(needed)=PROPERTY'")
        }
        let colorOnly = Self.keys.prefix(5).first { specification[$0] != nil && ($0 != "no-data" || sizes.isEmpty) }
        if let colorOnly, colors.isEmpty {
            throw specification.invalid(
                colorOnly, "needs a property; add ';fill=PROPERTY' (stroke for lines, marker-color for points)")
        }
    }

    /// The property, unless there are several.
    var onlyProperty: String? {
        let properties = Set(colors.values).union(sizes.values)
        return properties.count == 1 ? properties.first : nil
    }

    /// The property that a value of a colour key names, or `nil` for a colour.
    ///
    /// `${red}` names a property that is called like a colour.
    private static func property(_ text: String) -> String? {
        if text.hasPrefix("${"), text.hasSuffix("}") { return String(text.dropFirst(2).dropLast()) }
        let isHexadecimal = [3, 4, 6, 8].contains(text.utf8.count) && text.allSatisfy(\.isHexDigit)
        guard text.lowercased() != "none", MapColor(css: text) == nil, !isHexadecimal else { return nil }
        return text
    }

    /// Returns the style sheet of the keys.
    ///
    /// - Parameters:
    ///   - values: the values of the features.
    ///   - color: the colour of the layer.
    ///   - tileLayers: the layers of vector tiles to draw, or `nil` for features.
    ///   - notes: receives warnings about keys without effect, and about values that are not shown.
    func sheet(
        _ values: ThematicValues, color: MapColor, tileLayers: [String]? = nil, _ notes: inout [MapWarning]
    ) throws(MapError) -> StyleSheet {
        // Legends have the number format of the language, also without a label.
        let language = specification["label"] == nil ? ["language"] : []
        let plain = try specification.without(Self.keys + Array(colors.keys) + Array(sizes.keys) + language)
        let declaration = try LayerKind.style(plain, color: color, &notes)
        for key in Self.idleKeys where specification[key] != nil {
            notes.append(.withoutEffect(key, "the layer is coloured or sized by a property"))
        }
        var style = ThematicStyle(color: declaration.layerColor ?? color)
        style.language = try specification.labelLanguage()
        try setColors(&style, declaration, values, &notes)
        try setSizes(&style, declaration, values)
        style.label = label(declaration)
        var options = StyleSheet.Options(language: style.language)
        options.placesFreely = true
        options.keepsLinesClear = true
        do throws(StyleSheet.ParseError) {
            return try StyleSheet(style.document(tileLayers: tileLayers), options: options)
        } catch {
            throw specification.error(.style(error, "classes"))
        }
    }

    private func setColors(
        _ style: inout ThematicStyle, _ declaration: StyleDeclaration, _ values: ThematicValues,
        _ notes: inout [MapWarning]
    ) throws(MapError) {
        func paint(_ key: String, _ constant: MapColor?) throws(MapError) -> ThematicStyle.Paint? {
            if let property = colors[key] {
                return .values(try ThematicClasses(specification, key, property).colors(of: values, &notes))
            }
            return constant.map(ThematicStyle.Paint.constant)
        }
        if let fill = try paint("fill", declaration.fillColor) { style.fill = fill }
        if let stroke = try paint("stroke", declaration.strokeColor) {
            style.stroke = stroke
            if colors["fill"] == nil || declaration.strokeColor != nil { style.border = stroke }
        }
        if let marker = try paint("marker-color", declaration.pinColor) { style.marker = marker }
        // A palette is only recognized in its own colours.
        let usual = colors["fill"] == nil ? 0.6 : 1
        style.fillOpacity = declaration.isFilled == false ? 0 : declaration.fillOpacity ?? usual
        style.markerOpacity = declaration.fillOpacity ?? 1
        style.strokeOpacity = declaration.isStroked == false ? 0 : declaration.strokeOpacity ?? 1
        style.outline = declaration.markerOutlineColor ?? .white
        if case .pixels(let lengths)? = declaration.dashStyle { style.dash = lengths }
    }

    private func setSizes(
        _ style: inout ThematicStyle, _ declaration: StyleDeclaration, _ values: ThematicValues
    ) throws(MapError) {
        if let width = declaration.strokeWidth {
            style.strokeWidth = .constant(width)
            style.borderWidth = .constant(width)
        }
        if let property = sizes["stroke-width"] {
            let range = try self.range("stroke-width-range", in: 0.1...100) ?? 1...8
            let widths = try ThematicClasses(specification, "stroke-width", property).sizes(.linear, range, of: values)
            style.strokeWidth = .values(widths)
            if case .constant(let color) = style.stroke { style.stroke = widths.paint(color) }
        }
        switch specification["marker-size"] {
        case "small": style.radius = .constant(4)
        case "large": style.radius = .constant(9)
        default: break
        }
        if let radius = try specification.kind.takes("point-radius")
            ? specification.number("point-radius", in: 0.1...500) : nil
        {
            style.radius = .constant(radius)
        }
        if let property = sizes["radius"] {
            let range = try self.range("radius-range", in: 0...500) ?? 2...30
            let radii = try ThematicClasses(specification, "radius", property).sizes(.area, range, of: values)
            style.radius = .values(radii)
            if case .constant(let color) = style.marker { style.marker = radii.paint(color) }
        } else if let radius = try specification.number("radius", in: 0.1...500) {
            style.radius = .constant(radius)
        }
    }

    /// Reads a range such as `2..30`.
    private func range(_ key: String, in limits: ClosedRange<Double>) throws(MapError) -> ClosedRange<Double>? {
        guard let text = specification[key] else { return nil }
        let parts = text.split(separator: "..", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let low = parts[0], let high = parts[1], limits.contains(low), limits.contains(high),
            low < high
        else {
            throw specification.invalid(
                key, "must be two sizes in pixels such as 2..30, up to \(Int(limits.upperBound))")
        }
        return low...high
    }

    private func label(_ declaration: StyleDeclaration) -> ThematicStyle.Label? {
        guard let text = declaration.label else { return nil }
        var label = ThematicStyle.Label(
            LabelTemplate(text, language: declaration.labelLanguage), size: declaration.fontSize ?? 12,
            color: declaration.fontColor ?? MapColor(red: 0x33, green: 0x33, blue: 0x33),
            halo: declaration.labelOutlineColor ?? .white, haloWidth: declaration.labelOutlineWidth ?? 2)
        label.font = declaration.fontFamily
        // Those of the largest discs come first.
        label.sortKey = LabelPriority(specification)?.sortKey ?? sizes["radius"].map { .property($0, factor: -1) }
        return label
    }
}

extension LayerSpecification {
    /// Returns the specification without some of its keys.
    func without(_ keys: [String]) throws(MapError) -> LayerSpecification {
        try LayerSpecification(
            kind: kind, source: source, values: values.filter { !keys.contains($0.key) }, namedBy: origin, kinds: kinds)
    }
}
