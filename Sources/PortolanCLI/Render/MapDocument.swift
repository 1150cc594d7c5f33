import Foundation
import Portolan

/// A map as a JSON document describes it: the view, and the layers bottom first.
struct MapDocument {
    var view = ViewOptions()
    var layers: [LayerSpecification] = []

    /// Reads the document at `path`; relative paths in it are relative to it.
    init(path: String) throws(CommandFailure) {
        let url = URL(fileURLWithPath: path)
        let bytes: Data
        do { bytes = try Data(contentsOf: url) } catch {
            throw CommandFailure(.noInput, "\(path): the map document cannot be read")
        }
        let value: JSONValue
        do { value = try JSONDecoder().decode(JSONValue.self, from: bytes) } catch {
            throw CommandFailure(.badData, "\(path): this is not JSON: \(Self.reason(error))")
        }
        guard case .object(let members) = value else {
            throw CommandFailure(.badData, "\(path): a map document is a JSON object")
        }
        try readView(members, path: path)
        guard case .array(let entries)? = members["layers"] else {
            throw CommandFailure(.badData, "\(path): 'layers' is not a list of layers")
        }
        for (place, entry) in entries.enumerated() {
            guard case .object(let keys) = entry else {
                throw CommandFailure(.badData, "\(path): layer \(place + 1) is not an object")
            }
            layers.append(try Self.layer(keys, number: place + 1, path: path, folder: url.deletingLastPathComponent()))
        }
    }

    private mutating func readView(_ members: [String: JSONValue], path: String) throws(CommandFailure) {
        for (key, value) in members.sorted(by: { $0.key < $1.key }) where key != "layers" {
            let text = value.text, number = text.flatMap { Double($0) }
            switch key {
            case "size": view.size = text?.replacing(",", with: "x")
            case "crs": view.crs = text
            case "center": view.center = text
            case "bbox": view.bbox = text
            case "bbox-crs": view.bboxCRS = text
            case "scale": view.scale = text
            case "zoom": view.zoom = number
            case "resolution": view.resolution = number
            case "rotation": view.rotation = number
            case "pixel-ratio": view.pixelRatio = number
            case "padding": view.padding = number
            case "max-zoom": view.maxZoom = number
            case "fit": view.fit = text == "true"
            default: throw CommandFailure(.badData, "\(path): there is no key '\(key)' in a map document")
            }
            let isNumber = ["zoom", "resolution", "rotation", "pixel-ratio", "padding", "max-zoom"].contains(key)
            guard text != nil, !isNumber || number != nil else {
                throw CommandFailure(.badData, "\(path): '\(key)' has a value of the wrong kind")
            }
        }
    }

    private static func layer(
        _ keys: [String: JSONValue], number: Int, path: String, folder: URL
    ) throws(CommandFailure) -> LayerSpecification {
        var kind: LayerSpecification.Kind?
        var source: String?
        var values: [String: String] = [:]
        for (key, value) in keys {
            guard let text = value.text else {
                throw CommandFailure(.badData, "\(path): layer \(number): '\(key)' has a value of the wrong kind")
            }
            let named = key == "source" ? .features : LayerSpecification.Kind(rawValue: key)
            if let named {
                guard source == nil else {
                    throw CommandFailure(.badData, "\(path): layer \(number) names more than one source")
                }
                kind = named
                source = text
            } else {
                values[key] = text
            }
        }
        guard let kind, var source else {
            throw CommandFailure(
                .badData, "\(path): layer \(number) names no source; give 'source', 'wms', 'wmsc', 'xyz' or 'tms'")
        }
        if kind == .features, source != "-", !source.contains("://"), !source.hasPrefix("data:") {
            source = URL(fileURLWithPath: source, relativeTo: folder).path
        }
        do { return try LayerSpecification(kind: kind, source: source, values: values) } catch {
            throw CommandFailure(.badData, "\(path): layer \(number): \(error.message)")
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard case .dataCorrupted(let context)? = error as? DecodingError else { return "\(error)" }
        return (context.underlyingError.map { "\($0)" }) ?? context.debugDescription
    }
}

/// Any JSON value, as far as map documents need it.
enum JSONValue: Decodable {
    case text(String), number(Double), flag(Bool), array([JSONValue]), object([String: JSONValue]), null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let array = try? container.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// The value as an option's text, lists with commas; `nil` for objects and null.
    var text: String? {
        switch self {
        case .text(let text): return text
        case .number(let number):
            return Int(exactly: number).map { String($0) } ?? String(number)
        case .flag(let flag): return flag ? "true" : "false"
        case .array(let values):
            let texts = values.compactMap(\.text)
            return texts.count == values.count ? texts.joined(separator: ",") : nil
        case .object, .null: return nil
        }
    }
}
