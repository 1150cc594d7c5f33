import PortolanServices
import PortolanXML

/// Checks a WMS capabilities document against the standard of its version, and for problems of clients.
///
/// Sends no requests. The rules are those of OGC 06-042 (1.3.0), OGC 01-068r3 (1.1.1), OGC 01-047r2 (1.1.0) and
/// OGC 00-028 (1.0.0).
package enum WMSCheck {
    /// The findings about a document.
    ///
    /// - Complexity: linear in its length.
    package static func findings(in evidence: CapabilitiesEvidence) -> [Finding] {
        var list = FindingList()
        let capabilities: WMSCapabilities, tree: XMLTree
        do {
            capabilities = try WMSCapabilitiesReader.read(evidence.bytes, contentType: evidence.contentType)
            tree = try XMLReader().tree(of: evidence.bytes)
        } catch {
            list.add(
                .fault, .documentUnreadable, evidence.askedVersion ?? "no version requested", "\(error)",
                remedy: "open the document in a browser and fix the stated line; in your own texts, "
                    + "escape &, < and >")
            return list.findings
        }
        let subject = "version \(capabilities.versionText)"
        let document = DocumentCheck(evidence, subject: subject)
        list.add(document.findings(markup: tree.warnings))
        checkRoot(tree.root, of: capabilities, document, subject, into: &list)
        WMSOperationsCheck(capabilities: capabilities, root: tree.root, evidence: evidence).check(into: &list)
        WMSLayerCheck(version: capabilities.version).check(tree.root, capabilities, into: &list)
        if capabilities.layers.count > 1 {
            list.add(
                .deviation, .elementMisplaced, "<Capability>",
                "\(capabilities.layers.count) root layers, but the schema allows one; clients may show only the "
                    + "first",
                remedy: "wrap them in one layer without a name")
        }
        let isNew = capabilities.version >= .v1_3_0
        ContentModel.wms(capabilities.version)?.check(
            tree.root, namespaces: isNew ? [tree.root.namespace ?? ""] : [], into: &list)
        WMSValueCheck(version: capabilities.version).check(tree.root, into: &list)
        return list.findings
    }

    private static func checkRoot(
        _ root: XMLElement, of capabilities: WMSCapabilities, _ document: DocumentCheck, _ subject: String,
        into list: inout FindingList
    ) {
        let version = capabilities.version, isNew = version >= .v1_3_0
        if WMSCapabilities.Version(capabilities.versionText) == nil {
            list.add(
                .deviation, .versionUnreadable, "root element", "the version is '\(capabilities.versionText)'",
                remedy: "write version=\"1.3.0\", or the version that the document follows")
        }
        let expected = isNew ? "WMS_Capabilities" : "WMT_MS_Capabilities"
        if root.name != expected {
            list.add(
                .deviation, .rootElement, subject, "the root element is <\(root.name)>, not <\(expected)>",
                remedy: "write the document by the schema of its version")
        }
        let namespace = "http://www.opengis.net/wms"
        if isNew, root.namespace != namespace {
            list.add(
                .deviation, .namespaceWrong, subject,
                "the namespace is \(root.namespace.map { "'\($0)'" } ?? "missing"), not '\(namespace)'",
                remedy: "declare xmlns=\"\(namespace)\" at the root element")
        }
        if isNew, document.hasDoctype {
            list.add(
                .deviation, .doctypeUnexpected, subject,
                "DOCTYPE is not allowed in version 1.3.0; strict parsers reject the document",
                remedy: "remove it, and name the schema in xsi:schemaLocation")
        }
        let usual =
            isNew ? ["text/xml", "application/xml"] : ["application/vnd.ogc.wms_xml", "text/xml", "application/xml"]
        if let type = document.mediaType, !usual.contains(type) {
            list.add(
                .deviation, .contentType, subject,
                "the Content-Type of the document is '\(type)'; clients may treat it as a web page",
                remedy: "set the Content-Type to \(usual[0])")
        }
    }
}

/// Checks the operations, formats and limits of a WMS.
struct WMSOperationsCheck {
    let capabilities: WMSCapabilities
    let root: XMLElement
    let evidence: CapabilitiesEvidence

    func check(into list: inout FindingList) {
        checkAddresses(into: &list)
        checkFormats(into: &list)
        checkLimits(into: &list)
        if capabilities.getFeatureInfo == nil, capabilities.allLayers.contains(where: \.isQueryable) {
            list.add(
                .deviation, .queryableWithoutOperation, "GetFeatureInfo",
                "layers are queryable, but GetFeatureInfo is not offered",
                remedy: "offer GetFeatureInfo, or set queryable to 0")
        }
    }

    private func checkAddresses(into list: inout FindingList) {
        for name in ["GetCapabilities", "GetMap"] where capabilities.operation(named: name)?.getURL == nil {
            list.add(
                name == "GetMap" ? .fault : .deviation, .operationMissing, name,
                "no URL is given for it; clients must guess",
                remedy: "add its OnlineResource under Request/\(name)/DCPType/HTTP/Get")
        }
        for operation in root.descendant("Capability", "Request").map({ Array($0.children) }) ?? [] {
            let methods = operation.children("DCPType").flatMap { $0.children("HTTP") }.flatMap(\.children).map(\.name)
            guard let post = methods.firstIndex(of: "Post"), let get = methods.firstIndex(of: "Get"), post < get else {
                continue
            }
            list.add(
                capabilities.version >= .v1_3_0 ? .deviation : .note, .postFirst, operation.name,
                "its Post URL precedes its Get URL; clients that use the first one fail",
                remedy: "write <Get> first")
        }
        let check = AddressCheck(askedAt: evidence.address)
        for operation in capabilities.operations {
            guard let address = operation.getURL else { continue }
            check.check(address, subject: operation.name, isPrefix: true, into: &list)
        }
    }

    private func checkFormats(into list: inout FindingList) {
        if let operation = capabilities.getMap {
            if operation.formats.isEmpty {
                list.add(
                    .deviation, .formatMissing, "GetMap", "no format listed",
                    remedy: "list each image format in a <Format>")
            } else if !operation.formats.contains(where: { $0.bareMediaType == "image/png" }) {
                list.add(
                    .note, .formatMissing, "GetMap",
                    "image/png is not offered; other formats may hide the layers below, or be unreadable",
                    remedy: "offer image/png")
            }
        }
        if let operation = capabilities.getFeatureInfo, operation.formats.isEmpty {
            list.add(
                .deviation, .formatMissing, "GetFeatureInfo", "no format listed; clients must guess",
                remedy: "list each response format in a <Format>")
        }
        guard capabilities.version > .v1_0_0 else { return }
        let wanted = capabilities.version.xmlExceptions
        let offered = capabilities.exceptionFormats.map { $0.verbatim.lowercased() }
        if !offered.contains(wanted.lowercased()) {
            list.add(
                .deviation, .exceptionFormatMissing, "Exception",
                "'\(wanted)' is not among the exception formats, although version \(capabilities.version) requires it",
                remedy: "list <Format>\(wanted)</Format> first under Exception")
        }
    }

    private func checkLimits(into list: inout FindingList) {
        let service = root.child("Service")
        for (name, least) in [("MaxWidth", 512), ("MaxHeight", 512), ("LayerLimit", 2)] {
            guard let text = service?.text(of: name) else { continue }
            guard let limit = Int(text.trimmingSpace()), limit > 0 else {
                list.add(
                    .deviation, .limitTight, name, "'\(text)' is not a whole number above 0; clients ignore it or fail",
                    remedy: "write the number, or remove the element if there is no limit")
                continue
            }
            if limit < least {
                list.add(
                    .note, .limitTight, name, "the limit is \(limit); a map on a screen needs several requests",
                    remedy: "raise it if the server can handle it")
            }
        }
    }
}

/// Checks the format of values in a WMS capabilities document: strict readers reject invalid ones.
struct WMSValueCheck {
    let version: WMSCapabilities.Version

    func check(_ root: XMLElement, into list: inout FindingList) {
        if let service = root.child("Service"), service.text(of: "Title") == nil {
            list.add(
                .deviation, .titleMissing, "<Service>",
                "the service has no title; catalogues have nothing to show",
                remedy: "give it a <Title>")
        }
        if let name = root.child("Service")?.text(of: "Name"), !names.contains(name) {
            list.add(
                .deviation, .valueMalformed, "<Service>",
                "the service's <Name> is '\(name)', not '\(names[0])'; some clients identify the kind of service by it",
                remedy: "write <Name>\(names[0])</Name>, and the text for people in <Title>")
        }
        for layer in root.child("Capability")?.children("Layer") ?? [] { checkLayer(layer, into: &list) }
    }

    /// The names of the service by the schema of the version.
    private var names: [String] {
        switch version {
        case .v1_0_0: ["GetMap", "OGC:WMS", "WMS"]
        case .v1_1_0, .v1_1_1: ["OGC:WMS", "GetMap", "WMS"]
        case .v1_3_0: ["WMS"]
        }
    }

    private func checkLayer(_ layer: XMLElement, into list: inout FindingList) {
        let subject = layer.text(of: "Name").map { "'\($0)'" } ?? "a group layer (line \(layer.line))"
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
                "a dimension has no \(missing.joined(separator: " and no ")), which the schema requires",
                remedy: "add it, empty if there is no unit")
        }
        for number in numbers(of: layer) where Double(number.trimmingSpace()) == nil {
            list.add(
                .deviation, .valueMalformed, subject, "'\(number)' in a box or scale is not a number",
                remedy: "write digits with a decimal point, regardless of the server's locale")
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
