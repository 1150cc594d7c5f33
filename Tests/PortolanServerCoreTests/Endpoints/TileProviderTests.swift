import PortolanFeatures
import PortolanServerCore
import PortolanServices
import Testing

/// Vector tiles that a source makes at request time, at `/data/{id}`.
@Suite struct TileProviderTests {
    /// A source that repeats what it was asked.
    private struct Echo: TileProvider {
        let id = "city.roads"
        var fault: Problem?
        var keys: AccessKeys?
        var description: ServedTilesDescription {
            var description = ServedTilesDescription(name: "Roads", levels: 2...10)
            description.bounds = [24, 60, 25, 61]
            description.layers = [
                VectorLayerDescription(
                    id: "roads", fields: [VectorLayerDescription.Field(name: "name", type: "String")])
            ]
            description.attribution = "© roads"
            description.maximumAge = 7
            return description
        }

        func tile(
            level: Int, column: Int, row: Int, query: [(name: String, value: String)], client: String
        ) async throws(Problem) -> ServedTile {
            if let fault { throw fault }
            guard column > 0 else { return ServedTile(bytes: nil) }
            let words = query.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            return ServedTile(
                bytes: Array("\(level)/\(column)/\(row) \(words)".utf8), warnings: ["features were left out"])
        }
    }

    private func sample(_ fault: Problem? = nil, keys: AccessKeys? = nil) async throws -> SampleServer {
        let sample = try await SampleServer()
        var book = sample.server.book
        book.providers = [Echo(fault: fault, keys: keys)]
        sample.server.replace(book)
        return sample
    }

    @Test func `TileJSON has the layers, levels and bounds of the source`() async throws {
        let response = try await sample().get("/data/city.roads.json", [("Host", "h")])
        #expect(response.status == 200)
        let document = try #require(try JSONReader.value(bytes: response.body).objectValue)
        #expect(document["tiles"] == ["http://h/data/city.roads/{z}/{x}/{y}.pbf"])
        #expect(document["minzoom"] == 2 && document["maxzoom"] == 10)
        let bounds = document["bounds"]?.arrayValue?.compactMap { $0.doubleValue }
        #expect(bounds == [24, 60, 25, 61])
        #expect(document["vector_layers"] == [["id": "roads", "fields": ["name": "String"]]])
        #expect(document["attribution"] == "© roads" && document["name"] == "Roads")
    }

    @Test(arguments: ["/data/city.roads.json", "/data/city.roads/3/4/5.pbf"])
    func `tiles with keys are open to their holders, and listed for them alone`(target: String) async throws {
        let keys = try #require(AccessKeys([("ana", "a key of sixteen bytes")]))
        let sample = try await sample(keys: keys), own = [("Authorization", "Bearer a key of sixteen bytes")]
        #expect(await sample.get(target).status == 401)
        #expect(await sample.get(target, [("Authorization", "Bearer another key, unknown")]).status == 401)
        let opened = await sample.get(target, own)
        #expect(opened.status == 200 && opened[header: "Vary"]?.contains("Authorization") == true)
        #expect(opened[header: "Cache-Control"]?.contains("public") == false)
        func lists(_ headers: [(String, String)]) async -> Bool {
            String(decoding: await sample.get("/data.json", headers).body, as: UTF8.self).contains("city.roads")
        }
        #expect(await lists(own))
        #expect(await !lists([]))
        #expect(await sample.get("/tiles/square/2/1/1.png").status == 200, "maps without keys stay open")
    }

    @Test func `a tile is what the source makes of the address and the query`() async throws {
        let sample = try await sample(), response = await sample.get("/data/city.roads/3/4/5.pbf?a=b%27c&d")
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == "3/4/5 a=b'c,d=")
        #expect(response[header: "Content-Type"] == "application/vnd.mapbox-vector-tile")
        #expect(response[header: "Cache-Control"] == "public, max-age=7")
        #expect(response[header: ServerResponse.warningField] == "features were left out")
        let tag = try #require(response[header: "ETag"])
        let again = await sample.get("/data/city.roads/3/4/5.pbf?a=b%27c&d", [("If-None-Match", tag)])
        #expect(again.status == 304 && again.body.isEmpty)
        #expect(await sample.get("/data/city.roads/3/0/5.mvt").status == 204)
    }

    @Test(arguments: [
        ("/data/city.roads/1/0/0.pbf", 404), ("/data/city.roads/11/0/0.pbf", 404), ("/data/city.roads/3/8/0.pbf", 404),
        ("/data/city.roads/3/0/8.pbf", 404), ("/data/city.roads/3/0/0.png", 400), ("/data/city.roads/3/x/0.pbf", 400),
        ("/data/city.roads/3/-1/0.pbf", 400), ("/data/city.road/3/0/0.pbf", 404), ("/data/city.road.json", 404),
    ])
    func `an address without a tile is refused`(target: String, status: Int) async throws {
        let response = try await sample().get(target)
        #expect(response.status == status)
        if target.contains("city.road.json") {
            #expect(String(decoding: response.body, as: UTF8.self).contains("city.roads"))
        }
    }

    @Test func `a source that fails is a problem of the request`() async throws {
        let sample = try await sample(Problem(.overloaded, "the database is busy", retryAfter: 5))
        let response = await sample.get("/data/city.roads/3/4/5.pbf")
        #expect(response.status == 503 && response[header: "Retry-After"] == "5")
    }

    @Test func `the list of data has the source`() async throws {
        let list = try JSONReader.value(bytes: try await sample().get("/data.json").body)
        #expect(list.arrayValue?.contains { $0.objectValue?["id"] == "city.roads" } == true)
    }
}
