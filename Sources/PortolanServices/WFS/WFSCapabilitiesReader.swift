import PortolanGeo
package import PortolanXML

/// Reads WFS capabilities.
package enum WFSCapabilitiesReader {
    /// The maximum number of feature types in a document.
    private static let typeLimit = 20_000

    /// Reads a document of version 1.0.0, 1.1.0 or 2.0.0, by the local names of elements, regardless of their namespaces.
    ///
    /// It follows OGC 02-058 clause 12.3, OGC 04-094 clause 13.3 and OGC 09-025r2 clause 8.3.
    ///
    /// - Throws: ``CapabilitiesError``.
    /// - Complexity: linear in its length.
    package static func read(
        _ bytes: [UInt8], contentType: String? = nil
    ) throws(CapabilitiesError) -> WFSCapabilities {
        try read(bytes, contentType: contentType, limits: XMLLimits())
    }

    package static func read(
        _ bytes: [UInt8], contentType: String? = nil, limits: XMLLimits
    ) throws(CapabilitiesError) -> WFSCapabilities {
        let tree = try ServiceDocument.tree(of: bytes, contentType: contentType, limits: limits)
        guard tree.root.name.lowercased() == "wfs_capabilities" else { throw ServiceDocument.other(tree.root) }
        return capabilities(from: tree)
    }

    private static func capabilities(from tree: XMLTree) -> WFSCapabilities {
        var notes = ReaderNotes(tree.warnings)
        let root = tree.root, versionText = root.attribute("version")?.trimmingSpace() ?? ""
        var version = WFSVersion(document: versionText)
        if version == nil {
            notes.add("no known version in the document ('\(versionText)')")
            version =
                root.child("Capability") != nil
                ? .v1_0_0 : root.namespace?.hasSuffix("/2.0") == true ? .v2_0_0 : .v1_1_0
        }
        let service = root.child("ServiceIdentification") ?? root.child("Service")
        let metadata = root.child("OperationsMetadata")
        let operations =
            (metadata?.children("Operation") ?? []).map { operation($0, inherited: metadata) }
            + (root.descendant("Capability", "Request")?.children.map(oldOperation) ?? [])
        if !operations.contains(where: { $0.name == "GetFeature" && $0.getURL != nil }) {
            notes.add("no GET URL for GetFeature")
        }
        var types: [WFSFeatureType] = []
        for element in root.child("FeatureTypeList")?.children("FeatureType") ?? [] {
            guard types.count < typeLimit else {
                notes.add("more than \(typeLimit) feature types; the rest is skipped")
                break
            }
            if let type = featureType(element, &notes) { types.append(type) }
        }
        if types.isEmpty { notes.add("no feature types in the document") }
        let count = constraint("CountDefault", in: metadata) ?? constraint("DefaultMaxFeatures", in: metadata)
        return WFSCapabilities(
            version: version ?? .v2_0_0, versionText: versionText,
            title: service?.text(of: "Title") ?? service?.text(of: "Name") ?? "",
            abstract: service?.text(of: "Abstract"), fees: service?.text(of: "Fees"),
            accessConstraints: service?.text(of: "AccessConstraints"), operations: operations, featureTypes: types,
            defaultCount: ServiceNumber.whole(count).flatMap { $0 > 0 ? $0 : nil },
            hasPaging: constraint("ImplementsResultPaging", in: metadata).flatMap(flag), warnings: notes.warnings)
    }

    private static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// Returns the value of a constraint of all operations, or of GetFeature.
    private static func constraint(_ name: String, in metadata: XMLElement?) -> String? {
        guard let metadata else { return nil }
        let places =
            [metadata] + metadata.children("Operation").filter { $0.attribute("name") == "GetFeature" }
        for element in places.flatMap({ $0.children("Constraint") }) where element.attribute("name") == name {
            let value =
                element.text(of: "DefaultValue")
                ?? (element.children("AllowedValues") + [element]).compactMap { $0.text(of: "Value") }.first
            if let value = value?.trimmingSpace(), !value.isEmpty { return value }
        }
        return nil
    }

    private static func operation(_ element: XMLElement, inherited metadata: XMLElement?) -> WFSCapabilities.Operation {
        let addresses = element.children("DCP").flatMap { $0.children("HTTP") }.flatMap { $0.children("Get") }
        let places = [element, metadata].compactMap(\.self)
        let formats = places.flatMap { $0.children("Parameter") }
            .filter { $0.attribute("name")?.lowercased() == "outputformat" }
            .flatMap { parameter in
                (parameter.children("AllowedValues") + [parameter]).flatMap { $0.children("Value") }
            }
        return WFSCapabilities.Operation(
            name: element.attribute("name") ?? "",
            getURL: addresses.compactMap { $0.attribute("href")?.trimmingSpace() }.first { !$0.isEmpty },
            outputFormats: formats.map { $0.text.trimmingSpace() })
    }

    /// Returns an operation of version 1.0.0, in which formats are element names.
    private static func oldOperation(_ element: XMLElement) -> WFSCapabilities.Operation {
        let addresses = element.children("DCPType").flatMap { $0.children("HTTP") }.flatMap { $0.children("Get") }
        return WFSCapabilities.Operation(
            name: element.name,
            getURL: addresses.compactMap { $0.attribute("onlineResource")?.trimmingSpace() }.first { !$0.isEmpty },
            outputFormats: element.child("ResultFormat")?.children.map(\.name) ?? [])
    }

    private static func featureType(_ element: XMLElement, _ notes: inout ReaderNotes) -> WFSFeatureType? {
        guard let name = element.text(of: "Name")?.trimmingSpace(), !name.isEmpty else {
            notes.add(line: element.line, "a feature type has no name; skipped")
            return nil
        }
        func texts(_ names: String...) -> [String] {
            element.children.filter { names.contains($0.name) }.map { $0.text.trimmingSpace() }.filter { !$0.isEmpty }
        }
        // Before 1.1.0 there is only one CRS.
        let fallback = element.child("NoSRS") == nil ? texts("SRS") : []
        let formats = (element.child("OutputFormats")?.children("Format") ?? []).map { $0.text.trimmingSpace() }
        return WFSFeatureType(
            name: name, title: element.text(of: "Title") ?? "", abstract: element.text(of: "Abstract"),
            defaultCRSName: (texts("DefaultCRS", "DefaultSRS") + fallback).first,
            otherCRSNames: texts("OtherCRS", "OtherSRS"), outputFormats: formats,
            geographicBox: box(of: element, "type '\(name)'", &notes))
    }

    private static func box(of element: XMLElement, _ subject: String, _ notes: inout ReaderNotes) -> BoundingBox? {
        var sides: [Double] = []
        if let box = element.child("WGS84BoundingBox") {
            sides = ["LowerCorner", "UpperCorner"].flatMap { name in
                let numbers = (box.text(of: name) ?? "").words.compactMap { ServiceNumber.decimal($0) }
                return numbers.count >= 2 ? Array(numbers.prefix(2)) : []
            }
        } else if let box = element.child("LatLongBoundingBox") {
            sides = ServiceNumber.sides { box.attribute($0) }
        } else {
            return nil
        }
        // For a type without features some services write an inverted box.
        guard sides.count == 4, sides[1] <= sides[3],
            let box = ServiceNumber.degrees(west: sides[0], south: sides[1], east: sides[2], north: sides[3])
        else {
            notes.add("\(subject): invalid box in degrees")
            return nil
        }
        return box
    }
}
