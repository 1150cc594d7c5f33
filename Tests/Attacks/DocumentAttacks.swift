import CAllocations
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Documents made to do harm, at the doors that an app and the command open: each ends with a typed error or with what is
/// readable, and takes memory in proportion to its bytes.
@Suite struct DocumentAttacks {
    // MARK: XML

    enum Door: String, CaseIterable, Sendable {
        case wms, wmts, tms, tile
    }

    @Test(arguments: Door.allCases, HostileXML.refused(root: "ServiceExceptionReport").indices)
    func `hostile XML is rejected by every reader of XML`(door: Door, index: Int) async throws {
        let root = ["wms": "WMS_Capabilities", "wmts": "Capabilities", "tms": "TileMapService"][door.rawValue]
        let bytes = HostileXML.refused(root: root ?? "ServiceExceptionReport")[index].bytes
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(
                status: 200, headers: [HTTPHeader(name: "Content-Type", value: "text/xml")], body: bytes,
                url: request.url, network: .global)
        }
        var configuration = RendererConfiguration()
        configuration.retries = .none
        configuration.usesSystemFonts = false
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        let url = "http://maps.example/"
        switch door {
        case .wms, .wmts, .tms:
            let error = await #expect(throws: MapError.self) {
                switch door {
                case .wms: _ = try await renderer.services.capabilities(of: url)
                case .wmts: _ = try await renderer.services.wmtsCapabilities(of: url)
                default: _ = try await renderer.services.tmsDocument(at: url)
                }
            }
            #expect(
                error.map { ($0.inner as? ServiceError)?.code == .unreadable && $0.description.utf8.count < 4096 }
                    == true,
                "\(String(describing: error))")
        case .tile:
            let layer = MapLayer(
                name: "tiles",
                source: TileSource(
                    grid: try #require(.webMercator()), address: .xyz(try XYZTemplate(url + "{z}/{x}/{y}.png"))))
            let view = try Viewport(
                center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 0, in: .webMercator)),
                size: #require(ImageSize(width: 64, height: 64)))
            let report: RenderReport?
            do { report = try await renderer.render([layer], in: view).report } catch { report = error.report }
            let failures = report?.layers.flatMap(\.failed) ?? []
            #expect(
                failures.count == 1 && failures.allSatisfy { [.exception, .damaged].contains($0.code) }, "\(failures)")
            #expect(failures.allSatisfy { $0.error.utf8.count < 4096 })
        }
    }

    // MARK: GeoJSON

    struct Features: Sendable, CustomTestStringConvertible {
        let testDescription: String
        private let make: @Sendable () -> String
        /// The error, or `nil` if the readable part is read.
        let code: GeoJSONError.Code?
        var text: String { make() }

        init(_ name: String, _ code: GeoJSONError.Code?, _ make: @escaping @Sendable () -> String) {
            testDescription = name
            self.make = make
            self.code = code
        }
    }

    private static func many(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    private static func collection(_ features: String) -> String {
        "{\"type\":\"FeatureCollection\",\"features\":[\(features)]}"
    }

    private static func feature(geometry: String = "null", properties: String = "null") -> String {
        collection("{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":\(properties)}")
    }

    private static func lines(_ coordinates: String) -> String {
        feature(geometry: "{\"type\":\"LineString\",\"coordinates\":\(coordinates)}")
    }

    static let features = [
        Features("a million arrays in one another", .wrongType) { many(1_000_000, "[") },
        Features("a million objects in one another", .limitExceeded) { many(1_000_000, "{\"a\":") },
        Features("coordinates a hundred thousand deep", .limitExceeded) {
            lines(many(100_000, "[") + many(100_000, "]"))
        },
        Features("properties a hundred thousand deep", .limitExceeded) {
            feature(properties: many(100_000, "{\"a\":") + "1" + many(100_000, "}"))
        },
        Features("collections of geometries in one another", .limitExceeded) {
            feature(geometry: many(10_000, "{\"type\":\"GeometryCollection\",\"geometries\":[") + many(10_000, "]}"))
        },
        Features("a number of a megabyte", .invalidNumber) { lines("[[\(many(1 << 20, "1")),0],[0,0]]") },
        Features("a number beyond numbers", nil) { lines("[[1e999999999,0],[0,-1e999999999]]") },
        Features("a number close to nothing", nil) { lines("[[1e-999999999,0],[0,1]]") },
        Features("a name of ten megabytes", nil) { feature(properties: "{\"\(many(10 << 20, "a"))\":1}") },
        Features("a text of ten megabytes", nil) { feature(properties: "{\"a\":\"\(many(10 << 20, "a"))\"}") },
        Features("a text of a million escapes", nil) {
            feature(properties: "{\"a\":\"\(many(1_000_000, "\\u0041"))\"}")
        },
        Features("half of a pair of escapes", nil) { feature(properties: "{\"a\":\"\\ud800\"}") },
        Features("a text without an end", .truncated) { "{\"type\":\"" + many(1 << 20, "a") },
        Features("a hundred thousand members of one name", nil) {
            feature(properties: "{" + many(99_999, "\"a\":1,") + "\"a\":2}")
        },
        Features("two hundred thousand features of nothing", .missingMember) {
            collection(many(199_999, "{},") + "{}")
        },
        Features("a million values that are no features", .wrongType) { collection(many(999_999, "1,") + "1") },
        Features("positions without numbers", nil) { lines("[" + many(99_999, "[],") + "[]]") },
        Features("positions of a hundred thousand numbers", nil) { lines("[[\(many(99_999, "1,"))1],[0,0]]") },
        Features("a hundred thousand rings without places", nil) {
            feature(geometry: "{\"type\":\"Polygon\",\"coordinates\":[\(many(99_999, "[],"))[]]}")
        },
        Features("white space alone", .truncated) { many(1 << 20, " ") },
        Features("a byte order mark alone", .truncated) { "\u{FEFF}" },
        Features("zero bytes", .syntax) { many(1000, "\u{0}") },
        Features("a document in a comment", .syntax) { "/* */" + feature() },
        Features("two documents", .trailingContent) { feature() + feature() },
        Features("a box of a million numbers", nil) {
            "{\"type\":\"FeatureCollection\",\"bbox\":[\(many(999_999, "1,"))1],\"features\":[]}"
        },
        Features("a system that leads elsewhere", nil) {
            "{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"link\",\"properties\":{\"href\":\"file:///etc/passwd\"}},\"features\":[]}"
        },
    ]

    @Test(arguments: features)
    func `hostile GeoJSON results in an error or in its readable features`(features: Features) {
        let bytes = Array(features.text.utf8)
        let held = portolan_allocations_begin_here()
        let result = Result { try GeoJSONReader.read(bytes) }
        let peak = portolan_allocations_peak_here() - held
        switch result {
        case .success(let collection):
            #expect(features.code == nil, "\(collection.features.count) features")
            #expect(collection.warnings.count <= 101)
        case .failure(let error):
            #expect((error as? GeoJSONError)?.code == features.code, "\(error)")
            #expect("\(error)".utf8.count < 2048)
        }
        // A feature without anything takes more than the three bytes that it is written with.
        #expect(peak < (4 << 20) + 100 * bytes.count, "\(peak) bytes for \(bytes.count)")
    }
}
