public import PortolanFeatures
import PortolanGeo

extension FeatureCollection {
    /// Returns the collection as a route whose places are distinct points of interest.
    ///
    /// Route files and GPX have typed places (`"type": "poi"`). In other documents, such as KML, GML, GeoRSS and plain
    /// GeoJSON, each point is a place. Its name and description are those of its format, and an existing `type` becomes
    /// its `category`. Places without a unique identifier get one.
    ///
    /// - Complexity: O(features).
    public func withPlaces() -> FeatureCollection {
        let types = features.lazy.compactMap { $0.properties["type"]?.stringValue }
        let isTyped = types.contains("poi")
        var route = self, taken = Set(features.compactMap(\.identifier)), seen: Set<Feature.ID> = [], number = 0
        for index in features.indices {
            var place = features[index]
            if !isTyped { place = place.typedAsPlace() }
            guard place.pointOfInterest != nil else { continue }
            // In files with typed places, equal identifiers mean the same place.
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
    /// Whether the geometry is one or several lines.
    package var isLine: Bool { geometry?.kind == .lineString || geometry?.kind == .multiLineString }

    /// Returns the feature as a point of interest if it is a point.
    fileprivate func typedAsPlace() -> Feature {
        let type = properties["type"]
        guard let geometry, geometry.kind == .point || geometry.kind == .multiPoint, geometry.coordinates.count == 1,
            // Markers at the ends of a line are part of the line's drawing.
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

    /// Returns the first property with one of several names, ignoring case.
    package func firstText(of names: [String]) -> PropertyValue? {
        for name in names {
            let found = properties.first { $0.name.lowercased() == name && $0.value.displayText?.isEmpty == false }
            if let found { return found.value.displayText.map(PropertyValue.string) }
        }
        return nil
    }
}
