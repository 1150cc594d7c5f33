import Foundation
public import PortolanGeo

/// A result of a geocoder.
public struct FoundPlace: Hashable, Sendable {
    /// The name.
    public var name: String
    /// A description such as the address or region, or `nil`.
    public var detail: String?
    /// The longitude and latitude in degrees.
    public var coordinate: Coordinate

    /// Creates a place.
    public init(name: String, detail: String? = nil, coordinate: Coordinate) {
        self.name = name
        self.detail = detail
        self.coordinate = coordinate
    }
}

/// A service that finds places by name and names by coordinate.
public protocol Geocoder: Sendable {
    /// The name used in messages.
    var name: String { get }

    /// Returns the places that match a name, best first.
    ///
    /// - Parameters:
    ///   - text: a name or an address.
    ///   - near: a coordinate near which places with equal names are preferred, or `nil`.
    ///   - limit: the maximum number of places.
    func places(named text: String, near: Coordinate?, limit: Int) async throws(RoutingError) -> [FoundPlace]

    /// Returns the place at a coordinate, or `nil` if none is known.
    func place(at coordinate: Coordinate) async throws(RoutingError) -> FoundPlace?
}

/// Normalizes names for comparison: lower case, without accents, with single spaces.
package enum PlainName {
    package static func of(_ text: String) -> String {
        var plain = ""
        for scalar in text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark: continue
            case .spaceSeparator, .dashPunctuation, .otherPunctuation, .connectorPunctuation, .control,
                .openPunctuation, .closePunctuation:
                if !plain.isEmpty, plain.last != " " { plain.append(" ") }
            default: plain.unicodeScalars.append(scalar)
            }
        }
        // These letters have no decomposition.
        let letters: [Character: String] = ["ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ł": "l", "ı": "i"]
        plain = plain.reduce(into: "") { $0 += letters[$1] ?? String($1) }
        return plain.last == " " ? String(plain.dropLast()) : plain
    }

    /// Returns the rank of a normalized name: 0 if equal, 1 if it begins with the text, 2 if one of its words does, or
    /// `nil`.
    package static func rank(_ name: String, _ wanted: String) -> Int? {
        if name == wanted { return 0 }
        if name.hasPrefix(wanted) { return 1 }
        return name.contains(" " + wanted) ? 2 : nil
    }
}
