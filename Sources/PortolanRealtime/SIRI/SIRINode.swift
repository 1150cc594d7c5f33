import PortolanFeatures
import PortolanXML

/// A node of a SIRI document, either XML or JSON.
///
/// In JSON, a list may be a single object, a text may be `{"value": …}`, numbers may be strings, and names may start
/// with a lower-case letter.
enum SIRINode {
    case xml(XMLElement)
    case json(PropertyValue)

    /// Returns the children with a name, in order.
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

    /// Returns the descendant at a path of names, taking the first child at each step.
    func child(_ path: String...) -> SIRINode? {
        var node = self
        for name in path {
            guard let next = node.children(name).first else { return nil }
            node = next
        }
        return node
    }

    /// The text, or `nil` if it is empty or missing.
    var text: String? {
        switch self {
        case .xml(let element): return element.text.isEmpty ? nil : element.text
        case .json(let value):
            if let members = value.objectValue { return members["value"].flatMap { SIRINode.json($0).text } }
            return value.displayText.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// Returns the text of the descendant at a path of names.
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

    /// Returns the texts of the children with a name, by language.
    func texts(_ name: String) -> [String: String] {
        Dictionary(children(name).compactMap { node in node.text.map { (node.language, $0) } }) { first, _ in first }
    }

    private static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}
