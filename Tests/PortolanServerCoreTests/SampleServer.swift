import Foundation
import Portolan
import PortolanCodecs
import PortolanGeo
import PortolanRaster
import PortolanServerCore
import PortolanXML
import Synchronization
import TestHelpers
import Testing

/// Maps of small files, and a server of them.
struct SampleServer {
    let folder: TemporaryFolder
    /// Folders that live as long as the server.
    var extra: [TemporaryFolder] = []
    let book: MapBook
    let server: MapServer

    /// A square of red about 0, 0, ten degrees wide.
    static let square = """
        {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"fill": "#ff0000", "fill-opacity": 1, "stroke-width": 0},
         "geometry": {"type": "Polygon", "coordinates": [[[-5, -5], [5, -5], [5, 5], [-5, 5], [-5, -5]]]}}]}
        """

    /// Makes a server of the map `square`, and of `named` with a label beside the border between two tiles.
    init(_ change: (inout MapServer.Settings) -> Void = { _ in }) async throws {
        folder = try TemporaryFolder()
        try folder.write(Array(Self.square.utf8), to: "square.geojson")
        let label = """
            {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "Borderline"},
            "geometry": {"type": "Point", "coordinates": [-0.91, 5.01]}}]}
            """
        try folder.write(Array(label.utf8), to: "label.geojson")
        var configuration = RendererConfiguration()
        configuration.fontFiles = ["\(Self.fixtures)/fonts/DejaVuSans.ttf"]
        configuration.usesSystemFonts = false
        // Missing servers remain missing.
        configuration.retries.maximumCount = 0
        var square = MapSource(name: "square", layers: ["\(folder.path)/square.geojson"])
        square.title = "A square"
        square.zooms = 0...18
        square.maximumAge = 60
        let named = MapSource(name: "named", layers: ["\(folder.path)/label.geojson;label=name;label-size=20"])
        let blue = Self.square.replacing("#ff0000", with: "#0000ff").replacing("5", with: "2")
        try folder.write(Array(blue.utf8), to: "blue.geojson")
        // The lower one is larger; the tiles of the last one are never available.
        let both = MapSource(
            name: "both",
            layers: ["\(folder.path)/square.geojson;name=low", "\(folder.path)/blue.geojson;name=high"])
        let far = MapSource(name: "far", layers: ["xyz:http://127.0.0.1:9/{z}/{x}/{y}.png"])
        book = try await MapBook.open([square, named, both, far], configuration: configuration)
        var settings = MapServer.Settings(processors: 2)
        // Other tests may keep all processors for longer than a person would wait.
        settings.pictures.deadline = .seconds(600)
        change(&settings)
        server = MapServer(book, settings: settings)
    }

    static let fixtures = String(#filePath.split(separator: "/Tests/PortolanServerCoreTests/")[0]) + "/Fixtures"

    /// The bytes of a fixture.
    static func fixtureBytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(fixtures)/\(path)")))
    }

    /// The answer to a GET.
    func get(_ target: String, _ headers: [(String, String)] = []) async -> ServerResponse {
        await answer("GET", target, headers)
    }

    func answer(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], body: String = ""
    ) async -> ServerResponse {
        await server.answer(
            method, target, headers: headers.map { HTTPHeader(name: $0.0, value: $0.1) }, body: Array(body.utf8),
            client: "192.0.2.1"
        ).response
    }

    /// The root of an answer that is XML.
    func xml(_ target: String, status: Int = 200) async throws -> XMLElement {
        let response = await get(target)
        #expect(response.status == status, "\(target)")
        return try XMLReader().tree(of: response.body).root
    }

    /// The pixels of an answer.
    func pixels(_ target: String) async throws -> PixelBuffer {
        let response = await get(target)
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try ImageDecoders.standard.decode(response.body)
    }
}

/// A value that tasks share.
final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { state.withLock { $0 } }

    func change(_ change: (inout Value) -> Void) { state.withLock { change(&$0) } }
}

/// The numbers of a problem document that decide: its status, its key and where the fault is.
struct ProblemFacts: Equatable, CustomStringConvertible {
    var status: Int
    var key: String?
    var position: Int?

    init(_ status: Int, _ key: String? = nil, _ position: Int? = nil) {
        (self.status, self.key, self.position) = (status, key, position)
    }

    init(_ problem: Problem) { self.init(problem.kind.status, problem.key, problem.position) }

    var description: String { "\(status) \(key ?? "-") \(position.map(String.init) ?? "-")" }
}
