import PortolanGeo
import PortolanServices
import Testing

/// Half-size letters on dense screens (pitfall 47).
@Suite struct GetMapRequestPixelRatioTests {
    private func query(
        _ ratio: Double, base: String = "http://h/wms", _ extra: [GetMapRequest.Parameter] = []
    ) throws
        -> [String: String]
    {
        let request = try GetMapRequest(
            version: .v1_3_0, baseURL: base, layers: ["a"], crs: .webMercator,
            extent: #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)), width: 1, height: 1, extraParameters: extra)
        let url = request.enlarged(byPixelRatio: ratio).url
        var query: [String: String] = [:]
        for part in url.split(separator: "?")[1].split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            #expect(query.updateValue(pair[1], forKey: pair[0].uppercased()) == nil, "\(part) is there twice")
        }
        return query
    }

    @Test(arguments: [(2.0, "180", "144"), (1.5, "135", "108"), (3, "270", "216"), (0.5, "45", "36")])
    func `letters grow with the pixels on three servers`(ratio: Double, dpi: String, mapServer: String) throws {
        let query = try query(ratio)
        #expect(query["DPI"] == dpi && query["MAP_RESOLUTION"] == mapServer && query["FORMAT_OPTIONS"] == "dpi:\(dpi)")
    }

    @Test(arguments: [1, 0, -2, .nan, .infinity]) func `nothing is said where there is nothing to say`(
        ratio: Double
    ) throws {
        let query = try query(ratio)
        #expect(query["DPI"] == nil && query["MAP_RESOLUTION"] == nil && query["FORMAT_OPTIONS"] == nil)
    }

    @Test(arguments: [("DPI", "96"), ("map_resolution", "96"), ("FORMAT_OPTIONS", "antialias:on;dpi:96")])
    func `a resolution of the user's own stays alone`(name: String, value: String) throws {
        let query = try query(2, [.init(name, value)])
        let sent = ["DPI", "MAP_RESOLUTION", "FORMAT_OPTIONS"].filter { query[$0] != nil }
        #expect(sent == [name.uppercased()])
        #expect(try self.query(2, base: "http://h/wms?\(name)=\(value)").filter { $0.value.contains("180") }.isEmpty)
    }

    @Test func `other options for the format stay beside the resolution`() throws {
        let query = try query(2, [.init("format_options", "layout:big")])
        #expect(query["FORMAT_OPTIONS"] == "layout:big%3Bdpi:180" && query["DPI"] == "180")
        #expect(try self.query(2, base: "http://h/wms?format_options=layout:big")["FORMAT_OPTIONS"] == "layout:big")
    }
}
