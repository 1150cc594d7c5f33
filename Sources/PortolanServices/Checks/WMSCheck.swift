import PortolanXML

/// Checks a capabilities document of a WMS against the standard of its version, and for what clients stumble over.
///
/// It is pure: nothing is fetched. Rules are those of OGC 06-042 (1.3.0), OGC 01-068r3 (1.1.1), OGC 01-047r2 (1.1.0) and
/// OGC 00-028 (1.0.0).
public enum WMSCheck {
    /// What is to be said of a document.
    ///
    /// - Complexity: linear in its length.
    public static func findings(in evidence: CapabilitiesEvidence) -> [Finding] {
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
