import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanFormats
import PortolanRouteBook
import PortolanServerCore
import TestHelpers
import Testing

@Suite struct RouteChangesTests {
    private static let ana = ("Authorization", "Bearer ana's key, of 20 bytes"),
        ben = ("Authorization", "bearer ben's key, of 20 bytes")

    private let folder: TemporaryFolder
    private let sample: SampleServer

    init() async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        sample = try await SampleServer {
            $0.routes = RouteBook(folder: folder.path + "/routes")
            $0.routeKeys = AccessKeys([("ana", "ana's key, of 20 bytes"), ("ben", "ben's key, of 20 bytes")])
        }
    }

    private static func walk(_ name: String = "Harbour walk", to longitude: Int = 30) -> String {
        """
        {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "\(name)", "externalGraphic": "../../secret.png"},
         "geometry": {"type": "LineString", "coordinates": [[20, 20], [\(longitude), 20]]}}]}
        """
    }

    private func members(_ response: ServerResponse) throws -> Properties {
        try #require(try JSONReader.value(bytes: response.body).objectValue)
    }

    /// Publishes a route in the name of Ana.
    private func publish(_ document: String = walk()) async throws -> String {
        let response = await sample.answer("POST", "/routes", [Self.ana], body: document)
        try #require(response.status == 201, "\(String(decoding: response.body, as: UTF8.self))")
        return try #require(try members(response)["id"]?.stringValue)
    }

    @Test func `a published route is listed with its publisher, who can remove it`() async throws {
        let response = await sample.answer("POST", "/routes?name=Along+the+quay", [Self.ana], body: Self.walk())
        #expect(response.status == 201)
        #expect(response[header: "Location"] == "http://localhost/routes/along-the-quay")
        let listed = try members(await sample.get("/routes"))["routes"]?.arrayValue?.first?.objectValue
        #expect(listed?["name"] == .string("Along the quay") && listed?["publisher"] == .string("ana"))
        #expect(await sample.answer("DELETE", "/routes/along-the-quay", [Self.ben]).status == 403)
        #expect(await sample.answer("DELETE", "/routes/along-the-quay", [Self.ana]).status == 204)
        #expect(await sample.get("/routes/along-the-quay").status == 404)
    }

    @Test func `references in a published route cannot reach files or internal hosts`() async throws {
        let id = try await publish()
        let base = try RouteBook(folder: folder.path + "/routes").route(id).baseURL
        for address in ["file:///etc/hostname", "http://127.0.0.1/a", "http://169.254.169.254/a"] {
            #expect(base.refusal(of: address) != nil, "\(address)")
        }
        #expect(base.refusal(of: "https://example.org/icon.png") == nil)
    }

    @Test func `a route is served as GPX, converted from GeoJSON or as it was published`() async throws {
        let id = try await publish()
        let gpx = await sample.get("/routes/\(id).gpx")
        #expect(gpx[header: "Content-Type"] == "application/gpx+xml")
        #expect(try GPXFormat().read(gpx.body, limits: FeatureLimits()).features.first?.geometry?.coordinateCount == 2)
        let own = """
            <gpx version="1.1" creator="a" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Ridge</name><trkseg>
            <trkpt lat="1" lon="2"/><trkpt lat="1" lon="3"/></trkseg></trk></gpx>
            """
        let ridge = try await publish(own)
        #expect(await sample.get("/routes/\(ridge).gpx").body == Array(own.utf8))
        #expect(try GeoJSONReader.read(await sample.get("/routes/\(ridge).geojson").body).features.count == 1)
    }

    @Test func `each user has one rating for a route, and ratings are averaged`() async throws {
        let id = try await publish(), place = "/routes/\(id)/rating"
        for (person, stars) in [(Self.ana, 2), (Self.ben, 5), (Self.ana, 4)] {
            let rated = await sample.answer("PUT", place, [person], body: #"{"stars": \#(stars)}"#)
            #expect(rated.status == 200)
        }
        #expect(try members(await sample.get(place)) == ["ratings": 2, "rating": 4.5])
        #expect(await sample.answer("DELETE", place, [Self.ben]).status == 200)
        #expect(try members(await sample.get("/routes/\(id)"))["rating"] == .number(4))
    }

    @Test func `comments are kept in order, and removed by their authors`() async throws {
        let id = try await publish(), place = "/routes/\(id)/comments"
        for (person, text) in [(Self.ana, "Steep <b>here</b>"), (Self.ben, "Lovely\\nview\\u0007")] {
            #expect(await sample.answer("POST", place, [person], body: #"{"text": "\#(text)"}"#).status == 201)
        }
        let comments = try members(await sample.get(place))["comments"]?.arrayValue ?? []
        #expect(comments.map { $0.objectValue?["author"] } == ["ana", "ben"])
        #expect(comments.map { $0.objectValue?["text"] } == ["Steep <b>here</b>", "Lovely\nview"])
        #expect(await sample.answer("DELETE", place + "/1", [Self.ben]).status == 403)
        #expect(await sample.answer("DELETE", place + "/1", [Self.ana]).status == 204)
        #expect(await sample.answer("DELETE", place + "/1", [Self.ana]).status == 404)
        // Its number is not given to another.
        let next = await sample.answer("POST", place, [Self.ana], body: #"{"text": "again"}"#)
        #expect(try members(next)["id"] == .integer(3))
    }

    @Test func `routes are sorted by views and by rating`() async throws {
        let seldom = try await publish(Self.walk("Seldom")), often = try await publish(Self.walk("Often", to: 40))
        for _ in 0..<3 { _ = await sample.get("/routes/\(often).geojson") }
        _ = await sample.get("/routes/\(seldom)")
        _ = await sample.answer("HEAD", "/routes/\(seldom)")
        _ = await sample.answer("PUT", "/routes/\(seldom)/rating", [Self.ana], body: #"{"stars": 5}"#)
        func ids(_ order: String) async throws -> [String] {
            let routes = try members(await sample.get("/routes?sort=\(order)"))["routes"]?.arrayValue ?? []
            return routes.compactMap { $0.objectValue?["id"]?.stringValue }
        }
        #expect(try await ids("popularity") == [often, seldom])
        #expect(try await ids("rating") == [seldom, often])
        #expect(await sample.get("/routes?sort=beauty").status == 400)
        // The counts go into the book when the server ends.
        sample.server.drain()
        let book = RouteBook(folder: folder.path + "/routes")
        #expect(try book.opinions(of: often).openings == 3 && book.opinions(of: seldom).openings == 1)
        #expect(try members(await sample.get("/routes/\(often)"))["openings"] == .integer(3))
    }

    @Test func `two servers on one book lose none of each other's comments`() async throws {
        let id = try await publish()
        let other = try await SampleServer { [folder] in
            $0.routes = RouteBook(folder: folder.path + "/routes")
            $0.routeKeys = AccessKeys([("cho", "cho's key, of 20 bytes")])
        }
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask { [sample] in
                    let body = #"{"text": "\#(number)"}"#, place = "/routes/\(id)/comments"
                    let isOther = number.isMultiple(of: 2)
                    let person = isOther ? ("Authorization", "Bearer cho's key, of 20 bytes") : Self.ana
                    let answer = await (isOther ? other : sample).answer("POST", place, [person], body: body)
                    #expect(answer.status == 201)
                }
            }
        }
        let comments = try RouteBook(folder: folder.path + "/routes").opinions(of: id).comments
        #expect(Set(comments.map(\.text)) == Set((0..<20).map(String.init)))
        #expect(comments.map(\.id) == Array(1...20))
    }

    @Test(arguments: [
        ("POST", "/routes", walk()), ("DELETE", "/routes/a", ""), ("PUT", "/routes/a/rating", #"{"stars": 1}"#),
        ("POST", "/routes/a/comments", #"{"text": "a"}"#), ("DELETE", "/routes/a/comments/1", ""),
    ])
    func `nothing can be changed without a key`(method: String, target: String, body: String) async throws {
        for header in [nil, "Bearer another key of 20 bytes", "Basic YW5hOmtleQ==", "Bearer", "Bearer "] {
            let headers = header.map { [("Authorization", $0)] } ?? []
            let answer = await sample.answer(method, target, headers, body: body)
            #expect(answer.status == 401 && answer[header: "WWW-Authenticate"] == "Bearer")
        }
        let reader = try await SampleServer { [folder] in $0.routes = RouteBook(folder: folder.path) }
        #expect(await reader.answer(method, target, [Self.ana], body: body).status == 403)
    }

    @Test(arguments: [
        ("POST", "/routes", "", 422), ("POST", "/routes", "hello", 422),
        ("POST", "/routes", #"{"type": "FeatureCollection", "features": []}"#, 422),
        ("POST", "/routes?name=%20", walk(), 422), ("PUT", "/routes", walk(), 405), ("POST", "/routes/there", "", 405),
        ("PUT", "/routes/there/rating", #"{"stars": 6}"#, 422),
        ("PUT", "/routes/there/rating", #"{"stars": "5"}"#, 422),
        ("PUT", "/routes/there/rating", "[", 422), ("PUT", "/routes/none/rating", #"{"stars": 5}"#, 404),
        ("PUT", "/routes/..%2Fa/rating", #"{"stars": 5}"#, 404), ("POST", "/routes/there/rating", "", 405),
        ("POST", "/routes/there/comments", #"{"text": "\u0007 "}"#, 422),
        ("POST", "/routes/there/comments", #"{"text": 1}"#, 422),
        ("POST", "/routes/there/comments", #"{"text": "\#(String(repeating: "a", count: 2001))"}"#, 422),
        ("POST", "/routes/there/comments", #"{"text": "a\#(String(repeating: "\u{301}", count: 9000))"}"#, 422),
        ("POST", "/routes/none/comments", #"{"text": "a"}"#, 404), ("DELETE", "/routes/there/comments/x", "", 400),
        ("DELETE", "/routes/there/comments/9", "", 404), ("DELETE", "/routes/none", "", 404),
        ("PUT", "/routes/there/snapshot.png", "", 405),
    ])
    func `an invalid request changes nothing`(method: String, target: String, body: String, status: Int) async throws {
        #expect(try await publish(Self.walk("There")) == "there")
        let book = RouteBook(folder: folder.path + "/routes"), before = try book.opinions(of: "there")
        let answer = await sample.answer(method, target, [Self.ana], body: body)
        #expect(answer.status == status && answer[header: "Content-Type"] == "application/problem+json")
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(folder.path))
        #expect(try book.routes().routes.map(\.id) == ["there"] && book.opinions(of: "there") == before)
    }

    @Test func `publishing the same document twice is a conflict`() async throws {
        _ = try await publish()
        #expect(await sample.answer("POST", "/routes", [Self.ben], body: Self.walk()).status == 409)
    }

    @Test func `damaged ratings and comments lose no route`() async throws {
        let id = try await publish()
        try folder.write(Array(#"{"stars": {"ana": 900}"#.utf8), to: "routes/\(id)/opinions.json")
        for sort in ["date", "rating", "popularity"] {
            let list = try members(await sample.get("/routes?sort=\(sort)"))
            #expect(list["count"] == .integer(1))
            let warnings = try #require(list["warnings"]?.arrayValue).compactMap(\.objectValue)
            #expect(warnings.map { $0["route"] } == [.string(id)] && warnings[0]["effect"] == "omitted")
        }
        // A route that is damaged itself is counted, and where it lies is not told.
        try folder.write(Array("{".utf8), to: "routes/\(id)/about.json")
        let rest = try members(await sample.get("/routes?q=x"))
        let words = try #require(rest["warnings"]?.arrayValue?.first?.objectValue?["message"]?.stringValue)
        #expect(words.contains("1 damaged routes not listed") && !words.contains(folder.path))
        #expect(await sample.get("/routes/\(id)/comments").status == 500)
    }

    @Test func `short or equal keys give nil`() {
        #expect(AccessKeys([("ana", "short")]) == nil)
        #expect(AccessKeys([("ana", "one key of 20 bytes!"), ("ben", "one key of 20 bytes!")]) == nil)
    }
}
