import Foundation
import Portolan
import Testing

/// `--memory-limit` and the results of exceeding it.
@Suite struct MemoryLimitTests {
    private let portolan: BuiltCommand
    private static let view = ["--bbox", "-2,-2,2,2", "--crs", "EPSG:4326", "--size", "80x80", "-o", "a.png"]

    init() throws {
        portolan = try BuiltCommand()
        let places = Array(repeating: "[1,1]", count: 500_000).joined(separator: ",")
        try portolan.write(#"{"type":"MultiPoint","coordinates":[\#(places)]}"#, to: "many.geojson")
        try portolan.write(#"{"type":"Point","coordinates":[0,0]}"#, to: "one.geojson")
    }

    @Test func `a file beyond the memory limit is reported, with a remedy`() async throws {
        let ended = try await portolan.run(["render", "-l", "many.geojson", "--memory-limit", "16"] + Self.view)
        #expect(ended.status == 65 && ended.errors.contains("raise --memory-limit"), "\(ended.testDescription)")
        #expect(ended.errors.contains("16 MiB") && portolan.file("a.png") == nil)
        let raised = try await portolan.run(["render", "-l", "many.geojson", "--memory-limit", "64"] + Self.view)
        #expect(raised.status == 0 && portolan.file("a.png") != nil, "\(raised.testDescription)")
    }

    @Test func `other layers are drawn if one exceeds the memory limit`() async throws {
        let ended = try await portolan.run(
            ["render", "-l", "many.geojson", "-l", "one.geojson", "--memory-limit", "16", "--report", "r.json"]
                + Self.view)
        #expect(ended.status == 3 && portolan.file("a.png") != nil, "\(ended.testDescription)")
        let report = try JSONDecoder().decode(RenderReport.self, from: Data(#require(portolan.file("r.json"))))
        #expect(report.layers.flatMap(\.failed).map(\.code) == [.memory])
    }

    @Test(arguments: ["15", "-1", "0", "2000000", "x"])
    func `a memory limit out of range is rejected`(_ limit: String) async throws {
        let ended = try await portolan.run(["render", "-l", "one.geojson", "--memory-limit", limit] + Self.view)
        #expect(ended.status == 64)
    }
}
