import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct OGCAPIReaderTests {
    private static func collection() throws -> OGCAPICollection {
        guard
            case .collections(let collections, let warnings) = try OGCAPIReader.read(
                Fixture.bytes("features/oaf-collections.json"))
        else { throw OGCAPIError.otherDocument("no collections") }
        #expect(collections.map(\.identifier) == ["countries", "cities", "rivers"])
        #expect(warnings == [])
        return try #require(collections.first { $0.identifier == "cities" })
    }

    @Test func `landing page, conformance, collection and exception are distinguished`() throws {
        guard case .landing(let landing) = try OGCAPIReader.read(Fixture.bytes("features/oaf-landing.json")) else {
            Issue.record("no landing page")
            return
        }
        #expect(
            landing.links.contains { $0.leads(to: "data") } && landing.links.contains { $0.leads(to: "conformance") })
        let classes = try OGCAPIReader.read(Fixture.bytes("features/oaf-conformance.json"))
        guard case .conformance(let names) = classes else {
            Issue.record("no conformance")
            return
        }
        #expect(names.contains("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core"))
        let box = try #require(try Self.collection().geographicBox)
        #expect(box.minX == -157.85833)
        #expect(box.maxY == 69.3535)
        #expect(throws: OGCAPIError.exception("NotFound: Invalid collection.")) {
            try OGCAPIReader.read(Fixture.bytes("features/oaf-exception.json"))
        }
    }

    @Test(arguments: [
        ("{\"a\":", "cannot read the document"), ("[]", "not an object"), ("{}", "neither a landing page nor"),
        ("{\"type\":\"FeatureCollection\",\"features\":[]}", "GeoJSON with features"),
        ("<html><body>Hello</body></html>", "Hello"), ("", "empty"),
    ])
    func `other documents are refused with a reason`(text: String, words: String) {
        let error = #expect(throws: OGCAPIError.self) { try OGCAPIReader.read(Array(text.utf8)) }
        #expect(error?.description.contains(words) == true)
    }

    @Test(
        arguments: [
            (nil, "limit=5&bbox=1.5,2,3,4"),
            ("CRS:84", "limit=5&bbox=1.5,2,3,4"),
            (
                "EPSG:4326",
                "limit=5&bbox=2,1.5,4,3&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/4326&crs=http://www.opengis.net/def/crs/EPSG/0/4326"
            ),
            (
                "EPSG:3857",
                "limit=5&bbox=1.5,2,3,4&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/3857&crs=http://www.opengis.net/def/crs/EPSG/0/3857"
            ),
        ] as [(String?, String)])
    func `the bounding box uses the axis order of the CRS`(crs: String?, query: String) throws {
        let request = try OGCAPIItemsRequest(
            Self.collection(), crsName: crs, document: "http://maps.example/ogcapi/collections?f=json")
        let box = try #require(Extent(minX: 1.5, minY: 2, maxX: 3, maxY: 4))
        #expect(
            request.url(of: box, count: 5).text
                == "http://maps.example/ogcapi/collections/cities/items?f=json&\(query)")
        #expect(request.url(of: box, count: 5, from: 9).text.hasSuffix("&offset=9"))
        #expect(request.address(ofNext: "/ogcapi/x?cursor=abc")?.text == "http://maps.example/ogcapi/x?cursor=abc")
    }

    @Test func `a collection without features or an items link is refused`() throws {
        let text =
            "{\"collections\":[{\"id\":\"r\",\"itemType\":\"record\",\"links\":[]},{\"id\":\"f\",\"links\":[]},{}]}"
        guard case .collections(let found, let warnings) = try OGCAPIReader.read(Array(text.utf8)) else {
            Issue.record("no collections")
            return
        }
        #expect(warnings.count == 1)
        #expect(throws: OGCAPIError.noFeatures("r", itemType: "record")) {
            try OGCAPIItemsRequest(found[0], document: "http://h/")
        }
        #expect(throws: OGCAPIError.noLink("the items of 'f'")) {
            try OGCAPIItemsRequest(found[1], document: "http://h/")
        }
    }
}
