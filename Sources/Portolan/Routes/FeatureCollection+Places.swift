public import PortolanFeatures
import PortolanGeo

extension FeatureCollection {
    /// The collection as a route, with its places as points of interest that can be told apart.
    ///
    /// Route files and GPX type their places (`"type": "poi"`). In a document that types none, such as KML, GML, GeoRSS and plain
    /// GeoJSON, each point is a place: its name and description are those that its format has for them, and a `type` of its own
    /// becomes its `category`. Places without an identifier, or with that of another place, get one.
    ///
    /// - Complexity: O(features).
    public func withPlaces() -> FeatureCollection {
        let types = features.lazy.compactMap { $0.properties["type"]?.stringValue }
        let isTyped = types.contains("poi")
        var route = self, taken = Set(features.compactMap(\.identifier)), seen: Set<FeatureID> = [], number = 0
        for index in features.indices {
            var place = features[index]
            if !isTyped { place = place.typedAsPlace() }
            guard place.pointOfInterest != nil else { continue }
            // Files that type their places mean one place by one identifier.
            if place.identifier == nil || !isTyped && !seen.insert(place.identifier ?? "").inserted {
                repeat { number += 1 } while !taken.insert(.string("place\(number)")).inserted
                place.id = .string("place\(number)")
            }
            if place != features[index] { route.features[index] = place }
        }
        return route
    }
}

extension Feature {
    /// Whether it is one line or several.
    package var isLine: Bool { geometry?.kind == .lineString || geometry?.kind == .multiLineString }

    /// The feature as a point of interest if it is a point.
    fileprivate func typedAsPlace() -> Feature {
        let type = properties["type"]
        guard let geometry, geometry.kind == .point || geometry.kind == .multiPoint, geometry.coordinates.count == 1,
            // Marks at the ends of a line are part of its drawing.
            type != "mark"
        else { return self }
        var place = self
        if geometry.kind == .multiPoint {
            let altitude = geometry.altitudes.first ?? nil
            place.geometry =
                altitude.map { .point(geometry.coordinates[0], altitude: $0) } ?? .point(geometry.coordinates[0])
        }
        if let type, properties["category"] == nil { place.properties["category"] = type }
        place.properties["type"] = "poi"
        if properties["name"]?.displayText == nil, let name = firstText(of: ["name", "title", "label"]) {
            place.properties["name"] = name
        }
        let descriptions = ["description", "desc", "summary", "content", "comment", "cmt"]
        if properties["description"]?.displayText == nil, let text = firstText(of: descriptions) {
            place.properties["description"] = text
        }
        return place
    }

    /// The first property that has one of some names in any letters' case.
    package func firstText(of names: [String]) -> PropertyValue? {
        for name in names {
            let found = properties.first { $0.name.lowercased() == name && $0.value.displayText?.isEmpty == false }
            if let found { return found.value.displayText.map(PropertyValue.string) }
        }
        return nil
    }
}
