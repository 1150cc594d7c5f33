import PortolanGeo
import PortolanWeb

extension FeatureCollection {
    /// Returns the features with those polygons merged that have the same value of a property.
    ///
    /// ```swift
    /// let continents = try countries.dissolved(by: "continent")
    /// ```
    ///
    /// The merged feature is in the place of the first one. It has the properties whose values are the same in all of
    /// them. Polygons without the property are merged as well. Shared borders disappear, and overlapping areas are
    /// merged. Vertices keep their coordinates; crossings of borders are on a grid of about 2⁻²⁸ of the extent of areas that
    /// meet. Features of other geometries are unchanged, which a warning states. Altitudes are removed.
    ///
    /// - Throws: ``OverlayError`` if borders cross too often.
    /// - Complexity: O(*n* log *n*) as a rule.
    public func dissolved(by property: String) throws(OverlayError) -> FeatureCollection {
        var groups: [PropertyValue: Int] = [:], members: [[Int]] = [], rest: [Int] = []
        for (index, feature) in features.enumerated() {
            guard feature.geometry?.kind == .polygon || feature.geometry?.kind == .multiPolygon else {
                rest.append(index)
                continue
            }
            let value = feature.properties[property] ?? .null
            if let group = groups[value] {
                members[group].append(index)
            } else {
                groups[value] = members.count
                members.append([index])
            }
        }
        var placed: [(first: Int, feature: Feature)] = rest.map { ($0, features[$0]) }
        for group in members {
            guard group.count > 1 else {
                placed.append((group[0], features[group[0]]))
                continue
            }
            var polygons: [[ArraySlice<Coordinate>]] = []
            for index in group {
                if let geometry = features[index].geometry { polygons += geometry.polygons.map(Array.init) }
            }
            guard let union = AreaUnion.polygons(polygons) else { throw OverlayError(feature: group[0]) }
            var feature = Feature(id: nil, geometry: .ofPolygons(union))
            feature.properties = commonProperties(of: group)
            placed.append((group[0], feature))
        }
        var dissolved = self
        dissolved.declaredBounds = nil
        dissolved.features = placed.sorted { $0.first < $1.first }.map(\.feature)
        if !rest.isEmpty {
            dissolved.warnings.append(
                MapWarning(.data, effect: .note, message: "\(rest.count) features are not polygons and are not merged"))
        }
        return dissolved
    }

    private func commonProperties(of group: [Int]) -> Properties {
        var common = Array(features[group[0]].properties)
        for index in group.dropFirst() {
            common.removeAll { features[index].properties[$0.name] != $0.value }
        }
        return Properties(distinct: common)
    }
}

extension Geometry {
    /// A polygon, or a multipolygon unless there is one.
    static func ofPolygons(_ polygons: [[[Coordinate]]]) -> Geometry {
        polygons.count == 1 ? .polygon(polygons[0]) : .multiPolygon(polygons)
    }
}
