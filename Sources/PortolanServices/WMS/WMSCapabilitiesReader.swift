import PortolanGeo
package import PortolanXML

/// Reads capabilities documents of WMS 1.0.0, 1.1.0, 1.1.1 and 1.3.0, and of versions in between.
///
/// ```swift
/// let capabilities = try WMSCapabilitiesReader.read(bytes)
/// print(capabilities.layerNames)
/// ```
///
/// The version of the document determines the format, whatever version was requested. Missing or invalid content
/// becomes a warning if the rest is usable.
public enum WMSCapabilitiesReader {
    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: the document, at most 64 MiB.
    ///   - contentType: the declared type, for error messages only.
    /// - Complexity: linear in the length of the document.
    public static func read(
        _ bytes: [UInt8], contentType: String? = nil
    ) throws(CapabilitiesError) -> WMSCapabilities {
        try read(bytes, contentType: contentType, limits: XMLLimits())
    }

    /// Reads a document within limits.
    package static func read(
        _ bytes: [UInt8], contentType: String? = nil, limits: XMLLimits
    ) throws(CapabilitiesError) -> WMSCapabilities {
        let tree = try ServiceDocument.tree(of: bytes, contentType: contentType, limits: limits)
        guard ["wmt_ms_capabilities", "wms_capabilities"].contains(tree.root.name.lowercased()) else {
            throw ServiceDocument.other(tree.root)
        }
        return capabilities(from: tree)
    }

    private static func capabilities(from tree: XMLTree) -> WMSCapabilities {
        var notes = ReaderNotes(tree.warnings)
        let root = tree.root
        let versionText = root.attribute("version")?.trimmingSpace() ?? ""
        let isNamespaced = root.name.lowercased() == "wms_capabilities"
        var version = WMSCapabilities.Version(versionText)
        if version == nil {
            notes.add("no known version in the document ('\(versionText)')")
            version = isNamespaced ? .v1_3_0 : .v1_1_1
        }
        let capability = root.child("Capability")
        if capability == nil { notes.add("no Capability element in the document") }
        var unknown: Set<String> = []
        for child in capability.map({ Array($0.children) }) ?? [] where !known.contains(child.name) {
            guard unknown.insert(child.name).inserted else { continue }
            notes.add(line: child.line, "unknown element <\(child.name)> of the service; skipped")
        }
        let operations = (capability?.child("Request")).map { $0.children.map { operation($0, &notes) } } ?? []
        if !operations.contains(where: { $0.name == "GetMap" && $0.getURL != nil }) {
            notes.add("no URL for GetMap")
        }
        var layers = WMSLayerReader(version: version ?? .v1_3_0, notes: notes)
        let layerTree = (capability?.children("Layer") ?? []).map { layers.layer($0, inside: nil) }
        var tileSets = TileSetReader(notes: layers.notes)
        let sets = tileSets.tileSets(in: capability)
        return WMSCapabilities(
            version: version ?? .v1_3_0, versionText: versionText, updateSequence: root.attribute("updateSequence"),
            service: service(root.child("Service")), operations: operations,
            exceptionFormats: formats(in: capability?.child("Exception")), layers: layerTree, tileSets: sets,
            warnings: tileSets.notes.warnings)
    }

    /// The elements of `Capability`.
    ///
    /// `_ExtendedCapabilities` and those of INSPIRE are irrelevant for map clients.
    private static let known: Set<String> = [
        "Request", "Exception", "VendorSpecificCapabilities", "Layer", "ExtendedCapabilities",
        "_ExtendedCapabilities", "UserDefinedSymbolization",
    ]

    private static func service(_ element: XMLElement?) -> WMSCapabilities.Service {
        guard let element else { return WMSCapabilities.Service() }
        func limit(_ name: String) -> Int? { element.text(of: name).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
        var service = WMSCapabilities.Service()
        service.title = element.text(of: "Title") ?? ""
        service.abstract = element.text(of: "Abstract")
        service.keywords = WMSLayerReader.keywords(of: element)
        service.onlineResource = WMSLayerReader.link(of: element)
        service.fees = element.text(of: "Fees")
        service.accessConstraints = element.text(of: "AccessConstraints")
        service.contact = element.child("ContactInformation").map(contact)
        service.layerLimit = limit("LayerLimit")
        service.maxWidth = limit("MaxWidth")
        service.maxHeight = limit("MaxHeight")
        return service
    }

    private static func contact(_ element: XMLElement) -> WMSCapabilities.Contact {
        var contact = WMSCapabilities.Contact()
        let primary = element.child("ContactPersonPrimary")
        contact.person = primary?.text(of: "ContactPerson")
        contact.organization = primary?.text(of: "ContactOrganization")
        contact.position = element.text(of: "ContactPosition")
        if let address = element.child("ContactAddress") {
            let place = [address.text(of: "PostCode"), address.text(of: "City")].compactMap(\.self)
            contact.address = [
                address.text(of: "Address"), place.isEmpty ? nil : place.joined(separator: " "),
                address.text(of: "StateOrProvince"), address.text(of: "Country"),
            ].compactMap(\.self)
        }
        contact.telephone = element.text(of: "ContactVoiceTelephone")
        contact.fax = element.text(of: "ContactFacsimileTelephone")
        contact.email = element.text(of: "ContactElectronicMailAddress")
        return contact
    }

    private static func operation(_ element: XMLElement, _ notes: inout ReaderNotes) -> WMSCapabilities.Operation {
        let names = ["Map": "GetMap", "Capabilities": "GetCapabilities", "FeatureInfo": "GetFeatureInfo"]
        var getURL: String?, postURL: String?
        for http in element.children("DCPType").flatMap({ $0.children("HTTP") }) {
            for method in http.children {
                let address = method.attribute("onlineResource", ignoringCase: true) ?? WMSLayerReader.link(of: method)
                guard let address, !address.isEmpty else { continue }
                if method.name.lowercased() == "get" { getURL = getURL ?? address }
                if method.name.lowercased() == "post" { postURL = postURL ?? address }
            }
        }
        return WMSCapabilities.Operation(
            name: names[element.name] ?? element.name, formats: formats(in: element), getURL: getURL, postURL: postURL)
    }

    /// Formats are in one element each, or in version 1.0.0 empty child elements of a single element.
    private static func formats(in element: XMLElement?) -> [WMSCapabilities.Format] {
        (element?.children("Format") ?? []).flatMap { format -> [WMSCapabilities.Format] in
            let names = format.children.map { WMSCapabilities.Format($0.name) }
            return format.text.isEmpty ? names : [WMSCapabilities.Format(format.text)] + names
        }
    }
}

/// Reads the tile sets in a capabilities document of version 1.1.1.
struct TileSetReader {
    private static let resolutionLimit = 1000
    private(set) var notes: ReaderNotes

    init(notes: ReaderNotes) {
        self.notes = notes
    }

    /// Returns the tile sets in the vendor-specific part of `capability`.
    mutating func tileSets(in capability: XMLElement?) -> [WMSCTileSet] {
        let vendor = capability?.children("VendorSpecificCapabilities") ?? []
        var sets: [WMSCTileSet] = []
        for element in vendor.flatMap({ $0.children("TileSet") }) {
            guard let set = tileSet(element) else {
                notes.add(line: element.line, "invalid tile set")
                continue
            }
            sets.append(set)
        }
        return sets
    }

    private func tileSet(_ element: XMLElement) -> WMSCTileSet? {
        guard let crsName = element.text(of: "SRS") ?? element.text(of: "CRS"),
            let width = element.text(of: "Width").flatMap({ Int($0) }),
            let height = element.text(of: "Height").flatMap({ Int($0) }), (1...16384).contains(width),
            (1...16384).contains(height)
        else { return nil }
        // Resolutions are in one or more elements, separated by white space and sometimes commas.
        let numbers = element.children("Resolutions").flatMap { list in
            list.text.split(whereSeparator: { $0.isWhitespace || $0 == "," }).map { Double($0) }
        }
        let resolutions = numbers.compactMap { $0.flatMap { Resolution(unitsPerPixel: $0) } }
        guard resolutions.count == numbers.count, (1...Self.resolutionLimit).contains(resolutions.count) else {
            return nil
        }
        var extent: Extent?
        if let box = element.child("BoundingBox") {
            let sides = ["minx", "miny", "maxx", "maxy"].compactMap {
                box.attribute($0, ignoringCase: true).flatMap { Double($0.trimmingSpace()) }
            }
            guard sides.count == 4 else { return nil }
            extent = Extent(minX: sides[0], minY: sides[1], maxX: sides[2], maxY: sides[3])
        }
        return WMSCTileSet(
            crsName: crsName, extent: extent, resolutions: resolutions, tileWidth: width, tileHeight: height,
            format: element.text(of: "Format") ?? "image/png", layers: Self.list(element.children("Layers")),
            styles: Self.list(element.children("Styles")))
    }

    /// Returns the names in elements, each of which may contain several, separated by commas.
    private static func list(_ elements: [XMLElement]) -> [String] {
        let names = elements.flatMap { element in
            element.text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmingSpace() }
        }
        return names.allSatisfy(\.isEmpty) ? [] : names
    }
}
