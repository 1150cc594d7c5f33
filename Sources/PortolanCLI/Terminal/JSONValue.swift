import Foundation
import Portolan

/// Writes a value as JSON for people and scripts: sorted keys, indented, a line end at the end.
enum JSONText {
    static func bytes(_ value: some Encodable) throws(CommandFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { return [UInt8](try encoder.encode(value)) + [UInt8(ascii: "\n")] } catch {
            throw CommandFailure(.cannotCreate, "the result cannot be written as JSON: \(error)")
        }
    }
}

/// Any JSON, of properties and shapes of features.
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
        // JSON has no word for what is not finite.
        case .number(let number): self = number.isFinite ? .number(number) : .null
        case .string(let text): self = .text(text)
        case .array(let values): self = .list(values.map(JSONValue.init))
        case .object(let members):
            self = .object(
                Dictionary(members.map { ($0.name, JSONValue($0.value)) }, uniquingKeysWith: { first, _ in first }))
        }
    }

    /// The object of GeoJSON that a shape is (RFC 7946 section 3.1).
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
