import PortolanCodecs
import PortolanFeatures
import PortolanRaster
import PortolanServerCore
import Testing

@Suite(.timeLimit(.minutes(20))) struct GroundBlockTests {
    /// Web Mercator units per pixel at level 4.
    private static let resolution = 2 * 20_037_508.342789244 / 256 / 16

    private static func target(
        _ map: String = "square", resolution: Double = resolution, x: Int = 28, y: Int = 28, columns: Int = 4,
        rows: Int = 4, more: String = ""
    ) -> String {
        "/viewer/\(map)/ground?resolution=\(resolution)&x=\(x)&y=\(y)&columns=\(columns)&rows=\(rows)&ratio=1\(more)"
    }

    @Test func `four by four squares at a whole level are the XYZ tile of that area`() async throws {
        let sample = try await SampleServer()
        let block = try await sample.pixels(Self.target())
        let tile = try await sample.pixels("/tiles/square/4/7/7.png")
        #expect(block.width == 256 && block.height == 256)
        // Only the background differs.
        for y in 0..<256 {
            for x in 0..<256 where tile[x, y].alpha == 255 || tile[x, y].alpha == 0 {
                let wanted = tile[x, y].alpha == 0 ? Pixel(MapColor.white) : tile[x, y]
                guard block[x, y] == wanted else {
                    Issue.record("\(x), \(y): \(block[x, y].color)")
                    return
                }
            }
        }
    }

    @Test(arguments: [2 * 20_037_508.342789244 / 256 / 16, 7000.5])
    func `blocks side by side are the same as one block, with a label on their border`(resolution: Double) async throws
    {
        let sample = try await SampleServer()
        func block(_ x: Int, _ columns: Int) async throws -> PixelBuffer {
            let column = Int(20_037_508.342789244 / resolution / 64) - 3
            return try await sample.pixels(
                Self.target("named", resolution: resolution, x: column + x, y: column - 1, columns: columns, rows: 6))
        }
        let whole = try await block(0, 6), left = try await block(0, 3), right = try await block(3, 3)
        #expect(Set(whole.pixels).count > 10, "a label is drawn")
        for y in 0..<whole.height {
            for x in 0..<whole.width {
                let part = x < 192 ? left[x, y] : right[x - 192, y]
                guard whole[x, y] == part else {
                    Issue.record("\(x), \(y)")
                    return
                }
            }
        }
    }

    @Test func `layers that are switched off are left out`() async throws {
        let sample = try await SampleServer()
        let middle = Self.target("both", x: 31, y: 31, columns: 2, rows: 2)
        #expect(try await sample.pixels(middle)[64, 64].blue == 255)
        #expect(try await sample.pixels(middle + "&off=1")[64, 64].red == 255)
        let none = try await sample.pixels(middle + "&off=1,0")
        #expect(none[64, 64] == Pixel(MapColor.white))
    }

    @Test func `a block may be kept by browsers and is not sent twice`() async throws {
        let sample = try await SampleServer()
        let first = await sample.get(Self.target())
        #expect(first.status == 200 && first[header: "Cache-Control"] == "public, max-age=60")
        let tag = try #require(first[header: "ETag"])
        #expect(await sample.get(Self.target(), [("If-None-Match", tag)]).status == 304)
    }

    @Test(arguments: [
        ("&resolution=0", "resolution", 400), ("resolution=x", "resolution", 400), ("y=-1", "y", 400),
        ("x=99999999999999999999", "x", 400), ("x=4000000000000000", "x", 404), ("x=4000", "x", 404),
        ("columns=0", "columns", 400), ("columns=65", "columns", 400), ("ratio=9", "ratio", 400),
        ("ratio=1.1", "ratio", 400), ("format=svg", "format", 400), ("format=bmp", "format", 400),
        ("quality=0", "quality", 400), ("off=7", "off", 400), ("revision=other", "revision", 409),
        ("resolution=1e-30", "resolution", 400),
    ])
    func `an invalid block is rejected with its key`(change: String, key: String, status: Int) async throws {
        let sample = try await SampleServer()
        let name = String(change.drop { $0 == "&" }.prefix { $0 != "=" })
        let kept = Self.target().split(separator: "?")[1].split(separator: "&").filter { !$0.hasPrefix(name + "=") }
        let response = await sample.get("/viewer/square/ground?" + (kept + [change[...]]).joined(separator: "&"))
        #expect(response.status == status)
        #expect(try SampleViewer.object(response.body)["key"]?.stringValue == key)
    }

    @Test func `blocks of an open viewer do not count towards the rate limit`() async throws {
        let sample = try await SampleServer { $0.rate = TokenBuckets.Rate(perSecond: 0.001, burst: 1) }
        let viewer = try await SampleViewer(sample)
        for _ in 0..<3 {
            #expect(await sample.get(Self.target(), [("Portolan-Session", viewer.name)]).status == 200)
        }
        #expect(await sample.get(Self.target(), [("Portolan-Session", "none")]).status == 429)
    }
}
