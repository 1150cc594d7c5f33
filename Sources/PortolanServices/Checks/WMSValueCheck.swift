import PortolanXML

/// Checks the form of values in a capabilities document of a WMS: readers that follow the schema refuse others.
struct WMSValueCheck {
    let version: WMSVersion

    func check(_ root: XMLElement, into list: inout FindingList) {
        if let name = root.child("Service")?.text(of: "Name"), !names.contains(name) {
            list.add(
                .deviation, .valueMalformed, "<Service>",
                "the service's <Name> is '\(name)', not '\(names[0])'; some clients tell kinds of services by it",
                remedy: "write <Name>\(names[0])</Name>, and what people shall read in <Title>")
        }
        for layer in root.child("Capability")?.children("Layer") ?? [] { checkLayer(layer, into: &list) }
    }

    /// What the service calls itself by the schema of the version.
    private var names: [String] {
        switch version {
        case .v1_0_0: ["GetMap", "OGC:WMS", "WMS"]
        case .v1_1_0, .v1_1_1: ["OGC:WMS", "GetMap", "WMS"]
        case .v1_3_0: ["WMS"]
        }
    }

    private func checkLayer(_ layer: XMLElement, into list: inout FindingList) {
        let subject = layer.text(of: "Name").map { "'\($0)'" } ?? "a heading (line \(layer.line))"
        let flags = version >= .v1_3_0 ? ["0", "1", "true", "false"] : ["0", "1"]
        for name in ["queryable", "opaque", "noSubsets"] {
            guard let value = layer.attribute(name), !flags.contains(value) else { continue }
            list.add(
                .deviation, .valueMalformed, subject,
                "the attribute \(name) is '\(value)', not \(flags.joined(separator: ", "))", remedy: "write 0 or 1")
        }
        for dimension in layer.children("Dimension") {
            let missing = ["name", "units"].filter { dimension.attribute($0) == nil }
            guard !missing.isEmpty else { continue }
            list.add(
                .deviation, .valueMalformed, subject,
                "a dimension has no \(missing.joined(separator: " and no ")), which the schema asks for",
                remedy: "give it, empty where there is no unit")
        }
        for number in numbers(of: layer) where Double(number.trimmingSpace()) == nil {
            list.add(
                .deviation, .valueMalformed, subject, "'\(number)' in a box or a scale is no number",
                remedy: "write digits with a point before the fraction, whatever the language of the machine")
        }
        for child in layer.children("Layer") { checkLayer(child, into: &list) }
    }

    private func numbers(of layer: XMLElement) -> [String] {
        let geographic = layer.child("EX_GeographicBoundingBox")?.children.map(\.text) ?? []
        let boxes = (layer.children("BoundingBox") + layer.children("LatLonBoundingBox")).flatMap { box in
            ["minx", "miny", "maxx", "maxy"].compactMap { box.attribute($0, ignoringCase: true) }
        }
        let scales = ["MinScaleDenominator", "MaxScaleDenominator"].compactMap { layer.text(of: $0) }
        return geographic + boxes + scales
    }
}
