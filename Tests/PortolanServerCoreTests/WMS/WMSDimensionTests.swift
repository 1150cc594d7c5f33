#if os(Linux)
import Portolan
import PortolanCodecs
import PortolanRaster
import PortolanServerCore
import PortolanServices
import PortolanXML
import TestHelpers
import Testing

/// Dimensions of a map's services (OGC 06-042, annex C).
@Suite struct WMSDimensionTests {
    static let red = Pixel(MapColor(red: 255, green: 0, blue: 0))
    static let blue = Pixel(MapColor(red: 0, green: 0, blue: 255))

    /// A WMS whose picture is red for the time 2026-01-01, else blue, and a server of it.
    struct Sample {
        let web: SmallWebServer
        let sample: SampleServer

        init(layer: String = "layers=a", time: String = Sample.time) async throws {
            func picture(_ color: MapColor) throws -> [UInt8] {
                let size = try #require(ImageSize(width: 40, height: 40))
                return try PNGEncoder.encode(Canvas(size: size, background: color).buffer)
            }
            let red = try picture(MapColor(red: 255, green: 0, blue: 0))
            let blue = try picture(MapColor(red: 0, green: 0, blue: 255))
            let dimensions =
                time + "<Dimension name='elevation' units='EPSG:5030' unitSymbol='m' default='0'>0/100/10</Dimension>"
            let text = WMSCapabilitiesText.text(version: "1.3.0")
                .replacing("</Layer>", with: dimensions + "</Layer>")
                .replacing("EPSG:4326", with: "EPSG:3857")
                .replacing(
                    "minx='-10' miny='35' maxx='5' maxy='45'", with: "minx='-2e7' miny='-2e7' maxx='2e7' maxy='2e7'")
            web = try SmallWebServer { target in
                guard target.contains("GetMap") else { return .init(type: "text/xml", body: Array(text.utf8)) }
                return .init(
                    type: "image/png", headers: ["Cache-Control: max-age=60"],
                    body: target.contains("TIME=2026-01-01") ? red : blue)
            }
            sample = try await SampleServer()
            var configuration = RendererConfiguration()
            configuration.retries.maximumCount = 0
            sample.server.replace(
                try await MapBook.open(
                    [MapSource(name: "far", layers: ["wms:\(web.url)/wms;name=far;\(layer)"])],
                    configuration: configuration)
            )
        }

        static let time =
            "<Dimension name='time' units='ISO8601' default='2026-02-01' multipleValues='1' current='1'>"
            + "2025,2026-01-01/2026-12-31/P1D</Dimension>"

        static let start =
            "/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=far&STYLES=&CRS=EPSG:3857&BBOX=-1e6,4e6,0,5e6"
            + "&WIDTH=40&HEIGHT=40&FORMAT=image/png"

        func map(_ more: String = "") async -> ServerResponse { await sample.get(Self.start + more) }

        func fault(_ more: String) async throws -> String? {
            let response = await map(more)
            #expect(response.status == 400)
            return try XMLReader().tree(of: response.body).root.child("ServiceException")?.attribute("code")
        }
    }

    @Test(arguments: ["1.1.1", "1.3.0"])
    func `capabilities offer the dimensions of the service`(version: String) async throws {
        let sample = try await Sample()
        defer { sample.web.stop() }
        let response = await sample.sample.get("/wms?SERVICE=WMS&REQUEST=GetCapabilities&VERSION=\(version)")
        let read = try WMSCapabilitiesReader.read(response.body)
        let layer = try #require(read.layer(named: "far"))
        #expect(layer.dimensions.map(\.name) == ["time", "elevation"])
        let time = try #require(layer.dimensions.first), elevation = try #require(layer.dimensions.last)
        #expect(time.units == "ISO8601" && time.defaultValue == "2026-02-01")
        #expect(time.values == "2025,2026-01-01/2026-12-31/P1D")
        #expect(time.takesSeveral && time.takesCurrent && !time.takesNearest)
        #expect(elevation.unitSymbol == "m" && elevation.defaultValue == "0" && !elevation.takesSeveral)
        #expect(read.warnings.isEmpty)
    }

    @Test func `values are passed on, and equal pictures have equal tags`() async throws {
        let sample = try await Sample()
        defer { sample.web.stop() }
        let first = await sample.map("&TIME=2026-01-01&elevation=10")
        #expect(first.status == 200)
        #expect(try ImageReading.pixels(first.body)[20, 20] == Self.red)
        #expect(try ImageReading.pixels(await sample.map("&TIME=2026-01-02").body)[20, 20] == Self.blue)
        // The first value again, from the cache.
        #expect(try ImageReading.pixels(await sample.map("&time=2026-01-01&ELEVATION=10").body)[20, 20] == Self.red)
        let asked = sample.web.targets.filter { $0.contains("GetMap") }
        #expect(asked.count == 2)
        #expect(asked[0].contains("TIME=2026-01-01") && asked[0].contains("ELEVATION=10"))
        #expect(asked[1].contains("TIME=2026-01-02"))
    }

    @Test func `clause C_4_2: the use of a default is stated in a header`() async throws {
        let sample = try await Sample()
        defer { sample.web.stop() }
        #expect(
            await sample.map()[header: "Warning"]
                == "99 Default value used: time=2026-02-01 ISO8601, 99 Default value used: elevation=0 EPSG:5030")
        #expect(
            await sample.map("&TIME=current")[header: "Warning"] == "99 Default value used: elevation=0 EPSG:5030")
        #expect(await sample.map("&TIME=2025&ELEVATION=0")[header: "Warning"] == nil)
        // The client of this library sends no parameters without a choice.
        #expect(sample.web.targets.first { $0.contains("GetMap") }?.contains("TIME") == false)
    }

    @Test(arguments: [
        "TIME=2027-01-01", "TIME=yesterday", "TIME=2026-01-01T05:00Z", "ELEVATION=5", "ELEVATION=0,10",
        "ELEVATION=1000",
        "TIME=2026-03-01/2026-02-01", "ELEVATION=current", "TIME=2026-01-01,never",
    ])
    func `clause C_4: an unknown value is an exception`(query: String) async throws {
        let sample = try await Sample()
        defer { sample.web.stop() }
        #expect(try await sample.fault("&" + query) == "InvalidDimensionValue")
        #expect(!sample.web.targets.contains { $0.contains("GetMap") })
    }

    @Test(arguments: [
        "TIME=2026-05-06", "TIME=2026-05-06T00:00:00Z", "TIME=2026-05", "TIME=2025", "TIME=2025-01-01,2026-03-01",
        "TIME=2026-01-01/2026-02-01", "TIME=2026-01-01/2026-02-01/P1D", "TIME=current", "ELEVATION=100",
        "ELEVATION=1e1", "DIM_OTHER=5",
    ])
    func `clause C_3: listed values, intervals and lists are accepted`(query: String) async throws {
        let sample = try await Sample()
        defer { sample.web.stop() }
        #expect(await sample.map("&" + query).status == 200)
    }

    @Test func `without a default a value is required, unless the layer of the map sets it`() async throws {
        let time = "<Dimension name='time' units='ISO8601'>2025,2026</Dimension>"
        let sample = try await Sample(time: time)
        defer { sample.web.stop() }
        #expect(try await sample.fault("") == "MissingDimensionValue")
        #expect(await sample.map("&TIME=2025").status == 200)
        let fixed = try await Sample(layer: "layers=a;dim.time=2025", time: time)
        defer { fixed.web.stop() }
        #expect(await fixed.map()[header: "Warning"]?.hasPrefix("99 Default value used: time=2025 ISO8601") == true)
        #expect(fixed.web.targets.last?.contains("TIME=2025") == true)
        #expect(await fixed.map("&TIME=2026").status == 200)
        #expect(fixed.web.targets.last?.contains("TIME=2026") == true)
        #expect(fixed.web.targets.last?.contains("TIME=2025") == false)
    }
}
#endif
