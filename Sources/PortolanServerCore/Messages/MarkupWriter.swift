import PortolanXML

/// Writes XML and HTML, element by element.
struct MarkupWriter {
    /// The output so far, in UTF-8.
    private(set) var bytes: [UInt8]

    /// Starts a document with its prolog.
    init(_ beginning: String = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") { bytes = Array(beginning.utf8) }

    /// Writes a document type declaration.
    mutating func declareType(_ root: String, _ address: String) {
        bytes += Array("<!DOCTYPE \(root) SYSTEM \"\(address)\">\n".utf8)
    }

    /// Writes an element with text, or an empty element.
    mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ text: String = "") {
        open(name, attributes)
        guard !text.isEmpty else {
            bytes += Array("/>".utf8)
            return
        }
        bytes += Array(">".utf8)
        bytes.append(xml: text)
        bytes += Array("</\(name)>\n".utf8)
    }

    /// Writes an element with child elements.
    mutating func element(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ content: (inout MarkupWriter) -> Void
    ) {
        open(name, attributes)
        bytes += Array(">\n".utf8)
        content(&self)
        bytes += Array("</\(name)>\n".utf8)
    }

    /// Writes an element with text and attributes, of which those without a value are left out.
    mutating func element(_ name: String, optional attributes: KeyValuePairs<String, String?>, _ text: String = "") {
        open(name, attributes.compactMap { name, value in value.map { (key: name, value: $0) } })
        guard !text.isEmpty else {
            bytes += Array("/>\n".utf8)
            return
        }
        bytes += Array(">".utf8)
        bytes.append(xml: text)
        bytes += Array("</\(name)>\n".utf8)
    }

    private mutating func open(_ name: String, _ attributes: some Sequence<(key: String, value: String)>) {
        bytes += Array("<\(name)".utf8)
        for (name, value) in attributes {
            bytes += Array(" \(name)=\"".utf8)
            bytes.append(xml: value, isAttribute: true)
            bytes += Array("\"".utf8)
        }
    }
}
