package import PortolanXML

/// Reads capabilities documents of WMTS 1.0.0.
///
/// ```swift
/// let capabilities = try WMTSCapabilitiesReader.read(bytes)
/// print(capabilities.layers.map(\.identifier))
/// ```
///
/// Missing or invalid content becomes a warning if the rest is usable.
public enum WMTSCapabilitiesReader {
    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: the document, at most 64 MiB.
    ///   - contentType: the declared type, for error messages only.
    /// - Complexity: linear in the length of the document.
    public static func read(
        _ bytes: [UInt8], contentType: String? = nil
    ) throws(CapabilitiesError) -> WMTSCapabilities {
        try read(bytes, contentType: contentType, limits: XMLLimits())
    }

    /// Reads a document within limits.
    package static func read(
        _ bytes: [UInt8], contentType: String? = nil, limits: XMLLimits
    ) throws(CapabilitiesError) -> WMTSCapabilities {
        let tree = try ServiceDocument.tree(of: bytes, contentType: contentType, limits: limits)
        // Documents of other services have the root `Capabilities` as well, but no tiles.
        guard tree.root.name.lowercased() == "capabilities",
            tree.root.child("Contents") != nil || tree.root.namespace?.lowercased().contains("wmts") == true
        else { throw ServiceDocument.other(tree.root) }
        return capabilities(from: tree)
    }

    private static func capabilities(from tree: XMLTree) -> WMTSCapabilities {
        let root = tree.root
        var reader = WMTSLayerReader(notes: ReaderNotes(tree.warnings))
        let contents = root.children("Contents")
        if contents.isEmpty { reader.note("no Contents element in the document") }
        let sets = contents.flatMap { $0.children("TileMatrixSet") }.compactMap { reader.matrixSet($0) }
        let layers = contents.flatMap { $0.children("Layer") }.compactMap { reader.layer($0) }
        for (what, names) in [("layer", layers.map(\.identifier)), ("matrix set", sets.map(\.identifier))] {
            var seen: Set<String> = []
            for name in names where !seen.insert(name).inserted {
                reader.note("duplicate \(what) '\(name)'; using the first")
            }
        }
        let names = Set(sets.map(\.identifier))
        for layer in layers {
            for link in layer.links where !names.contains(link.matrixSet) {
                reader.note("layer '\(layer.identifier)': unknown matrix set '\(link.matrixSet)'")
            }
        }
        let operations = (root.child("OperationsMetadata")?.children("Operation") ?? []).map(operation)
        return WMTSCapabilities(
            versionText: root.attribute("version")?.trimmingSpace() ?? "",
            updateSequence: root.attribute("updateSequence"), service: service(root), operations: operations,
            layers: layers, matrixSets: sets, documentURL: root.child("ServiceMetadataURL")?.attribute("href"),
            warnings: reader.notes.warnings)
    }

    private static func service(_ root: XMLElement) -> WMTSCapabilities.Service {
        var service = WMTSCapabilities.Service()
        if let identification = root.child("ServiceIdentification") {
            service.title = identification.text(of: "Title") ?? ""
            service.abstract = identification.text(of: "Abstract")
            service.keywords = WMTSLayerReader.keywords(of: identification)
            service.fees = identification.text(of: "Fees")
            service.accessConstraints = identification.text(of: "AccessConstraints")
        }
        service.provider = root.child("ServiceProvider")?.text(of: "ProviderName")
        service.providerSite = root.descendant("ServiceProvider", "ProviderSite")?.attribute("href")
        return service
    }

    private static func operation(_ element: XMLElement) -> WMTSCapabilities.Operation {
        var endpoints: [WMTSCapabilities.Operation.Endpoint] = []
        for get in element.children("DCP").flatMap({ $0.children("HTTP") }).flatMap({ $0.children("Get") }) {
            guard let url = get.attribute("href")?.trimmingSpace(), !url.isEmpty else { continue }
            let encodings = get.children("Constraint")
                .filter { $0.attribute("name")?.lowercased() == "getencoding" }
                .flatMap { constraint in
                    (constraint.children("AllowedValues") + [constraint]).flatMap { $0.children("Value") }
                }
                .map(\.text)
            endpoints.append(.init(url: url, encodings: encodings))
        }
        return WMTSCapabilities.Operation(name: element.attribute("name") ?? "", endpoints: endpoints)
    }
}
