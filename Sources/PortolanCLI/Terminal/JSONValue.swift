import Foundation
import Portolan
import PortolanWeb

/// Writes a value as JSON: sorted keys, indented, with a final line end.
enum JSONText {
    /// The bytes of a value.
    ///
    /// Secrets of this run are removed from strings, format characters are escaped.
    static func bytes(_ value: some Encodable, showsSecrets: Bool = false) throws(CommandFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let text = String(decoding: try encoder.encode(value), as: UTF8.self)
            return Array(shown(text, showsSecrets: showsSecrets).utf8) + [UInt8(ascii: "\n")]
        } catch {
            throw CommandFailure(.cannotCreate, "the result cannot be written as JSON: \(error)")
        }
    }

    /// JSON whose strings are safe for a terminal.
    ///
    /// Member names are our own and not changed.
    private static func shown(_ json: String, showsSecrets: Bool) -> String {
        var shown = ""
        var rest = json[...]
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "\"")) {
            let content = rest[rest.utf8.index(after: start)...], end = endOfString(content)
            let after = content[end...].utf8.dropFirst()
            let isName = after.first { $0 > 0x20 } == UInt8(ascii: ":")
            let string = String(content[..<end])
            shown += rest[...start]
            shown += (isName || showsSecrets ? string : RunSecrets.removed(from: string)).withEscapedFormatting {
                $0.utf16.map { "\\u" + String(0x10000 + UInt32($0), radix: 16).dropFirst() }.joined()
            }
            shown += "\""
            rest = Substring(after)
        }
        return shown + rest
    }

    /// The end of the string that begins at the first quotation mark of `text`.
    private static func endOfString(_ text: Substring) -> String.Index {
        var index = text.startIndex
        while index < text.endIndex, text.utf8[index] != UInt8(ascii: "\"") {
            let isEscape = text.utf8[index] == UInt8(ascii: "\\")
            index = text.utf8.index(index, offsetBy: isEscape ? 2 : 1, limitedBy: text.endIndex) ?? text.endIndex
        }
        return index
    }
}

/// Any JSON, for properties and geometries of features.
enum JSONValue: Encodable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// The value of a property.
    init(_ value: PropertyValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .integer(number)
        // JSON has no non-finite numbers.
        case .number(let number): self = number.isFinite ? .number(number) : .null
        case .string(let text): self = .text(text)
        case .array(let values): self = .list(values.map(JSONValue.init))
        case .object(let members):
            self = .object(
                Dictionary(
                    // Member names come from the server here.
                    members.map { (RunSecrets.removed(from: $0.name), JSONValue($0.value)) },
                    uniquingKeysWith: { first, _ in first }))
        }
    }

    /// The GeoJSON object of a geometry (RFC 7946 section 3.1).
    init(_ geometry: Geometry) {
        func place(_ coordinate: Coordinate) -> JSONValue {
            .list([JSONValue(.number(coordinate.x)), JSONValue(.number(coordinate.y))])
        }
        func line(_ coordinates: some Sequence<Coordinate>) -> JSONValue { .list(coordinates.map(place)) }
        let kind: String, coordinates: JSONValue
        switch geometry.kind {
        case .point: (kind, coordinates) = ("Point", geometry.coordinates.first.map(place) ?? .list([]))
        case .multiPoint: (kind, coordinates) = ("MultiPoint", line(geometry.coordinates))
        case .lineString: (kind, coordinates) = ("LineString", line(geometry.coordinates))
        case .multiLineString: (kind, coordinates) = ("MultiLineString", .list(geometry.parts.map { line($0) }))
        case .polygon: (kind, coordinates) = ("Polygon", .list(geometry.parts.map { line($0) }))
        case .multiPolygon:
            (kind, coordinates) = ("MultiPolygon", .list(geometry.polygons.map { .list($0.map { line($0) }) }))
        case .collection:
            self = .object([
                "type": .text("GeometryCollection"), "geometries": .list(geometry.children.map(JSONValue.init)),
            ])
            return
        }
        self = .object(["type": .text(kind), "coordinates": coordinates])
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
