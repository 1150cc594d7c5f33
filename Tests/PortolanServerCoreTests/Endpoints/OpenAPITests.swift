import PortolanFeatures
import PortolanServerCore
import TestHelpers
import Testing

/// The description of all operations.
@Suite struct OpenAPITests {
    private static let endpoints = MapServer.standardEndpoints(ViewerSessions(ViewerBudget(processors: 1)))

    @Test func `each endpoint describes its paths and methods`() {
        for endpoint in Self.endpoints {
            let operations = endpoint.operations
            #expect(!operations.isEmpty, "\(endpoint.root)")
            for operation in operations {
                let path = operation.path.dropFirst().split(separator: "/").first.map(String.init) ?? ""
                #expect(path == endpoint.root, "\(operation.path)")
                #expect(endpoint.methods.contains(operation.method), "\(operation.id)")
                #expect(!operation.answers.isEmpty && operation.summary.hasSuffix(".") || endpoint.root == "ogc")
            }
            #expect(
                Set(endpoint.methods).subtracting([.head]) == Set(operations.map(\.method)), "\(endpoint.root)")
        }
    }

    @Test func `an operation is described once`() {
        let operations = Self.endpoints.flatMap(\.operations) + MapServer.healthOperations
        #expect(Set(operations.map(\.id)).count == operations.count)
        // Templates that differ in the names of their parameters alone are equal (OpenAPI 3.1, section 4.8.8).
        let paths = operations.map { "\($0.method.rawValue) " + $0.path.replacing(/\{[^}]*\}/, with: "{}") }
        #expect(Set(paths).count == paths.count)
    }

    @Test(
        arguments: [
            ("POST", "/styles/square/style.json", "GET, HEAD, OPTIONS"),
            ("DELETE", "/styles/square/static/0,0,3/9x9@2x.png", "GET, HEAD, POST, OPTIONS"),
            ("POST", "/viewer", "GET, HEAD, OPTIONS"), ("PUT", "/", "GET, HEAD, OPTIONS"),
            ("TRACE", "/metrics", "GET, HEAD"), ("DELETE", "/health/live", "GET, HEAD"),
            ("GET", "/session/none", nil), ("PUT", "/session/none", "DELETE, OPTIONS"),
        ] as [(String, String, String?)])
    func `a refused method states those that the path has`(
        method: String, target: String, allowed: String?
    )
        async throws
    {
        let response = await (try SampleServer()).answer(method, target)
        #expect((response.status == 405) == (allowed != nil))
        #expect(response[header: "Allow"] == allowed)
    }

    @Test(arguments: [
        ("/a/{x}", ["a", "b"], true), ("/a/{x}", ["a"], false), ("/a/{x}", ["a", ""], false),
        ("/{y}@{r}x.{f}", ["1@2x.png"], true), ("/{y}@{r}x.{f}", ["1.png"], false), ("/{y}.{f}", ["1.png"], true),
        ("/{w}x{h}@2x", ["1x2@2x"], true), ("/{w}x{h}@2x", ["1x2@3x"], false), ("/", [], true),
    ])
    func `a path has the form of its template`(template: String, path: [String], matches: Bool) {
        #expect(APIOperation(template, "A path.", group: "Paths", [.json]).matches(path) == matches)
    }

    private static let values = [
        "map": "square", "archive": "square", "collectionId": "square", "layer": "square", "z": "0", "x": "0", "y": "0",
        "grid": "WebMercatorQuad", "tileMatrixSetId": "WebMercatorQuad", "tileMatrix": "0", "tileRow": "0",
        "tileCol": "0", "ratio": "2", "tileFormat": "png", "format": "png", "dataFormat": "pbf", "side": "256",
        "style": "default", "styleId": "default", "place": "0,0,3", "width": "20", "height": "10", "i": "3", "j": "4",
        "infoFormat": "json", "user": "u", "overlays": "pin-s(0,0)", "range": "0-255", "fontstack": "Sans",
        "sprite": "default", "source": "none", "session": "none", "route": "none", "number": "1",
    ]

    /// The operations without parameters that decide what they are, and the status if it is not 200.
    private static let statuses = [
        "/wms": 400, "/wmts": 400, "/staticmap": 400, "/maps/api/staticmap": 400, "/viewer/{map}/ground": 400,
        "/fonts/{fontstack}/{range}.pbf": 404,
        "/styles/{map}/sources/{source}.geojson": 404,
    ]

    @Test func `each described path is answered as described`() async throws {
        let sample = try await SampleServer()
        for operation in Self.endpoints.flatMap(\.operations) + MapServer.healthOperations
        where operation.method == .get {
            var target = operation.path
            for name in operation.pathNames {
                let value = try #require(Self.values[name], "\(name)")
                target = target.replacing("{\(name)}", with: value)
            }
            let response = await sample.get(target)
            let isAbsent = ["/session/", "/routes", "/styles/{map}/sprite", "/sprite/", "/sprites/"].contains {
                operation.path.hasPrefix($0)
            }
            let status = isAbsent ? 404 : Self.statuses[operation.path] ?? 200
            #expect(
                response.status == status, "\(target): \(String(decoding: response.body.prefix(300), as: UTF8.self))")
            guard response.status == 200 else { continue }
            let type = response[header: "Content-Type"]?.prefix { $0 != ";" } ?? ""
            let types = operation.answers.first { $0.status == 200 }?.types ?? []
            #expect(types.contains(String(type)), "\(target): \(type)")
        }
    }

    @Test func `the description has all operations, and names the maps`() async throws {
        let sample = try await SampleServer { $0.version = "1.2.3" }
        let response = await sample.get("/openapi.json", [("Host", "h")])
        let document = try #require(try JSONReader.value(bytes: response.body).objectValue)
        #expect(document["openapi"]?.stringValue == "3.1.0")
        #expect(document["info"]?.objectValue?["version"]?.stringValue == "1.2.3")
        #expect(document["servers"]?.arrayValue?.first?.objectValue?["url"]?.stringValue == "http://h")
        let paths = try #require(document["paths"]?.objectValue)
        var count = 0
        for path in paths { count += path.value.objectValue?.count ?? 0 }
        #expect(
            count == Self.endpoints.flatMap(\.operations).count + MapServer.healthOperations.count + 1)
        let parameters = paths["/tilejson/{map}.json"]?.objectValue?["get"]?.objectValue?["parameters"]?.arrayValue
        let names = parameters?.first?.objectValue?["schema"]?.objectValue?["enum"]?.arrayValue?.map(\.stringValue)
        #expect(names == ["square", "named", "both", "far"])
    }

    @Test func `the description of OGC API has its paths in OpenAPI 3,0`() async throws {
        let sample = try await SampleServer()
        let response = await sample.get("/ogc/api", [("Host", "h"), ("Accept", "application/json")])
        let document = try #require(try JSONReader.value(bytes: response.body).objectValue)
        #expect(document["openapi"]?.stringValue == "3.0.3")
        #expect(document["servers"]?.arrayValue?.first?.objectValue?["url"]?.stringValue == "http://h/ogc")
        let paths = try #require(document["paths"]?.objectValue)
        for path in ["/", "/conformance", "/collections/{collectionId}/map", "/map/tiles"] {
            #expect(paths[path] != nil, "\(path)")
        }
        #expect(paths["/tilejson/{map}.json"] == nil)
    }
}
