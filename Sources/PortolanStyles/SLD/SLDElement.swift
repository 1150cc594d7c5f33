import PortolanWeb
import PortolanXML

/// An element of a Styled Layer Descriptor, with its texts and elements in order, since labels contain mixed content.
struct SLDElement: Sendable {
    /// A text or an element.
    enum Part: Sendable {
        case text(String)
        /// The text of a CDATA section, whose white space is significant.
        case verbatim(String)
        case element(SLDElement)
    }

    /// The name without its prefix.
    let name: String
    let attributes: [XMLAttribute]
    let line: Int
    fileprivate(set) var parts: [Part] = []

    /// The child elements.
    var children: [SLDElement] {
        parts.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// Whether it is a symbolizer of any version.
    var isSymbolizer: Bool { name.hasSuffix("Symbolizer") }

    /// The first child element of a name, or `nil`.
    func child(_ name: String) -> SLDElement? { children.first { $0.name == name } }

    /// The child elements of a name.
    func children(_ name: String) -> [SLDElement] { children.filter { $0.name == name } }

    /// The unmodified text content.
    var rawText: String {
        parts.map { part in
            switch part {
            case .text(let text), .verbatim(let text): text
            case .element: ""
            }
        }.joined()
    }

    /// The text content with the white space of CDATA sections, but without leading and trailing white space of other
    /// text.
    var verbatimText: String {
        parts.map { part in
            switch part {
            case .text(let text): Self.trimmed(text)
            case .verbatim(let text): text
            case .element: ""
            }
        }.joined()
    }

    /// The text content without leading and trailing white space.
    var text: String { Self.trimmed(rawText) }

    static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The value of an attribute, or `nil`.
    func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// Reads a document leniently, and also returns warnings about repairs.
    static func read(_ bytes: [UInt8]) throws(XMLError) -> (root: SLDElement, warnings: [MapWarning]) {
        let reader = XMLReader(limits: XMLLimits(byteCount: 16 << 20, elementCount: 500_000))
        var builder = Builder()
        let warnings = try reader.readLeniently(bytes) { bytes throws(XMLError) in
            builder = Builder()
            return try reader.read(bytes, into: builder)
        }
        guard let root = builder.root else { throw XMLError(.empty, line: 1) }
        return (root, warnings.filter { $0.effect == .repaired })
    }

    /// The name of the root element, or `nil` for an invalid document.
    static func rootName(of bytes: [UInt8]) -> String? {
        let handler = FirstTag()
        // Parsing stops as soon as the name is known.
        _ = try? XMLReader().read(bytes, into: handler)
        return handler.name == "StyledLayerDescriptor" ? handler.name : XMLRoot(bytes.prefix(65_536))?.name
    }

    private final class FirstTag: XMLHandler {
        var name: String?

        func startElement(_ tag: XMLStartTag) throws(XMLError) {
            name = tag.name
            throw XMLError(.refused("enough is known"), line: tag.line)
        }

        func text(_ utf8: Span<UInt8>) throws(XMLError) {}
        func endElement() throws(XMLError) {}
    }

    private final class Builder: XMLHandler {
        var root: SLDElement?
        private var open: [(element: SLDElement, text: [UInt8], isVerbatim: Bool)] = []

        func startElement(_ tag: XMLStartTag) throws(XMLError) {
            closeText()
            open.append((SLDElement(name: tag.name, attributes: tag.attributes, line: tag.line), [], false))
        }

        func text(_ utf8: Span<UInt8>) throws(XMLError) { add(utf8, isVerbatim: false) }

        func verbatim(_ utf8: Span<UInt8>) throws(XMLError) { add(utf8, isVerbatim: true) }

        private func add(_ utf8: Span<UInt8>, isVerbatim: Bool) {
            guard !open.isEmpty else { return }
            if open[open.count - 1].isVerbatim != isVerbatim { closeText() }
            open[open.count - 1].isVerbatim = isVerbatim
            for index in utf8.indices { open[open.count - 1].text.append(utf8[index]) }
        }

        func endElement() throws(XMLError) {
            closeText()
            guard let last = open.popLast() else { return }
            if open.isEmpty {
                root = last.element
            } else {
                open[open.count - 1].element.parts.append(.element(last.element))
            }
        }

        private func closeText() {
            guard let last = open.last, !last.text.isEmpty else { return }
            let text = String(decoding: last.text, as: UTF8.self)
            open[open.count - 1].element.parts.append(last.isVerbatim ? .verbatim(text) : .text(text))
            open[open.count - 1].text = []
        }
    }
}

/// Unsupported content of a Styled Layer Descriptor: an element or its value.
struct SLDFault: Error {
    /// The effect on the picture.
    enum Effect {
        /// It is drawn without the named content.
        case ignored
        /// Something is missing from the picture.
        case loss
        /// It is drawn; a remark describes the difference.
        case drawn
    }

    let what: String
    let line: Int
    var effect: Effect

    init(_ what: String, _ element: SLDElement, _ effect: Effect = .ignored) {
        self.what = what
        self.effect = effect
        line = element.line
    }
}

extension SLDElement {
    /// The vendor option of a name.
    func vendorOption(_ name: String) -> SLDElement? {
        children("VendorOption").first { $0.attribute("name") == name }
    }

    /// The display name of a vendor option.
    var vendorOptionName: String { "VendorOption '\(attribute("name")?.prefix(40) ?? "")'" }
}
