import Foundation
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTesting
import TestHelpers
import Testing

@testable import Portolan

/// Elevations in a band of a GeoTIFF on a server that counts ranges.
@Suite(.timeLimit(.minutes(20))) struct RemoteElevationTests {
    private static func drawn(_ layer: String, _ server: RangeServer) async throws -> RenderResult {
        let configuration = World.configuration()
        let client = ServiceClient(configuration: configuration, transport: server.transport)
        let layers = try await LayerBuilder(client: client).build([LayerSpecification(layer)])
        if let failure = layers[0].failure { throw failure }
        return try await MapRenderer(configuration: configuration, transport: server.transport).render(
            layers.compactMap(\.layer), in: RemoteGeoTIFFTests.view(width: 1024, height: 1024), options: World.plain())
    }

    @Test(arguments: ["hillshade", "color-relief", "slope", "aspect", "contours"])
    func `elevations on a server look like those of the same file, in as few ranges as a picture`(
        kind: String
    ) async throws {
        let server = RangeServer(try RemoteGeoTIFFTests.bytes("cog.tif"))
        let remote = try await Self.drawn("\(kind):http://h.example/dem.tif;band=2", server)
        let local = try await Self.drawn("\(kind):\(RemoteGeoTIFFTests.path("cog.tif"));band=2", server)
        #expect(remote.report.complete)
        #expect(remote.image == local.image)
        #expect(Set(remote.image.pixels).count > 4)
        #expect(server.log.count <= 3, "\(server.log)")
    }

    @Test func `a picture and elevations of one image differ`() async throws {
        let server = RangeServer(try RemoteGeoTIFFTests.bytes("cog.tif"))
        let configuration = World.configuration()
        let client = ServiceClient(configuration: configuration, transport: server.transport)
        let both = try await LayerBuilder(client: client).build([
            LayerSpecification("http://h.example/dem.tif"),
            LayerSpecification("hillshade:http://h.example/dem.tif;shadow=#000;highlight=#fff"),
            LayerSpecification("contours:http://h.example/dem.tif;band=3"),
        ])
        let result = try await MapRenderer(configuration: configuration, transport: server.transport).render(
            both.compactMap(\.layer), in: RemoteGeoTIFFTests.view(), options: World.plain())
        #expect(both.count { $0.layer != nil } == 3)
        #expect(result.report.complete)
    }

    @Test func `elevations along a line are those of the same file`() async throws {
        let server = RangeServer(try RemoteGeoTIFFTests.bytes("cog.tif"))
        let client = ServiceClient(configuration: World.configuration(), transport: server.transport)
        let builder = LayerBuilder(client: client)
        // Across all tiles of the image.
        let toDegrees = try CoordinateTransform(from: .webMercator, to: .crs84)
        let places = stride(from: 0.0, to: 10_000, by: 250).compactMap { step in
            toDegrees(Coordinate(x: 2_770_100 + step, y: 8_439_900 - step))
        }
        let remote = try await LayerBuilder.ElevationSampler(
            LayerSpecification("hillshade:http://h.example/dem.tif;band=2"), builder
        ).elevations(at: places)
        let local = try await LayerBuilder.ElevationSampler(
            LayerSpecification("hillshade:\(RemoteGeoTIFFTests.path("cog.tif"));band=2"), builder
        ).elevations(at: places)
        #expect(remote.losses.isEmpty)
        #expect(remote.elevations == local.elevations)
        #expect(remote.elevations.count == 40)
        #expect(remote.elevations.allSatisfy { $0 != nil })
        #expect(server.log.count <= 5, "\(server.log)")
    }

    @Test(arguments: [
        ("hillshade:http://h.example/dem.tif;band=4", "1 to 3"),
        ("hillshade:http://h.example/dem.tif;encoding=mapbox", "bands"),
        ("slope:http://h.example/dem.tif;max-zoom=3", "tiles"),
    ])
    func `keys without effect are refused`(_ layer: String, _ remedy: String) async throws {
        let server = RangeServer(try RemoteGeoTIFFTests.bytes("cog.tif"))
        let error = try await #require(throws: MapError.self) { try await Self.drawn(layer, server) }
        #expect(error.description.firstRange(of: remedy) != nil, "\(error)")
    }

    @Test func `a range beyond the end of a whole file is an error of the image`() async throws {
        let whole = try RemoteGeoTIFFTests.bytes("cog.tif")
        let server = RangeServer(Array(whole.prefix(whole.count / 2)), RangeServer.Behaviour(sendsWhole: true))
        let result = try? await Self.drawn("hillshade:http://h.example/dem.tif", server)
        #expect(result?.report.complete != true)
    }
}
