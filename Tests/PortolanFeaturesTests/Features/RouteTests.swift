import PortolanFeatures
import PortolanGeo
import PortolanWeb
import TestHelpers
import Testing

/// Routes and points of interest in the sample files, and the rules about them.
struct RouteTests {
    @Test
    func `the sample file of the manual is read`() throws {
        let collection = try Fixture.collection("routes/zaragoza-centre.geojson")
        #expect(collection.crs == .epsg4326)
        #expect(collection.warnings.isEmpty)
        let route = try #require(collection.features[0].route)
        #expect(route.id == "route1")
        #expect(route.name == "Ruta Centro ZGZ")
        #expect(route.description == "Ruta por el corazón de Zaragoza")
        #expect(route.distance == 4.333)
        #expect(route.duration == 118.5)
        #expect(route.geometry.coordinates.first == Coordinate(x: -0.8797900000000001, y: 41.65542004200881))
        #expect(collection.features.map { $0.pointOfInterest?.id } == [nil, "ini", "poi01"])
        #expect(collection.feature(id: "poi01")?.title == "mypoi1")
    }

    @Test
    func `the Helsinki walk has 256 points and 8 places`() throws {
        let collection = try Fixture.collection("routes/helsinki-walk.geojson")
        let routes = collection.features.compactMap(\.route)
        #expect(routes.map(\.geometry.coordinates.count) == [256])
        let places = collection.features.compactMap(\.pointOfInterest)
        #expect(places.count == 8)
        #expect(places.filter { !$0.isNavigable }.map(\.id) == ["poi04"])
        #expect(places.allSatisfy { $0.isSelectable })
    }

    @Test
    func `stops are the navigable places with distinct identifiers`() {
        func place(_ id: Feature.ID?, navigable: Bool = true) -> Feature {
            Feature(
                id: id, geometry: .point(Coordinate(x: 0, y: 0)),
                properties: ["type": "poi", "name": "x", "navigable": .bool(navigable)])
        }
        let features = [place("a"), place("b", navigable: false), place(nil), place("a"), place("c")]
        #expect(features.stops.map(\.id) == ["a", "c"])
    }

    @Test
    func `a route must be a line of the type route`() {
        let line = Geometry.lineString(GeoJSONReaderTests.pairs(0, 0, 1, 1))
        let point = Geometry.point(Coordinate(x: 0, y: 0))
        #expect(Feature(geometry: line, properties: ["type": "route"]).route != nil)
        #expect(Feature(geometry: line, properties: ["type": "poi"]).route == nil)
        #expect(Feature(geometry: point, properties: ["type": "route"]).route == nil)
        #expect(Feature(geometry: nil, properties: ["type": "route"]).route == nil)
        #expect(Feature(geometry: line, properties: ["type": "poi"]).pointOfInterest == nil)
        #expect(
            Feature(id: 3, geometry: line, properties: ["type": "route", "distance": "4.5"]).route?.distance == 4.5)
        #expect(Feature(id: 3, geometry: line, properties: ["type": "route"]).route?.id == 3)
    }

    @Test(
        arguments: [
            ([:], true, true), (["selectable": false], false, true),
            (["navigable": "false", "selectable": 1], true, false),
            (["selectable": "what"], true, true),
        ] as [(Properties, Bool, Bool)])
    func `selectable and navigable are true by default`(flags: Properties, isSelectable: Bool, isNavigable: Bool) {
        var properties = flags
        properties["type"] = "poi"
        let place = Feature(geometry: .point(Coordinate(x: 0, y: 0)), properties: properties).pointOfInterest
        #expect(place?.isSelectable == isSelectable)
        #expect(place?.isNavigable == isNavigable)
    }
}
