import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRouteBook
import Testing

@Suite struct RouteFactsTests {
    private static func line(_ places: [(Double, Double)], _ properties: Properties = [:]) -> Feature {
        Feature(geometry: .lineString(places.map { Coordinate(x: $0.0, y: $0.1) }), properties: properties)
    }

    @Test func `a line without a stated length is measured on the ellipsoid`() {
        // By geod of PROJ 9.1 (+ellps=WGS84 -I): 2,781.576 m eastward and 11,141.483 m northward.
        let facts = RouteFacts(FeatureCollection(features: [Self.line([(24.9, 60.1), (24.95, 60.1), (24.95, 60.2)])]))
        #expect(abs((facts.kilometers ?? 0) - 13.923059) < 0.0005)
        #expect(facts.name == "Route")
        #expect(facts.minutes == nil)
        #expect(facts.elevation == nil)
    }

    @Test func `values stated by a route take precedence over measured ones`() {
        let route = Self.line([(0, 0), (1, 0)], ["type": "route", "name": "R", "distance": "3.5", "duration": 12])
        let facts = RouteFacts(FeatureCollection(features: [route]))
        #expect(facts.kilometers == 3.5)
        #expect(facts.minutes == 12)
        #expect(facts.name == "R")
        #expect(facts.infoBar.facts == ["3.5 km", "12 min"])
    }

    @Test(arguments: [
        (0.0, "0 min"), (59.4, "59 min"), (60, "1:00 h"), (65, "1:05 h"), (1500, "25:00 h"), (-1, ""), (.nan, ""),
        (.infinity, ""),
    ])
    func `durations are printed in hours and minutes`(_ minutes: Double, _ text: String) {
        #expect(RouteFacts.hours(minutes) == text)
    }

    @Test(arguments: [
        ("2024-05-01T10:00:00Z", "2024-05-01T11:30:00Z"), ("2024-05-01T10:00:00.250Z", "2024-05-01T11:30:00.250Z"),
        ("2024-05-01T10:00:00", "2024-05-01T11:30:00"), ("2024-05-01T12:00:00+02:00", "2024-05-01T11:30:00Z"),
    ])
    func `the duration of a track is that from its first to its last time`(_ first: String, _ last: String) throws {
        let text = """
            <gpx><trk><trkseg><trkpt lat="1" lon="1"><time>\(first)</time></trkpt><trkpt lat="1" lon="1.1"/>
            <trkpt lat="1" lon="1.2"><time>\(last)</time></trkpt></trkseg></trk></gpx>
            """
        let facts = RouteFacts(try FeatureFormats.standard.read(Array(text.utf8)))
        #expect(facts.minutes == 90)
    }

    @Test func `climbs and descents of less than three metres are not counted`() throws {
        let heights = [100.0, 101, 99.5, 102, 100, 110, 109, 111, 90, 91, 89]
        let points = heights.enumerated().map { "<trkpt lat='0' lon='\(Double($0) * 0.001)'><ele>\($1)</ele></trkpt>" }
        let text = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        let profile = try #require(RouteFacts(try FeatureFormats.standard.read(Array(text.utf8))).elevation)
        // From 99.5 up to 111, and down to 89.
        #expect(profile.ascent == 11.5)
        #expect(profile.descent == 22)
        #expect(profile.range == 89...111)
        #expect(profile.samples.count == 11 && abs(profile.samples[10].distance - 1113.195) < 0.01)
    }
}

@Suite struct PlacePanelTests {
    private static let route = FeatureCollection(features: [
        Feature(
            geometry: .lineString([Coordinate(x: 0, y: 0), Coordinate(x: 0.01, y: 0), Coordinate(x: 0.01, y: 0.01)]),
            properties: ["type": "route"]),
        Feature(
            id: "a", geometry: .point(Coordinate(x: 0.0005, y: 0.001)), properties: ["type": "poi", "name": "A"]),
        Feature(
            id: "b", geometry: .point(Coordinate(x: 0.0101, y: 0.005)),
            properties: [
                "type": "poi", "name": "B", "description": "There",
                "links": [
                    ["href": "http://h.example/x", "type": "audio/ogg", "text": "Bells"],
                    ["href": "http://h.example/v.webm"],
                ],
                "website": "http://h.example/", "picture": ["http://h.example/1.jpg?x.mp3", "http://h.example/x"],
            ]),
        Feature(id: "c", geometry: .point(Coordinate(x: 0, y: 0)), properties: ["type": "poi", "navigable": false]),
    ])

    @Test func `a place has its distance along the route`() throws {
        let panel = PlacePanel(Self.route.features[2], of: Self.route)
        // By geod of PROJ 9.1: 1,113.195 m eastward, and 552.871 of 1,105.743 m northward.
        #expect(abs((panel.distance ?? 0) - 1666.066) < 0.1)
        #expect(abs((panel.progress ?? 0) - 0.75084) < 0.0001)
        #expect(panel.number == 2)
        #expect(panel.count == 2)
        #expect(panel.name == "B")
        #expect(panel.text == "There")
        #expect(PlacePanel(Self.route.features[3], of: Self.route).number == nil)
    }

    @Test func `attachments of a place are listed with their kind, each once`() {
        let panel = PlacePanel(Self.route.features[2], of: Self.route)
        #expect(panel.attachments.map(\.kind) == [.picture, .picture, .page, .video])
        #expect(panel.attachments.first?.title == nil)
        #expect(PlacePanel(Self.route.features[1], of: Self.route).attachments.isEmpty)
    }

    @Test func `a place without a route has no distance`() {
        let place = Self.route.features[1], panel = PlacePanel(place, of: FeatureCollection(features: [place]))
        #expect(panel.distance == nil)
        #expect(panel.progress == nil)
        #expect(panel.number == 1)
    }
}
