import Portolan
import PortolanFeatures
import PortolanRouteBook
import TestHelpers
import Testing

/// Points of documents that type no places.
@Suite struct FeatureCollectionPlacesTests {
    private static let line = "[[-0.88,41.65],[-0.87,41.66]]"

    private static func geoJSON(
        _ properties: String, geometry: String = #"{"type":"Point","coordinates":[-0.875,41.655]}"#
    )
        -> String
    {
        #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Way"},"#
            + #""geometry":{"type":"LineString","coordinates":\#(line)}},"#
            + #"{"type":"Feature","properties":\#(properties),"geometry":\#(geometry)}]}"#
    }

    private static func kml(_ inner: String) -> String {
        #"<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Way</name><LineString><coordinates>"#
            + "-0.88,41.65 -0.87,41.66</coordinates></LineString></Placemark>\(inner)</Document></kml>"
    }

    static let documents = [
        geoJSON(#"{"name":"Fuente","description":"Agua"}"#), geoJSON(#"{"title":"Fuente","summary":"Agua"}"#),
        geoJSON(#"{"Name":"Fuente","Description":"Agua"}"#), geoJSON(#"{"name":"Fuente","desc":"Agua","type":"well"}"#),
        geoJSON(
            #"{"name":"Fuente","description":"Agua"}"#,
            geometry: #"{"type":"MultiPoint","coordinates":[[-0.875,41.655,210]]}"#),
        kml(
            "<Folder><Placemark><name>Fuente</name><description>Agua</description><Point><coordinates>-0.875,41.655,210"
                + "</coordinates></Point></Placemark></Folder>"),
        #"<rss version="2.0" xmlns:georss="http://www.georss.org/georss"><channel><title>R</title><item><title>Way</title>"#
            + "<georss:line>41.65 -0.88 41.66 -0.87</georss:line></item><item><title>Fuente</title><description>Agua"
            + "</description><georss:point>41.655 -0.875</georss:point></item></channel></rss>",
        #"<feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss"><title>R</title><entry>"#
            + "<title>Way</title><georss:line>41.65 -0.88 41.66 -0.87</georss:line></entry><entry><title>Fuente</title>"
            + "<summary>Agua</summary><georss:point>41.655 -0.875</georss:point></entry></feed>",
        #"<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" "#
            + #"xmlns:t="http://t"><gml:featureMember><t:r fid="r.1"><t:name>Way</t:name>"#
            + #"<t:g><gml:LineString srsName="EPSG:4326"><gml:coordinates>-0.88,41.65 -0.87,41.66</gml:coordinates>"#
            + "</gml:LineString></t:g></t:r></gml:featureMember><gml:featureMember><t:p><t:name>Fuente</t:name>"
            + "<t:description>Agua</t:description>"
            + #"<t:g><gml:Point srsName="EPSG:4326"><gml:coordinates>-0.875,41.655</gml:coordinates></gml:Point></t:g></t:p>"#
            + "</gml:featureMember></wfs:FeatureCollection>",
        #"<gpx version="1.1" creator="c"><wpt lat="41.655" lon="-0.875"><name>Fuente</name><desc>Agua</desc></wpt><rte>"#
            + #"<rtept lat="41.65" lon="-0.88"/><rtept lat="41.66" lon="-0.87"/></rte></gpx>"#,
    ]

    @Test(arguments: documents.indices)
    func `a route's point is counted, labelled, found and selectable`(index: Int) throws {
        let folder = try TemporaryFolder(), book = RouteBook(folder: folder.path + "/book")
        let added = try book.add(Array(Self.documents[index].utf8), from: RouteBook.Source(file: "r"))
        #expect(added.placeCount == 1 && added.placeNames == ["Fuente"])
        #expect(try book.search("fuente").count == 1 && book.search("agua").count == 1)
        let place = try book.step(added.id, by: 1)
        #expect(place.pointOfInterest?.name == "Fuente" && place.pointOfInterest?.description == "Agua")
        let route = try book.route(added.id)
        #expect(route.selectedPlace?.title == "Fuente" && route.facts.placeCount == 1)
        let panel = PlacePanel(place, of: route.collection)
        #expect(panel.number == 1 && panel.count == 1 && panel.text == "Agua")
        let map = try MapFacadeTests.facade()
        try map.addRoute(route)
        #expect(map.selectedFeature?.title == "Fuente" && map.selectNext()?.title == "Fuente")
        #expect(map.feature(id: try #require(place.identifier))?.properties["label"] == "Fuente")
    }

    @Test func `ambiguous points get identifiers, and a custom type becomes their category`()
        throws
    {
        func point(_ id: Feature.ID?, _ type: String) -> Feature {
            Feature(id: id, geometry: .point(Coordinate(x: 1, y: 2)), properties: ["type": .string(type)])
        }
        let collection = FeatureCollection(features: [
            point("a", "inn"), point(nil, "inn"), point("a", "inn"), point(nil, "mark"),
        ])
        let places = collection.withPlaces()
        #expect(places.features.map(\.id) == ["a", "place1", "place2", nil])
        #expect(places.features.map { $0.pointOfInterest != nil } == [true, true, true, false])
        #expect(places.features[1].properties["category"] == "inn")
        #expect(places.withPlaces() == places)
    }

    @Test func `untyped points stay unchanged in a document with typed ones`() throws {
        let typed = Feature(id: "a", geometry: .point(Coordinate(x: 1, y: 2)), properties: ["type": "poi"])
        let other = Feature(id: "b", geometry: .point(Coordinate(x: 1, y: 2)), properties: ["name": "B"])
        #expect(FeatureCollection(features: [typed, other]).withPlaces().features == [typed, other])
    }
}
