import PortolanFeatures

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the members of a map document.
struct MapDocumentReader {
    /// How the document is called in messages, and where its relative paths begin.
    let path: String

    private var folder: URL { URL(fileURLWithPath: path).deletingLastPathComponent() }

    private func error(_ words: String) -> DocumentError { DocumentError(.content(words), in: path) }

    /// What the members say of the view.
    func view(_ members: Properties) throws(DocumentError) -> ViewRequest {
        var view = ViewRequest()
        for member in members where !["layers", "font"].contains(member.name) {
            guard let key = ViewRequest.Key(rawValue: member.name) else {
                throw error(
                    "there is no key '\(member.name)' in a map document; there are: "
                        + Self.keys.joined(separator: ", "))
            }
            let text = member.value.keyText
            guard let text, !key.isNumber || Double(text) != nil else {
                let wanted = key.isNumber ? "a number" : "a text, a number or a list of numbers"
                throw error("the value of '\(member.name)' is not \(wanted)")
            }
            do { try view.set(key, to: key == .size ? text.replacing(",", with: "x") : text) } catch {
                throw DocumentError(.view(error), in: path)
            }
        }
        do { try view.checkAlone() } catch { throw DocumentError(.view(error), in: path) }
        return view
    }

    private static let keys = [
        "layers", "size", "pixel-ratio", "crs", "bbox", "bbox-crs", "center", "zoom", "resolution", "scale", "fit",
        "padding", "max-zoom", "rotation", "font",
    ]

    /// A font or a list of fonts; the paths of files are relative to the document.
    func fonts(_ value: PropertyValue?) throws(DocumentError) -> [FontChoice] {
        let entries: [PropertyValue] =
            switch value {
            case nil, .null: []
            case .array(let list): list
            case .some(let one): [one]
            }
        var fonts: [FontChoice] = []
        for entry in entries {
            guard let text = entry.stringValue, !text.isEmpty else {
                throw error("the value of 'font' is not a file, a family or a list of them")
            }
            fonts.append(FontChoice(text, relativeTo: folder.path))
        }
        return fonts
    }

    /// The layers of a list.
    func layers(_ value: PropertyValue?) throws(DocumentError) -> [LayerSpecification] {
        guard case .array(let entries) = value ?? .array([]) else { throw error("'layers' is not a list of layers") }
        var layers: [LayerSpecification] = []
        for (place, entry) in entries.enumerated() {
            guard case .object(let keys) = entry else { throw error("layer \(place + 1) is not an object") }
            layers.append(try layer(keys, number: place + 1))
        }
        return layers
    }

    private func layer(_ keys: Properties, number: Int) throws(DocumentError) -> LayerSpecification {
        var kind: LayerKind?
        var source: String?
        var values: [String: String] = [:]
        for member in keys {
            let key = member.name
            guard let text = member.value.keyText else {
                throw error("layer \(number): the value of '\(key)' is not a text, a number or a list of them")
            }
            let named = key == "source" ? .features : LayerKind.named(key)
            if let named {
                guard source == nil else { throw error("layer \(number) names more than one source") }
                kind = named
                source = text
            } else {
                values[key] = text
            }
        }
        guard let kind, var source, !source.isEmpty else {
            let names = LayerKind.all.filter { $0 != .features }.map(\.name)
            throw error("layer \(number) names no source; give one of: source, \(names.joined(separator: ", "))")
        }
        if kind.hasPath, source != "-", !source.contains("://"), !source.hasPrefix("data:") {
            source = URL(fileURLWithPath: source, relativeTo: folder).path
        }
        do { return try LayerSpecification(kind: kind, source: source, values: values) } catch {
            throw DocumentError(.layer(number, error), in: path)
        }
    }
}
