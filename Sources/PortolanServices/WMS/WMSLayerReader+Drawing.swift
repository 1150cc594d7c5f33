import PortolanGeo
import PortolanXML

extension WMSLayerReader {
    /// Adds the styles of a layer.
    ///
    /// A style replaces an inherited one with the same name.
    mutating func addStyles(of element: XMLElement, to layer: inout WMSCapabilities.Layer) {
        let children = element.children("Style")
        guard !children.isEmpty else { return }
        extend(&layer.styles, weight: 16, line: element.line)
        var places = places(of: layer.styles.map(\.name))
        for child in children {
            let name = child.text(of: "Name") ?? ""
            let style = WMSCapabilities.Style(
                name: name, title: child.text(of: "Title") ?? name, abstract: child.text(of: "Abstract"),
                legends: child.children("LegendURL").compactMap(Self.picture),
                styleSheet: Self.links(in: child, "StyleSheetURL").first,
                page: Self.links(in: child, "StyleURL").first)
            if let index = places[name] {
                layer.styles[index] = style
            } else {
                places[name] = layer.styles.count
                layer.styles.append(style)
            }
        }
    }

    /// Returns the image in an element: a legend or a logo.
    static func picture(_ element: XMLElement) -> WMSCapabilities.Style.Legend? {
        func size(_ name: String) -> Int? {
            element.attribute(name).flatMap { Int($0.trimmingSpace()) }.flatMap { $0 > 0 ? $0 : nil }
        }
        return link(of: element).map {
            WMSCapabilities.Style.Legend(
                url: $0, format: element.text(of: "Format"), width: size("width"), height: size("height"))
        }
    }

    /// Adds the dimensions of a layer.
    ///
    /// Up to version 1.1.1 their values are in separate `Extent` elements.
    mutating func addDimensions(of element: XMLElement, to layer: inout WMSCapabilities.Layer) {
        func isTrue(_ text: String?) -> Bool { text == "1" || text?.lowercased() == "true" }
        let dimensions = element.children("Dimension"), extents = element.children("Extent")
        guard !(dimensions.isEmpty && extents.isEmpty) else { return }
        extend(&layer.dimensions, weight: 12, line: element.line)
        var places = places(of: layer.dimensions.map(\.name))
        for child in dimensions {
            guard let name = child.attribute("name")?.lowercased().trimmingSpace(), !name.isEmpty else { continue }
            let known = places[name]
            let dimension = WMSCapabilities.Dimension(
                name: name, units: child.attribute("units") ?? "", unitSymbol: child.attribute("unitSymbol"),
                defaultValue: child.attribute("default"), values: child.text,
                takesNearest: isTrue(child.attribute("nearestValue")),
                takesSeveral: isTrue(child.attribute("multipleValues")),
                takesCurrent: isTrue(child.attribute("current")))
            if let known {
                layer.dimensions[known] = dimension
            } else {
                places[name] = layer.dimensions.count
                layer.dimensions.append(dimension)
            }
        }
        for child in extents {
            guard let name = child.attribute("name")?.lowercased().trimmingSpace(), !name.isEmpty else { continue }
            let known = places[name], index = known ?? layer.dimensions.count
            if known == nil {
                places[name] = index
                // The example in OGC 01-068r3 has an extent in a dimension that is declared elsewhere.
                layer.dimensions.append(
                    WMSCapabilities.Dimension(
                        name: name, units: name == "time" ? "ISO8601" : "", unitSymbol: nil, defaultValue: nil,
                        values: "", takesNearest: false, takesSeveral: false))
            }
            layer.dimensions[index].values = child.text
            layer.dimensions[index].defaultValue = child.attribute("default")
            layer.dimensions[index].takesNearest = isTrue(child.attribute("nearestValue"))
            layer.dimensions[index].takesSeveral = isTrue(child.attribute("multipleValues"))
            layer.dimensions[index].takesCurrent = isTrue(child.attribute("current"))
        }
    }

    /// Reads the scale limits of a layer.
    ///
    /// `ScaleHint` of version 1.1 is the diagonal of a pixel in metres (OGC 01-068r3 7.1.4.5.16); the denominators of
    /// version 1.3.0 are for pixels of 0.28 mm (OGC 06-042 7.2.4.6.9).
    func readScales(of element: XMLElement, into layer: inout WMSCapabilities.Layer) {
        func positive(_ text: String?) -> Double? {
            ServiceNumber.decimal(text).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        }
        if let hint = element.child("ScaleHint") {
            let low = positive(hint.attribute("min")), high = positive(hint.attribute("max"))
            func denominator(_ diagonal: Double?) -> Double? {
                diagonal.map { $0 / 2.0.squareRoot() / Resolution.standardPixelSize }
            }
            if let high { layer.scaleHint = min(low ?? 0, high)...high }
            layer.minScaleDenominator = denominator(low)
            layer.maxScaleDenominator = denominator(high)
        }
        if let least = element.text(of: "MinScaleDenominator") { layer.minScaleDenominator = positive(least) }
        if let most = element.text(of: "MaxScaleDenominator") { layer.maxScaleDenominator = positive(most) }
    }

    /// Reads the attributes of a layer; absent ones are inherited.
    func readFlags(of element: XMLElement, into layer: inout WMSCapabilities.Layer) {
        func flag(_ name: String, _ inherited: Bool) -> Bool {
            guard let text = element.attribute(name)?.trimmingSpace().lowercased(), !text.isEmpty else {
                return inherited
            }
            return text == "1" || text == "true"
        }
        func size(_ name: String, _ inherited: Int?) -> Int? {
            guard let text = element.attribute(name) else { return inherited }
            return Int(text.trimmingSpace()).flatMap { $0 > 0 ? $0 : nil }
        }
        layer.isQueryable = flag("queryable", layer.isQueryable)
        layer.isOpaque = flag("opaque", layer.isOpaque)
        layer.hasNoSubsets = flag("noSubsets", layer.hasNoSubsets)
        layer.cascaded = element.attribute("cascaded").flatMap { Int($0.trimmingSpace()) } ?? layer.cascaded
        layer.fixedWidth = size("fixedWidth", layer.fixedWidth)
        layer.fixedHeight = size("fixedHeight", layer.fixedHeight)
    }
}
