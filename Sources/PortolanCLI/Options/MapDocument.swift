import Foundation
import Portolan
import PortolanWeb

/// A map as a JSON document describes it: the view, and the layers bottom first.
package struct MapDocument {
    package private(set) var view = ViewRequest(isDocument: true)
    package private(set) var layers: [LayerSpecification] = []
    /// The fonts, in order of preference.
    package private(set) var fonts: [FontChoice] = []

    /// How a file is called in messages, and where its relative paths begin.
    private let path: String

    /// The most bytes a map document may have.
    private static let largest = 16 << 20

    /// Reads the document at `path`; relative paths in it are relative to it.
    package init(path: String) throws(CommandFailure) {
        try self.init(bytes: Self.content(of: path), path: path)
    }

    /// Reads a document that stands, or would stand, at `path`.
    package init(bytes: [UInt8], path: String) throws(CommandFailure) {
        self.path = path
        guard bytes.count <= Self.largest else {
            throw CommandFailure(.badData, "\(path): a map document has at most 16 MiB")
        }
        let members = try JSONDocument.object(in: bytes, from: path)
        if members["type"] != nil, members["layers"] == nil {
            throw CommandFailure(.badData, "\(path): this is GeoJSON, not a map document; draw it with -l \(path)")
        }
        try readView(members)
        fonts = try fonts(members["font"])
        do { try view.checkAlone() } catch { throw error.inDocument("\(path): \(error.message)") }
        guard case .array(let entries) = members["layers"] ?? .array([]) else {
            throw CommandFailure(.badData, "\(path): 'layers' is not a list of layers")
        }
        for (place, entry) in entries.enumerated() {
            guard case .object(let keys) = entry else {
                throw CommandFailure(.badData, "\(path): layer \(place + 1) is not an object")
            }
            layers.append(try layer(keys, number: place + 1))
        }
    }

    private static func content(of path: String) throws(CommandFailure) -> [UInt8] {
        let url = URL(fileURLWithPath: path)
        guard let values = try? url.resourceValues(forKeys: [.isDirectoryKey, .fileSizeKey]) else {
            throw CommandFailure(
                .noInput, "\(path): there is no such map document; a layer is given with -l")
        }
        if values.isDirectory == true {
            throw CommandFailure(.noInput, "\(path): this is a folder, not a map document")
        }
        // What is larger is refused by its bytes; no more of them than that are read.
        guard let file = try? FileHandle(forReadingFrom: url),
            let bytes = try? file.read(upToCount: largest + 1) ?? Data()
        else { throw CommandFailure(.noInput, "\(path): the map document may not be read") }
        return [UInt8](bytes)
    }

    private mutating func readView(_ members: Properties) throws(CommandFailure) {
        for member in members where !["layers", "font"].contains(member.name) {
            let key = member.name, text = member.value.optionText, number = text.flatMap { Double($0) }
            let isNumber = ["zoom", "resolution", "rotation", "pixel-ratio", "padding", "max-zoom"].contains(key)
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
            case "fit": view.isFitting = text == "true"
            default:
                throw CommandFailure(
                    .badData,
                    "\(path): there is no key '\(key)' in a map document; there are: \(Self.keys.joined(separator: ", "))"
                )
            }
            guard text != nil, !isNumber || number != nil else {
                let wanted = isNumber ? "a number" : "a text, a number or a list of numbers"
                throw CommandFailure(.badData, "\(path): the value of '\(key)' is not \(wanted)")
            }
        }
    }

    private static let keys = [
        "layers", "size", "pixel-ratio", "crs", "bbox", "bbox-crs", "center", "zoom", "resolution", "scale", "fit",
        "padding", "max-zoom", "rotation", "font",
    ]

    /// A font or a list of fonts; the paths of files are relative to the document.
    private func fonts(_ value: PropertyValue?) throws(CommandFailure) -> [FontChoice] {
        let entries: [PropertyValue] =
            switch value {
            case nil, .null: []
            case .array(let list): list
            case .some(let one): [one]
            }
        var fonts: [FontChoice] = []
        for entry in entries {
            guard let text = entry.stringValue, !text.isEmpty else {
                throw CommandFailure(
                    .badData, "\(path): the value of 'font' is not a file, a family or a list of them")
            }
            fonts.append(FontChoice(text, relativeTo: URL(fileURLWithPath: path).deletingLastPathComponent()))
        }
        return fonts
    }

    private func layer(_ keys: Properties, number: Int) throws(CommandFailure) -> LayerSpecification {
        var kind: LayerKind?
        var source: String?
        var values: [String: String] = [:]
        for member in keys {
            let key = member.name
            guard let text = member.value.optionText else {
                throw CommandFailure(
                    .badData,
                    "\(path): layer \(number): the value of '\(key)' is not a text, a number or a list of them")
            }
            let named = key == "source" ? .features : LayerKind.named(key)
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
        guard let kind, var source, !source.isEmpty else {
            let names = LayerKind.all.filter { $0 != .features }.map(\.name)
            throw CommandFailure(
                .badData,
                "\(path): layer \(number) names no source; give one of: source, \(names.joined(separator: ", "))")
        }
        if kind.hasPath, source != "-", !source.contains("://"), !source.hasPrefix("data:") {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            source = URL(fileURLWithPath: source, relativeTo: folder).path
        }
        do { return try LayerSpecification(kind: kind, source: source, values: values) } catch {
            throw error.inDocument("\(path): layer \(number): \(error.message)")
        }
    }
}

/// Reads JSON documents other than GeoJSON with the reader of GeoJSON, which tells the line of a fault.
enum JSONDocument {
    /// A feature whose properties are the document: of these, any JSON is allowed.
    private static let head = #"{"type":"Feature","geometry":null,"properties":"#

    /// The members of the object that the document is.
    static func object(in bytes: [UInt8], from path: String) throws(CommandFailure) -> Properties {
        let text = bytes.withoutByteOrderMark
        guard let first = text.first(where: { $0 > 0x20 }) else {
            throw CommandFailure(.badData, "\(path): the document is empty")
        }
        guard first == UInt8(ascii: "{") else {
            throw CommandFailure(.badData, "\(path): this is no JSON object; it does not begin with '{'")
        }
        do {
            let read = try GeoJSONReader.read(bytes: Array(head.utf8) + text + [UInt8(ascii: "}")])
            guard let feature = read.features.first, feature.id == nil, feature.foreignMembers.isEmpty else {
                throw CommandFailure(.badData, "\(path): something follows the end of the document")
            }
            if let odd = read.warnings.first(where: { $0.kind != .note }) {
                let line = text.prefix(max((odd.byteOffset ?? 0) - head.utf8.count, 0)).reduce(1) {
                    $1 == 10 ? $0 + 1 : $0
                }
                throw CommandFailure(
                    .badData, "\(path): line \(line): \(odd.key.map { "\"\($0)\": " } ?? "")\(odd.message)")
            }
            return feature.properties
        } catch let error as GeoJSONError {
            throw CommandFailure(.badData, "\(path): line \(error.line): \(error.detail)")
        } catch let failure as CommandFailure { throw failure } catch {
            throw CommandFailure(.badData, "\(path): \(error)")
        }
    }
}

extension PropertyValue {
    /// The value as an option's text, lists with commas; `nil` for objects, null and lists of them.
    var optionText: String? {
        switch self {
        case .array(let values):
            let texts = values.compactMap(\.optionText)
            return texts.count == values.count ? texts.joined(separator: ",") : nil
        default: return displayText
        }
    }
}
