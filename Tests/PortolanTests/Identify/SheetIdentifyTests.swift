import Portolan
import PortolanFeatures
import PortolanPlan
import PortolanStyles
import Testing

/// The features under a point of a map with a style sheet.
@Suite struct SheetIdentifyTests {
    private static let document = #"""
        {"version": 8, "sources": {"s": {"type": "geojson"}}, "layers": [
         {"id": "ground", "type": "background", "paint": {"background-color": "#eee"}},
         {"id": "lake", "type": "fill", "source": "s", "filter": ["==", ["get", "kind"], "lake"]},
         {"id": "fence", "type": "line", "source": "s", "filter": ["==", ["get", "kind"], "fence"]},
         {"id": "casing", "type": "line", "source": "s", "filter": ["==", ["get", "kind"], "road"], "paint": {"line-width": 8}},
         {"id": "road", "type": "line", "source": "s", "filter": ["==", ["get", "kind"], "road"], "paint": {"line-width": 6}},
         {"id": "name", "type": "symbol", "source": "s", "filter": ["==", ["get", "kind"], "region"],
          "layout": {"text-field": "Region", "text-size": 4}},
         {"id": "sign", "type": "symbol", "source": "s", "filter": ["==", ["get", "kind"], "sign"],
          "layout": {"icon-image": "square", "icon-size": 2, "icon-offset": [10, 0]}},
         {"id": "shade", "type": "fill", "source": "s", "filter": ["==", ["get", "kind"], "roof"],
          "paint": {"fill-translate": [30, 0], "fill-translate-anchor": "viewport"}}
        ]}
        """#

    /// A map of a degree a pixel about the origin.
    private static func map() throws -> MapFacade {
        func square(_ kind: String, _ x: Double, _ y: Double, _ half: Double) -> Feature {
            let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (-1, -1)]
            return Feature(
                id: .string(kind),
                geometry: .polygon([corners.map { Coordinate(x: x + $0.0 * half, y: y + $0.1 * half) }]),
                properties: ["kind": .string(kind)])
        }
        let features = [
            square("lake", -30, 0, 10), square("fence", 30, 0, 10), square("region", 0, 30, 10),
            square("roof", -30, -35, 5),
            Feature(
                id: "road", geometry: .lineString([Coordinate(x: -60, y: -20), Coordinate(x: 60, y: -20)]),
                properties: ["kind": "road"]),
            Feature(id: "sign", geometry: .point(Coordinate(x: -30, y: 0)), properties: ["kind": "sign"]),
        ]
        let sheet = try StyleSheet(bytes: Array(document.utf8))
        let map = try MapFacade(width: 160, height: 100, crs: .crs84)
        try map.add(
            MapLayer(name: "city", source: StyleSource(sheet, sources: ["s": FeatureSource(features: features)])))
        try map.setExtent(#require(Extent(minX: -80, minY: -50, maxX: 80, maxY: 50)))
        return map
    }

    #if Text
    @Test func `a label is identified where the last picture of the view shows it`() async throws {
        let map = try Self.map()
        func found(_ x: Double, _ y: Double) async -> [String] {
            var options = IdentifyOptions()
            options.tolerance = 0
            let all = await map.identify(Point(x: x, y: y), options: options)
            return all.flatMap(\.features).compactMap { $0.feature.id?.description }
        }
        #expect(await found(80, 20).isEmpty)
        _ = try await map.refresh()
        #expect(await found(80, 20) == ["region"])
        #expect(await found(80, 34).isEmpty)
        #expect(map.touch(Point(x: 80, y: 20), tolerance: 0)?.id == "region")
        try map.setExtent(#require(Extent(minX: -60, minY: -50, maxX: 100, maxY: 50)))
        #expect(await found(80, 20).isEmpty)
    }
    #endif

    @Test(arguments: [
        // The mark of the sign is beside its point.
        ((50.0, 50.0), ["sign", "lake"]), ((70.0, 50.0), ["sign"]), ((42.0, 44.0), ["lake"]),
        // Only the border of an area without a fill is hit, and a name is not an area.
        ((110.0, 50.0), []), ((120.0, 50.0), ["fence"]), ((80.0, 20.0), []),
        // Two layers draw one road.
        ((80.0, 73.0), ["road"]),
        // A layer is touched where it is drawn, beside its place.
        ((50.0, 85.0), []), ((80.0, 85.0), ["roof"]),
        // The background is not hit.
        ((5.0, 5.0), []),
    ])
    func `drawn features are identified once each, the topmost first`(
        _ place: (Double, Double), _ wanted: [String]
    ) async throws {
        let map = try Self.map()
        var options = IdentifyOptions()
        options.tolerance = 1
        let found = await map.identify(Point(x: place.0, y: place.1), options: options)
        let features = found.flatMap(\.features).compactMap { $0.feature.id?.description }
        #expect(features == wanted)
        #expect(map.touch(Point(x: place.0, y: place.1), tolerance: 1)?.id?.description == wanted.first)
    }
}
