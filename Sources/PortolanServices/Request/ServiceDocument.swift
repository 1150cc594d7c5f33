import PortolanXML

/// What documents of services have in common: an exception or a page for people may come in their place.
enum ServiceDocument {
    /// The tree of a document.
    ///
    /// - Throws: what the answer says when it is an exception or a page, else where it is malformed.
    static func tree(
        of bytes: [UInt8], contentType: String?, limits: XMLLimits
    ) throws(CapabilitiesError) -> XMLTree {
        let tree: XMLTree
        do { tree = try XMLReader(limits: limits).tree(of: bytes) } catch {
            try throwIfOther(bytes, contentType: contentType)
            throw .malformed(line: error.line, column: error.column, reason: error.message)
        }
        switch tree.root.name.lowercased() {
        case "html": try throwIfOther(bytes, contentType: contentType)
        case "serviceexceptionreport", "serviceexception", "wmtexception", "exceptionreport", "tilemapservererror":
            throw other(tree.root)
        default: break
        }
        return tree
    }

    /// The error that an unexpected document is.
    static func other(_ root: XMLElement) -> CapabilitiesError {
        switch root.name.lowercased() {
        case "serviceexceptionreport", "serviceexception", "wmtexception", "exceptionreport", "tilemapservererror":
            .exception(ServiceExceptionReader.exception(from: root))
        case "html": .otherDocument("a page <html>")
        default: .otherDocument("an XML document <\(root.name)>")
        }
    }

    private static func throwIfOther(_ bytes: [UInt8], contentType: String?) throws(CapabilitiesError) {
        guard let exception = ServiceExceptionReader.read(bytes, contentType: contentType) else {
            throw .otherDocument("an image")
        }
        switch exception.shape {
        case .xml: return
        case .html, .text: throw .otherDocument(exception.text)
        case .serviceExceptionReport, .wmtException, .owsExceptionReport: throw .exception(exception)
        }
    }
}
