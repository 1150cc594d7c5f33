import Foundation
import Portolan
import PortolanCity
import PortolanFetch
import PortolanPlan
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Layers of timetables and of vehicles.
@Suite struct TransitLayerTests {
    @Test func `an app can register the layer kinds of public transport`() throws {
        #expect(throws: MapError.self) { try LayerSpecification("transit:helsinki.zip") }
        var configuration = RendererConfiguration()
        configuration.layerKinds.kinds += LayerKinds.city.kinds
        let layer = try LayerSpecification("transit:helsinki.zip;lines=4,7", kinds: configuration.layerKinds)
        #expect(layer.kind == .transit)
        #expect(layer.name == "helsinki")
        #expect(layer.list("lines") == ["4", "7"])
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SampleFeed.write(to: folder.path + "/feed")
        try folder.write(Array(VehicleSourceTests.lines.utf8), to: "vehicles.txt")
    }

    private func built(
        _ kind: LayerKind, _ source: String, _ keys: [String: String] = [:]
    ) async throws -> LayerBuilder.Built {
        let builder = LayerBuilder(client: VehicleSourceTests.client, isStrict: false)
        let specification = try LayerSpecification(kind: kind, source: folder.path + "/" + source, values: keys)
        return try #require(try await builder.build([specification]).first)
    }

    @Test(arguments: [
        ([:], 4), (["show": "lines"], 1), (["show": "stops"], 3), (["show": "names"], 3), (["lines": "9"], 4),
    ])
    func `keys select the parts of a timetable that are drawn`(keys: [String: String], count: Int) async throws {
        let built = try await built(.transit, "feed", keys)
        #expect(built.layer?.features?.features.count == count)
        #expect(built.warnings.isEmpty)
    }

    @Test(arguments: [
        (["show": "trains"], "show"), (["lines": "7"], "lines"), (["line-width": "100"], "line-width"),
    ])
    func `invalid keys of a timetable are reported`(keys: [String: String], key: String) async throws {
        let error = try await #require(throws: MapError.self) { _ = try await built(.transit, "feed", keys) }
        #expect(error.code == .invalidArgument)
        #expect(error.description.contains(key))
    }

    @Test func `a missing feed is reported as not found`() async throws {
        let error = try await #require(throws: MapError.self) { _ = try await built(.transit, "none") }
        #expect(error.code == .notFound)
    }

    @Test func `vehicles of a recording are drawn at their last position with their line names`() async throws {
        let built = try await built(.vehicles, "vehicles.txt")
        let live = try #require(built.layer?.live)
        #expect(live.object(.string("B2"))?.label == "1003")
        #expect(live.count == 2)
        #expect(built.warnings.isEmpty)
    }

    @Test func `vehicles of other lines are left out`() async throws {
        let built = try await built(.vehicles, "vehicles.txt", ["lines": "1003", "directions": "none"])
        #expect(built.layer?.live?.count == 1)
        #expect(built.layer?.live?.style.headings == LiveLayer.Appearance.Headings.none)
    }

    @Test(arguments: [(["format": "telex"], "format"), (["directions": "up"], "directions")])
    func `invalid keys of vehicles are reported`(keys: [String: String], key: String) async throws {
        let error = try await #require(throws: MapError.self) { _ = try await built(.vehicles, "vehicles.txt", keys) }
        #expect(error.code == .invalidArgument)
        #expect(error.description.contains(key))
    }
}
