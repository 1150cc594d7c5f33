import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanRouting
import PortolanTesting
import PortolanWeb
import Testing

@Suite struct GeocoderTests {
    private static func gazetteer() throws -> Gazetteer {
        func feature(_ name: String, _ x: Double, _ y: Double, _ more: Properties = [:]) -> Feature {
            var properties: Properties = ["name": .string(name)]
            for member in more { properties[member.name] = member.value }
            return Feature(geometry: .point(Coordinate(x: x, y: y)), properties: properties)
        }
        return Gazetteer(
            FeatureCollection(features: [
                feature("Quito", -78.5, -0.2, ["population": 1_900_000]), feature("Quitó Sur", -78.55, -0.3),
                feature("Rautatientori", 24.9434, 60.1712, ["name:sv": "Järnvägstorget"]),
                feature("São Paulo", -46.6, -23.5), feature("Sao Paulo Viejo", 10, 10),
                feature("Straße des 17. Juni", 13.35, 52.51),
                feature("Quito", 24.94, 60.17, ["population": 3]),
                Feature(geometry: .point(Coordinate(x: 0, y: 0)), properties: [:]),
            ]))
    }

    @Test(arguments: [
        ("quito", "Quito"), ("QUITÓ", "Quito"), ("quito sur", "Quitó Sur"), ("jarnvagstorget", "Rautatientori"),
        ("sao  paulo", "São Paulo"), ("strasse des 17 juni", "Straße des 17. Juni"), ("sur", "Quitó Sur"),
        ("rautat", "Rautatientori"),
    ])
    func `names are found ignoring case, accents and punctuation`(text: String, name: String) throws {
        #expect(try Self.gazetteer().places(named: text).first?.name == name)
    }

    @Test func `of equal names the nearer comes first, or else the one with more people`() throws {
        let gazetteer = try Self.gazetteer()
        #expect(try gazetteer.places(named: "quito").first?.coordinate.x == -78.5)
        let near = try gazetteer.places(named: "quito", near: Coordinate(x: 25, y: 60))
        #expect(near.first?.coordinate.x == 24.94)
        #expect(near.count == 3)
        #expect(try gazetteer.places(named: "quito", limit: 1).count == 1)
        #expect(try gazetteer.places(named: "  ").isEmpty && gazetteer.places(named: "nowhere").isEmpty)
    }

    @Test func `the user's position has an address`() throws {
        let gazetteer = try Self.gazetteer()
        #expect(try gazetteer.place(at: Coordinate(x: 24.9435, y: 60.171))?.name == "Rautatientori")
        #expect(try gazetteer.place(at: Coordinate(x: 50, y: 50)) == nil)
    }

    @Test func `a GeoNames table is read, and a broken line is reported`() throws {
        let row =
            "658225\tHelsinki\tHelsinki\tHelsingfors,Хельсинки\t60.16952\t24.93545\tP\tPPLC\tFI\t\t01\t011\t091\t\t658864\t\t26\tEurope/Helsinki\t2025-01-01"
        let gazetteer = try Gazetteer(geoNames: Array("\(row)\n\n\(row)\r\n".utf8), from: "FI.txt")
        #expect(gazetteer.count == 2)
        #expect(try gazetteer.places(named: "хельсинки").first?.detail == "FI")
        let error = #expect(throws: RoutingError.self) {
            try Gazetteer(geoNames: Array("\(row)\nx\ty".utf8), from: "FI.txt")
        }
        #expect(error == .malformed(provider: "GeoNames", url: "FI.txt", what: "line 2 has no coordinates"))
    }

    @Test func `Nominatim is requested as its policy demands, and never twice for the same name`() async throws {
        let body =
            #"[{"lat": "60.1712", "lon": "24.9434", "name": "Rautatientori", "display_name": "Rautatientori, Kluuvi, Helsinki"}, {"lat": "north"}]"#
        let transport = RecordedServer.always(Array(body.utf8))
        let nominatim = Nominatim(
            "http://nominatim.example", fetcher: RecordedServer.fetcher(transport),
            userAgent: "Test/1 (me@example.org)",
            interval: .zero)
        for _ in 0..<3 {
            let found = try await nominatim.places(named: "rautatientori & co", near: Coordinate(x: 25, y: 60))
            #expect(
                found == [
                    FoundPlace(
                        name: "Rautatientori", detail: "Rautatientori, Kluuvi, Helsinki",
                        coordinate: Coordinate(x: 24.9434, y: 60.1712))
                ])
        }
        #expect(transport.requests.count == 1)
        let request = try #require(transport.requests.first)
        #expect(
            request.url
                == "http://nominatim.example/search?q=rautatientori%20%26%20co&format=jsonv2&limit=10&viewbox=24.5,60.5,25.5,59.5"
        )
        #expect(request.header("User-Agent") == "Test/1 (me@example.org)")
    }

    @Test func `an empty Nominatim response gives no result`() async throws {
        let transport = RecordedServer.always(Array(#"{"error": "Unable to geocode"}"#.utf8))
        let nominatim = Nominatim(
            "http://nominatim.example", fetcher: RecordedServer.fetcher(transport), userAgent: "T", interval: .zero)
        #expect(try await nominatim.place(at: Coordinate(x: 0, y: 0)) == nil)
    }

    @Test func `a Photon response is read as GeoJSON`() async throws {
        let body =
            #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [24.94, 60.17]}, "properties": {"name": "Ateneum", "street": "Kaivokatu", "housenumber": "2", "city": "Helsinki"}}, {"geometry": null, "properties": {}}]}"#
        let transport = RecordedServer.always(Array(body.utf8))
        let photon = Photon("http://photon.example", fetcher: RecordedServer.fetcher(transport))
        let found = try await photon.places(named: "Ateneum")
        #expect(
            found == [
                FoundPlace(
                    name: "Ateneum", detail: "Kaivokatu 2, Helsinki", coordinate: Coordinate(x: 24.94, y: 60.17))
            ])
        #expect(try await photon.place(at: Coordinate(x: 24.94, y: 60.17)) == found[0])
    }

    @Test(arguments: ["", "<", "{}", "7"]) func `an invalid response is an error`(body: String) async {
        let transport = RecordedServer.always(Array(body.utf8))
        let photon = Photon("http://photon.example", fetcher: RecordedServer.fetcher(transport))
        await #expect(throws: RoutingError.self) { try await photon.places(named: "x") }
    }
}
