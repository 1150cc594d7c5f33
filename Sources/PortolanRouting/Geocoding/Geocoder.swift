import Foundation
public import PortolanGeo

/// A place that was found by its name, or a name by its place.
public struct FoundPlace: Hashable, Sendable {
    /// What it is called.
    public var name: String
    /// Where that is, as an address or a region, or `nil` when nothing is said.
    public var detail: String?
    /// Longitude and latitude.
    public var coordinate: Coordinate

    /// Makes a place.
    public init(name: String, detail: String? = nil, coordinate: Coordinate) {
        self.name = name
        self.detail = detail
        self.coordinate = coordinate
    }
}

/// Finds places by their names, and names of places.
public protocol Geocoder: Sendable {
    /// What it is called in messages.
    var name: String { get }

    /// The places of a name, the best first.
    ///
    /// - Parameters:
    ///   - text: a name or an address, as people write it.
    ///   - near: where it is likely to be; nearer places of one name come first. `nil` where nothing is known.
    ///   - limit: the most places that are wanted.
    func places(named text: String, near: Coordinate?, limit: Int) async throws(RoutingError) -> [FoundPlace]

    /// What is at a place, or `nil` where nothing is known.
    func place(at coordinate: Coordinate) async throws(RoutingError) -> FoundPlace?
}

/// Makes names alike that people take for the same: in small letters, without accents, with single spaces.
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
        // What has no parts to take apart.
        let letters: [Character: String] = ["ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ł": "l", "ı": "i"]
        plain = plain.reduce(into: "") { $0 += letters[$1] ?? String($1) }
        return plain.last == " " ? String(plain.dropLast()) : plain
    }

    /// How well a plain name fits: 0 where it is the text, 1 where it begins with it, 2 where one of its words does.
    package static func rank(_ name: String, _ wanted: String) -> Int? {
        if name == wanted { return 0 }
        if name.hasPrefix(wanted) { return 1 }
        return name.contains(" " + wanted) ? 2 : nil
    }
}
