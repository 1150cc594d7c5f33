import Foundation
import PortolanArchives
import PortolanCodecs
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

@testable import Portolan

/// Images that GDAL wrote, on a server that counts ranges; `Fixtures/cog/make.py` describes them.
@Suite(.timeLimit(.minutes(20))) struct RemoteGeoTIFFTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/cog")

    static func path(_ name: String) -> String { folder.appending(path: name).path }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    /// A view whose pixels are those of the image, or of its coarser levels.
    static func view(pixelsPerPixel: Double = 1, width: Int = 512, height: Int = 384) throws -> Viewport {
        try Viewport(
            center: Coordinate(x: 2_775_120, y: 8_434_880),
            resolution: #require(Resolution(unitsPerPixel: 10 * pixelsPerPixel)),
            size: #require(ImageSize(width: width, height: height)))
    }

    /// Draws a layer of the image on a server, connected and rendered with one configuration.
    static func drawn(
        _ server: RangeServer, keys: String = "", cache: TemporaryFolder? = nil, isOffline: Bool = false,
        in view: Viewport? = nil
    ) async throws -> RenderResult {
        var configuration = World.configuration()
        configuration.cacheFolder = cache.map { $0.path + "/cache" }
        configuration.isOffline = isOffline
        let client = ServiceClient(configuration: configuration, transport: server.transport)
        let layers = try await LayerBuilder(client: client).build([
            LayerSpecification("geotiff:http://h.example/image.tif" + keys)
        ])
        if let failure = layers[0].failure { throw failure }
        let renderer = MapRenderer(configuration: configuration, transport: server.transport)
        let result = try await renderer.render(
            layers.compactMap(\.layer), in: view ?? Self.view(), options: World.plain())
        await renderer.flush()
        await client.flush()
        return result
    }

    static func local(_ name: String, in view: Viewport? = nil) async throws -> RenderResult {
        let client = ServiceClient(configuration: World.configuration())
        let layers = try await LayerBuilder(client: client).build([LayerSpecification("geotiff:\(path(name))")])
        return try await MapRenderer(configuration: World.configuration()).render(
            layers.compactMap(\.layer), in: view ?? Self.view(), options: World.plain())
    }

    @Test(arguments: [1, 2, 4, 1.3]) func `an image on a server looks like the same file`(scale: Double) async throws {
        let server = RangeServer(try Self.bytes("cog.tif"))
        let view = try Self.view(pixelsPerPixel: scale)
        let remote = try await Self.drawn(server, in: view), local = try await Self.local("cog.tif", in: view)
        #expect(remote.report.complete)
        #expect(remote.image == local.image)
    }

    @Test func `an image is opened by one range, and a view needs one more for each run of blocks`() async throws {
        let server = RangeServer(try Self.bytes("cog.tif"))
        _ = try await Self.drawn(server, in: Self.view(width: 256, height: 256))
        // The blocks in two rows of tiles: each row is one run, and they lie within the gap that is read over.
        #expect(server.log.first == "0-65535 206")
        #expect(server.log.count <= 3)
        let other = RangeServer(try Self.bytes("cog.tif"))
        // All blocks of the image.
        _ = try await Self.drawn(other, in: Self.view(width: 1024, height: 1024))
        #expect(other.log.count == 2)
    }

    #if Storage
    @Test func `ranges are kept in the cache, and drawn from it offline`() async throws {
        let folder = try TemporaryFolder(), server = RangeServer(try Self.bytes("cog.tif"))
        let first = try await Self.drawn(server, cache: folder), log = server.log
        let again = try await Self.drawn(server, cache: folder)
        #expect(server.log == log)
        #expect(again.image == first.image)
        server.stop()
        let offline = try await Self.drawn(server, cache: folder, isOffline: true)
        #expect(offline.report.complete)
        #expect(offline.image == first.image)
    }
    #endif

    @Test func `values of 16 bits are stretched as those of the file`() async throws {
        let server = RangeServer(try Self.bytes("values.tif"))
        let view = try Viewport(
            center: Coordinate(x: 2_771_000, y: 8_439_000),
            resolution: #require(Resolution(unitsPerPixel: 10)), size: #require(ImageSize(width: 200, height: 200)))
        let remote = try await Self.drawn(server, in: view), local = try await Self.local("values.tif", in: view)
        #expect(remote.image == local.image)
        // The header, the blocks of the values, and the view: all of one block, which the cache may have.
        #expect(server.log.count <= 3)
    }

    @Test(arguments: [true, false]) func `a replaced image is read again from its beginning`(
        isConditional: Bool
    ) async throws {
        let bytes = try Self.bytes("cog.tif")
        let server = RangeServer(bytes, RangeServer.Behaviour(ignoresConditions: !isConditional))
        let configuration = World.configuration()
        let client = ServiceClient(configuration: configuration, transport: server.transport)
        let layers = try await LayerBuilder(client: client).build([
            LayerSpecification("geotiff:http://h.example/image.tif")
        ])
        // Another file of the same structure.
        server.replace(bytes + [0], tag: "\"2\"")
        let result = try await MapRenderer(configuration: configuration, transport: server.transport).render(
            layers.compactMap(\.layer), in: Self.view(), options: World.plain())
        #expect(result.report.complete)
        #expect(result.image == (try await Self.local("cog.tif")).image)
    }

    @Test func `a server that ignores ranges sends the whole file once`() async throws {
        let server = RangeServer(try Self.bytes("cog.tif"), RangeServer.Behaviour(sendsWhole: true))
        let result = try await Self.drawn(server)
        #expect(result.image == (try await Self.local("cog.tif")).image)
        #expect(server.log == ["0-65535 200"])
        let large = RangeServer(
            try Self.bytes("cog.tif") + [UInt8](repeating: 0, count: 33 << 20),
            RangeServer.Behaviour(sendsWhole: true))
        let error = try await #require(throws: MapError.self) { try await Self.drawn(large) }
        #expect(error.description.contains("ignored the range request"))
    }

    @Test func `damaged images give errors or pictures`() async throws {
        let whole = try Self.bytes("values.tif")
        var generator = SeededGenerator(seed: 11)
        for round in 0..<60 {
            var bytes = whole
            if round % 3 == 0 { bytes.removeLast(Int.random(in: 1..<whole.count - 16, using: &generator)) }
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<min(900, bytes.count), using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            do {
                let result = try await Self.drawn(RangeServer(bytes), in: Self.view(width: 64, height: 64))
                #expect(result.image.width == 64)
            } catch let error as MapError { #expect(!error.description.isEmpty) }
        }
    }

    @Test func `directories that are spread over a file are refused after a number of requests`() async throws {
        // 64 directories of a small image, each 128 KiB after the one before.
        let one = try Self.bytes("strips.tif"), step = 128 << 10
        var bytes = one + [UInt8](repeating: 0, count: 66 * step)
        func put(_ value: Int, at place: Int, _ width: Int) {
            for index in 0..<width { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
        }
        put(step, at: 4, 4)
        for number in 1...64 {
            // One field, the width, and the next directory.
            put(1, at: number * step, 2)
            put(256, at: number * step + 2, 2)
            put(4, at: number * step + 4, 2)
            put(1, at: number * step + 6, 4)
            put(number == 64 ? 0 : (number + 1) * step, at: number * step + 14, 4)
        }
        let server = RangeServer(bytes)
        let error = try await #require(throws: MapError.self) { try await Self.drawn(server) }
        #expect(!error.description.isEmpty)
        #expect(server.log.count <= 40)
    }

    @Test func `a position has the values of all bands at full resolution`() async throws {
        let server = RangeServer(try Self.bytes("values.tif")), configuration = World.configuration()
        let view = try Viewport(
            center: Coordinate(x: 2_771_000, y: 8_439_000),
            resolution: #require(Resolution(unitsPerPixel: 20)), size: #require(ImageSize(width: 100, height: 100)))
        for source in [Self.path("values.tif"), "http://h.example/image.tif"] {
            let client = ServiceClient(configuration: configuration, transport: server.transport)
            let layers = try await LayerBuilder(client: client).build([LayerSpecification("geotiff:\(source)")])
                .compactMap(\.layer)
            let renderer = MapRenderer(configuration: configuration, transport: server.transport)
            // The pixel 150, 100 of the image: 500 + 900 b + 8 · 150 + 5 · 100 + 300 sin(150 / 9).
            let found = await renderer.identify(layers, in: view, pixel: Point(x: 75.25, y: 50.25))
            let properties = try #require(found.first?.features.first?.feature.properties)
            #expect(properties["band 1"]?.doubleValue == 1954)
            #expect(properties["nir"]?.doubleValue == 4654)
            // No data.
            #expect(
                await renderer.identify(layers, in: view, pixel: Point(x: 25, y: 20)).first?.features.isEmpty == true)
        }
    }

    @Test func `runs of blocks are joined over small gaps, up to a length`() {
        let gap = BlockRanges.gap, limit = BlockRanges.limit
        #expect(BlockRanges.merged([0..<10, 12..<20, 20..<30]) == [0..<30])
        #expect(BlockRanges.merged([0..<10, 10 + gap..<20 + gap, 21 + 2 * gap..<30 + 2 * gap]).count == 2)
        #expect(BlockRanges.merged([0..<limit, limit..<limit + 10]).count == 2)
        // Blocks that share bytes stay together.
        #expect(BlockRanges.merged([0..<limit, limit - 5..<limit + 10]) == [0..<limit + 10])
        #expect(BlockRanges.merged([]) == [])
    }
}
