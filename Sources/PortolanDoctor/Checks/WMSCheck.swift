import PortolanServices
import PortolanXML

/// Checks a capabilities document of a WMS against the standard of its version, and for what clients stumble over.
///
/// It is pure: nothing is fetched. Rules are those of OGC 06-042 (1.3.0), OGC 01-068r3 (1.1.1), OGC 01-047r2 (1.1.0) and
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
                .fault, .documentUnreadable, evidence.askedVersion ?? "no version asked", "\(error)",
                remedy: "ask for the document in a browser and mend what the line tells; text of the operator's own "
                    + "must have &, < and > escaped")
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
                "there are \(capabilities.layers.count) outermost layers, where the schema has one; clients may show the "
                    + "first alone",
                remedy: "put them into one layer without a name")
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
        if WMSVersion(capabilities.versionText) == nil {
            list.add(
                .deviation, .versionUnreadable, "root element", "the version is '\(capabilities.versionText)'",
                remedy: "write version=\"1.3.0\" or what the document follows")
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
                "there is a DOCTYPE, which version 1.3.0 does not have; strict parsers refuse the document",
                remedy: "leave it out and name the schema in xsi:schemaLocation")
        }
        let usual =
            isNew ? ["text/xml", "application/xml"] : ["application/vnd.ogc.wms_xml", "text/xml", "application/xml"]
        if let type = document.mediaType, !usual.contains(type) {
            list.add(
                .deviation, .contentType, subject,
                "the document is declared as '\(type)'; clients may take it for a page",
                remedy: "send \(usual[0]) as its Content-Type")
        }
    }
}

/// Checks what a WMS says of its operations, formats and limits.
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
                "layers are queryable, and the operation is not offered",
                remedy: "offer GetFeatureInfo, or set queryable to 0")
        }
    }

    private func checkAddresses(into list: inout FindingList) {
        for name in ["GetCapabilities", "GetMap"] where capabilities.operation(named: name)?.getURL == nil {
            list.add(
                name == "GetMap" ? .fault : .deviation, .operationMissing, name,
                "no address is given for it; clients must guess",
                remedy: "give its OnlineResource under Request/\(name)/DCPType/HTTP/Get")
        }
        for operation in root.descendant("Capability", "Request").map({ Array($0.children) }) ?? [] {
            let methods = operation.children("DCPType").flatMap { $0.children("HTTP") }.flatMap(\.children).map(\.name)
            guard let post = methods.firstIndex(of: "Post"), let get = methods.firstIndex(of: "Get"), post < get else {
                continue
            }
            list.add(
                capabilities.version >= .v1_3_0 ? .deviation : .note, .postFirst, operation.name,
                "its address for Post stands before that for Get; clients that take the first ask at the wrong one",
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
                    .deviation, .formatMissing, "GetMap", "no format is listed",
                    remedy: "list each format the service can draw in a <Format>")
            } else if !operation.formats.contains(where: { $0.bareMediaType == "image/png" }) {
                list.add(
                    .note, .formatMissing, "GetMap",
                    "image/png is not among the formats; others can hide what lies below, or not be read",
                    remedy: "offer image/png")
            }
        }
        if let operation = capabilities.getFeatureInfo, operation.formats.isEmpty {
            list.add(
                .deviation, .formatMissing, "GetFeatureInfo", "no format is listed; clients must guess what to ask for",
                remedy: "list each format of the answers in a <Format>")
        }
        guard capabilities.version > .v1_0_0 else { return }
        let wanted = capabilities.version.xmlExceptions
        let offered = capabilities.exceptionFormats.map { $0.verbatim.lowercased() }
        if !offered.contains(wanted.lowercased()) {
            list.add(
                .deviation, .exceptionFormatMissing, "Exception",
                "'\(wanted)' is not among the forms of exceptions, although version \(capabilities.version) asks for it",
                remedy: "list <Format>\(wanted)</Format> first under Exception")
        }
    }

    private func checkLimits(into list: inout FindingList) {
        let service = root.child("Service")
        for (name, least) in [("MaxWidth", 512), ("MaxHeight", 512), ("LayerLimit", 2)] {
            guard let text = service?.text(of: name) else { continue }
            guard let limit = Int(text.trimmingSpace()), limit > 0 else {
                list.add(
                    .deviation, .limitTight, name, "'\(text)' is no whole number above 0; clients ignore it or fail",
                    remedy: "write the number, or leave the element out when there is no limit")
                continue
            }
            if limit < least {
                list.add(
                    .note, .limitTight, name, "the limit is \(limit); a map on a screen takes several requests",
                    remedy: "raise it if the server can bear it")
            }
        }
    }
}

/// Checks the form of values in a capabilities document of a WMS: readers that follow the schema refuse others.
struct WMSValueCheck {
    let version: WMSVersion

    func check(_ root: XMLElement, into list: inout FindingList) {
        if let service = root.child("Service"), service.text(of: "Title") == nil {
            list.add(
                .deviation, .titleMissing, "<Service>",
                "the service has no title; lists for people have nothing to show",
                remedy: "give it a <Title>")
        }
        if let name = root.child("Service")?.text(of: "Name"), !names.contains(name) {
            list.add(
                .deviation, .valueMalformed, "<Service>",
                "the service's <Name> is '\(name)', not '\(names[0])'; some clients tell kinds of services by it",
                remedy: "write <Name>\(names[0])</Name>, and what people shall read in <Title>")
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
