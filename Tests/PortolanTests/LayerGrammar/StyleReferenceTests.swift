import Foundation
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanPlan
import PortolanStyles
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Feature layers that a MapLibre style draws.
@Suite struct StyleReferenceTests {
    private static let style = #"{"version":8,"layers":[{"id":"a","type":"line"},{"id":"b","type":"circle"}]}"#
    private static let point = "data:application/geo+json,{\"type\":\"Point\",\"coordinates\":[1,2]}"

    private static func builder() -> LayerBuilder {
        var configuration = RendererConfiguration()
        configuration.retries = .none
        let transport = StubTransport { (request) throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
        }
        return LayerBuilder(client: ServiceClient(configuration: configuration, transport: transport), isStrict: false)
    }

    /// The layer that some keys make of a point, the style in a file beside.
    private static func layer(_ keys: [String: String], style: String = style) async throws -> LayerBuilder.Built {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sheet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "town.json")
        try Data(style.utf8).write(to: file)
        let values = keys.mapValues { $0 == "FILE" ? file.path : $0 }
        let specification = try LayerSpecification(kind: .features, source: point, values: values)
        return try #require(try await builder().build([specification]).first)
    }

    @Test func `a style file draws the features and reports unsupported layers`() async throws {
        let built = try await Self.layer(
            ["style": "FILE"],
            style:
                #"{"version":8,"layers":[{"id":"a","type":"symbol","layout":{"symbol-z-order":"source"}},{"id":"b","type":"sky"}]}"#
        )
        #expect(built.layer?.features?.sheet?.layers.map(\.id) == ["a"])
        #expect(built.warnings.count == 1)
        let plan = MapPlanner(viewport: try World.view()).plan([try #require(built.layer)])
        #expect(
            plan.warnings.contains { $0.isLoss && $0.message.contains("'sky'") },
            "what is missing is the picture's to say")
    }

    @Test func `a subset of the style's layers can be selected`() async throws {
        let built = try await Self.layer(["style": "FILE", "style-layers": "b"])
        #expect(built.layer?.features?.sheet?.layers.map(\.id) == ["b"])
    }

    @Test(arguments: [
        (["style-layers": "b"], LayerError.Code.invalid), (["style": "FILE", "style-layers": "c"], .invalid),
        (["style": "/no/such/style.json"], .missing), (["style": "{}"], .unreadable),
    ])
    func `invalid style keys are refused`(_ keys: [String: String], _ code: LayerError.Code) async throws {
        let error = await #expect(throws: MapError.self) { try await Self.layer(keys) }
        #expect(error?.layerError?.code == code)
    }

    @Test func `an invalid style is refused with its line`() async throws {
        let error = await #expect(throws: MapError.self) {
            try await Self.layer(["style": "FILE"], style: "{\n\"layers\": [,]}")
        }
        guard case .style(let cause, _)? = error?.layerError?.cause else {
            return #expect(Bool(false), "another cause")
        }
        guard case .json(let line, _) = cause.reason else { return #expect(Bool(false), "another reason") }
        #expect(line == 2)
    }

    @Test func `a style can be inline in a map document or in a file next to it`() throws {
        let text = """
            {"layers": [{"source": "roads.geojson", "style": \(Self.style)}, {"source": "b.geojson", "style": "styles/b.json"}]}
            """
        let document = try MapDocument(bytes: Array(text.utf8), path: "/maps/map.json")
        #expect(document.layers[1]["style"] == "/maps/styles/b.json")
        let inline = try #require(document.layers[0]["style"])
        #expect(try StyleSheet(bytes: Array(inline.utf8)).layers.count == 2)
        let (written, _) = document.encoded(relativeTo: "/maps/map.json")
        #expect(try MapDocument(bytes: written, path: "/maps/map.json") == document)
    }

    @Test func `a remote document may not refer to a local style`() throws {
        let text = #"{"layers": [{"source": "roads.geojson", "style": "file:///etc/style.json"}]}"#
        #expect(throws: MapError.self) {
            try MapDocument(
                bytes: Array(text.utf8),
                base: BaseURL(
                    "https://maps.example/map.json", contents: .document(NamedURL.RemoteDocument(host: "maps.example")))
            )
        }
    }
}
