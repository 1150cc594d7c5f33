import Foundation
import Portolan
import PortolanServerCore
import TestHelpers
import Testing

@Suite struct MapBookTests {
    private func cause(_ sources: [MapSource]) async -> String {
        do throws(MapBookError) {
            _ = try await MapBook.open(sources, configuration: RendererConfiguration())
            return "none"
        } catch {
            switch error.cause {
            case .name: return "name"
            case .duplicate: return "duplicate"
            case .empty: return "empty"
            case .document: return "document"
            case .layer: return "layer"
            }
        }
    }

    @Test func `a map that cannot be published is named with its cause`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(SampleServer.square.utf8), to: "a.geojson")
        try folder.write(Array("{\"layers\": []}".utf8), to: "empty.json")
        let layer = "\(folder.path)/a.geojson"
        #expect(await cause([MapSource(name: "a/b", layers: [layer])]) == "name")
        #expect(await cause([MapSource(name: "..", layers: [layer])]) == "name")
        #expect(
            await cause([MapSource(name: "a", layers: [layer]), MapSource(name: "a", layers: [layer])]) == "duplicate")
        #expect(await cause([MapSource(name: "a")]) == "empty")
        #expect(await cause([MapSource(name: "a", document: "\(folder.path)/empty.json")]) == "empty")
        #expect(await cause([MapSource(name: "a", document: "\(folder.path)/none.json")]) == "document")
        #expect(await cause([MapSource(name: "a", layers: ["\(folder.path)/none.geojson"])]) == "layer")
        #expect(await cause([MapSource(name: "a", layers: [layer])]) == "none")
    }

    @Test func `workers with the same files state the same sequence, which grows with the newest file`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(SampleServer.square.utf8), to: "a.geojson")
        try folder.write(Array("maps:".utf8), to: "maps.yaml")
        func sequence(_ file: String?) async throws -> Int {
            let source = MapSource(name: "m", layers: ["\(folder.path)/a.geojson"])
            return try await MapBook.open([source], configuration: RendererConfiguration(), file: file).sequence
        }
        func age(_ name: String, _ seconds: Double) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: "\(folder.path)/\(name)")
        }
        try age("a.geojson", 1_000)
        try age("maps.yaml", 2_000)
        #expect(try await sequence(nil) == 1_000)
        #expect(try await sequence("\(folder.path)/maps.yaml") == 2_000)
        #expect(try await sequence("\(folder.path)/maps.yaml") == 2_000)
        try age("a.geojson", 3_000)
        #expect(try await sequence("\(folder.path)/maps.yaml") == 3_000)
    }

    @Test func `the layers of a document and additional ones are published`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(SampleServer.square.utf8), to: "a.geojson")
        try folder.write(
            Array(
                #"{"crs": "EPSG:4326", "layers": [{"source": "a.geojson"}, {"source": "a.geojson", "visible": false}]}"#
                    .utf8),
            to: "m.json")
        let source = MapSource(
            name: "m", document: "\(folder.path)/m.json", layers: ["\(folder.path)/a.geojson;name=top"])
        let map = try await MapBook.open([source], configuration: RendererConfiguration()).map("m")
        #expect(map.layers.map(\.name) == ["a", "top"])
        #expect(map.crs.name == "EPSG:4326" && !map.isChanging && !map.placesLabels)
        #expect(map.degrees == [-5, -5, 5, 5])
        #expect(map.layers(named: ["top"])?.count == 1 && map.layers(named: ["top", "none"]) == nil)
    }

    @Test func `layer paths are relative to the folder of the file that names them`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(SampleServer.square.utf8), to: "a.geojson")
        let style = #"{"version": 8, "sources": {}, "layers": [{"id": "areas", "type": "fill"}]}"#
        try folder.write(Array(style.utf8), to: "look.json")
        var source = MapSource(name: "m", layers: ["a.geojson;style=look.json", "\(folder.path)/a.geojson;name=b"])
        #expect(await cause([source]) == "layer", "it lies not in the current folder")
        source.folder = folder.path
        let map = try await MapBook.open([source], configuration: RendererConfiguration()).map("m")
        #expect(map.layers.map(\.name) == ["a", "b"])
    }

    @Test func `a layer of a configuration or a document names a built-in style`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(SampleServer.square.utf8), to: "a.geojson")
        try folder.write(
            Array(#"{"layers": [{"style": "portolan-dark", "sources.openmaptiles": "a.geojson"}]}"#.utf8), to: "m.json")
        var source = MapSource(
            name: "m", document: "\(folder.path)/m.json",
            layers: ["style:portolan-light;sources.openmaptiles=a.geojson"])
        source.folder = folder.path
        let map = try await MapBook.open([source], configuration: RendererConfiguration()).map("m")
        #expect(map.layers.map(\.name) == ["portolan-dark", "portolan-light"])
    }
}
