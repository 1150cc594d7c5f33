import Foundation
import Portolan
import PortolanCodecs
import PortolanGeo
import PortolanRaster
import Testing

/// Map documents drawn by the command.
@Suite struct MapDocumentRunTests {
    private let portolan: BuiltCommand

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(#"{"type":"LineString","coordinates":[[-1,0],[1,0]]}"#, to: "maps/data/line.geojson")
        try portolan.write(
            """
            {"size": [80, 60], "crs": "EPSG:4326", "bbox": [-1, -1, 1, 1],
             "layers": [{"source": "data/line.geojson", "stroke": "#ff0000", "stroke-width": 6, "name": "line"}]}
            """, to: "maps/map.json")
    }

    private func report(_ name: String) throws -> RenderReport {
        try JSONDecoder().decode(RenderReport.self, from: Data(#require(portolan.file(name))))
    }

    @Test func `paths in a document are relative to it`() async throws {
        let ended = try await portolan.run(["render", "maps/map.json", "-o", "a.png", "--report", "a.json"])
        #expect(ended.status == 0, "\(ended.testDescription)")
        let image = try ImageDecoders.standard.decode(#require(portolan.file("a.png")))
        #expect("\(image.size)" == "80x60")
        #expect(image[40, 30] == Pixel(red: 255, green: 0, blue: 0, alpha: 255))
        #expect(image[40, 10] == Pixel(.white))
        #expect(try report("a.json").layers.map(\.name) == ["line"])
    }

    @Test func `command-line options override those of a document`() async throws {
        let ended = try await portolan.run([
            "render", "maps/map.json", "--size", "100x50", "--center", "10,20", "--scale", "1:1000000", "--crs",
            "EPSG:3857", "-o", "a.png", "--report", "a.json",
        ])
        #expect(ended.status == 0, "\(ended.testDescription)")
        let view = try report("a.json").view
        #expect(view.size == [100, 50])
        #expect(view.crs == "EPSG:3857")
        // 0.28 mm a pixel at 1:1 000 000.
        #expect(abs(view.resolution - 280) < 1e-9)
        // Ten degrees of the equator of the sphere with radius 6 378 137 m.
        #expect(abs((view.extent[0] + view.extent[2]) / 2 - 1_113_194.9079327357) < 1e-3)
    }

    @Test func `the bounding box of a document keeps its position in another CRS`() async throws {
        _ = try await portolan.run([
            "render", "maps/map.json", "--crs", "EPSG:3857", "--size", "60x60", "-o", "a.png", "--report", "a.json",
        ])
        let extent = try report("a.json").view.extent
        // A degree north is a little more than one east there; the picture is square, so the height decides.
        #expect(abs(extent[0] + 111_325.143) < 0.01 && abs(extent[3] - 111_325.143) < 0.01)
    }

    @Test func `layers on the command line are drawn above those of a document`() async throws {
        let ended = try await portolan.run([
            "render", "maps/map.json", "-l", "maps/data/line.geojson;stroke=#0000ff;stroke-width=6", "-o", "a.png",
        ])
        #expect(ended.status == 0, "\(ended.testDescription)")
        let image = try ImageDecoders.standard.decode(#require(portolan.file("a.png")))
        #expect(image[40, 30] == Pixel(red: 0, green: 0, blue: 255, alpha: 255))
    }

    @Test func `an error in a document is reported with its line`() async throws {
        try portolan.write("{\"size\": [8, 6],\n\"layers\": [\n}", to: "bad.json")
        let ended = try await portolan.run(["render", "bad.json", "-o", "a.png"])
        #expect(ended.status == 65)
        #expect(ended.error.hasPrefix("portolan: error: bad.json: line 3: "))
    }
}
