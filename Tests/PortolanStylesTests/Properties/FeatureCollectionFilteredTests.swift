import PortolanFeatures
import PortolanGeo
import PortolanStyles
import Testing

/// Features that a filter accepts.
@Suite struct FeatureCollectionFilteredTests {
    private static let places: [Properties] = [
        ["name": "a", "pop": 5, "kind": "town"], ["name": "b", "pop": 50], ["name": "c", "pop": "many"], ["name": "d"],
    ]

    private static func names(_ filter: PropertyValue, crs: CRS? = nil) throws -> [String?] {
        let features = places.enumerated().map { index, properties in
            Feature(geometry: .point(Coordinate(x: Double(index), y: 0)), properties: properties)
        }
        let filtered = try FeatureCollection(features: features, crs: crs)
            .filtered(by: StyleExpression(filter: filter))
        return filtered.features.map { $0.properties["name"]?.stringValue }
    }

    @Test(
        arguments: [
            ([">", ["get", "pop"], 10], ["b"]), (["==", ["get", "kind"], "town"], ["a"]),
            (["has", "pop"], ["a", "b", "c"]),
            (["!", ["has", "pop"]], ["d"]), (["==", "pop", 5], ["a"]),
            (["in", ["get", "name"], ["literal", ["a", "d"]]], ["a", "d"]),
            (true, ["a", "b", "c", "d"]), (["==", ["geometry-type"], "Point"], ["a", "b", "c", "d"]), (false, []),
        ] as [(PropertyValue, [String])])
    func `a filter chooses features, and rejects those that it cannot compare`(
        filter: PropertyValue, names: [String]
    ) throws {
        #expect(try Self.names(filter) == names)
    }

    @Test func `operators on coordinates read degrees`() throws {
        let box: PropertyValue = [
            "type": "Polygon", "coordinates": [[[-0.1, -1], [1.1, -1], [1.1, 1], [-0.1, 1], [-0.1, -1]]],
        ]
        #expect(try Self.names(["within", box]) == ["a", "b"])
        // A metre apart in web mercator.
        #expect(try Self.names(["within", box], crs: .webMercator) == ["a", "b", "c", "d"])
    }
}
