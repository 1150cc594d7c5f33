import PortolanFeatures
import PortolanXML

/// A part of a SIRI document, be it XML or JSON: a name's first child, all of them, its text.
///
/// In JSON a list may be one object, a text may stand as `{"value": …}`, numbers may be texts, and names may begin small.
enum SIRINode {
    case xml(XMLElement)
    case json(PropertyValue)

    /// The children of a name, in their order.
    func children(_ name: String) -> [SIRINode] {
        switch self {
        case .xml(let element): return element.children(name).map { .xml($0) }
        case .json(let value):
            guard let members = value.objectValue, let child = members[name] ?? members[Self.lowered(name)] else {
                return []
            }
            if let list = child.arrayValue { return list.map { .json($0) } }
            return child == .null ? [] : [.json(child)]
        }
    }

    /// The first child of a name, or that of its first child, and so on.
    func child(_ path: String...) -> SIRINode? {
        var node = self
        for name in path {
            guard let next = node.children(name).first else { return nil }
            node = next
        }
        return node
    }

    /// The text, or `nil` where it is empty or there is none.
    var text: String? {
        switch self {
        case .xml(let element): return element.text.isEmpty ? nil : element.text
        case .json(let value):
            if let members = value.objectValue { return members["value"].flatMap { SIRINode.json($0).text } }
            return value.displayText.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// The text of the first child of a name.
    func text(_ path: String...) -> String? {
        var node = self
        for name in path {
            guard let next = node.children(name).first else { return nil }
            node = next
        }
        return node.text
    }

    /// The language of the text, or "".
    var language: String {
        switch self {
        case .xml(let element): element.attribute("lang") ?? ""
        case .json(let value): value.objectValue?["lang"]?.stringValue ?? ""
        }
    }

    /// The texts of the children of a name by their languages.
    func texts(_ name: String) -> [String: String] {
        Dictionary(children(name).compactMap { node in node.text.map { (node.language, $0) } }) { first, _ in first }
    }

    private static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}
