import Foundation
import Portolan
import PortolanArchives
import PortolanDoctor
import PortolanFetch
import PortolanRaster
import PortolanTesting
import Synchronization
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct ServiceDoctorTests {
    /// A service that speaks some versions, answers in the nearest of them, and draws black.
    static func service(_ spoken: [String], picture: HTTPResponse? = nil) throws -> StubTransport {
        let png = try StubService.png(side: 128)
        return StubTransport { request throws(FetchError) in
            let asked = request.url.split(separator: "&").lazy.compactMap { word -> String? in
                guard word.hasPrefix("VERSION=") || word.hasPrefix("WMTVER=") else { return nil }
                return word.split(separator: "=").last.map(String.init)
            }.first
            if request.url.contains("REQUEST=GetMap") || request.url.contains("REQUEST=map") {
                return picture ?? StubService.picture(png)
            }
            let version = spoken.last { $0 <= asked ?? "9" } ?? spoken.first ?? "1.3.0"
            return StubService.answer(200, WMSCapabilitiesText.text(version: version))
        }
    }

    @Test func `the server is asked even if the cache has a response`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-cache-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = StubService.configuration
        configuration.cacheFolder = folder.path
        let old = ServiceClient(configuration: configuration, transport: try Self.service(["1.1.1"]))
        #expect(try await old.capabilities(of: "http://h/wms").version == .v1_1_1)
        await old.flush()
        configuration.isOffline = true
        let transport = try Self.service(["1.3.0"])
        let diagnosis = try await ServiceDoctor(configuration: configuration, transport: transport).examine(
            "http://h/wms")
        #expect(diagnosis.versions == ["1.3.0"])
        #expect(transport.requests.count == diagnosis.requestCount)
        #expect(diagnosis.requestCount > 3)
    }

    #if Storage
    @Test func `an archive on a server is examined by ranges`() async throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.pmtiles"
        let writer = try PMTilesWriter(path: path, job: "j"), picture = try StubService.png(side: 256)
        try writer.write([MBTile(level: 0, column: 0, row: 0, bytes: picture)])
        let middle = MBTile(level: 1, column: 1, row: 1, bytes: [1, 2, 3])
        try writer.write([middle])
        try writer.finish(MBTilesMetadata(name: "World", format: "png", levels: 0...1))
        let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let transport = StubTransport { request throws(FetchError) in
            let ends = request.header("Range")?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? []
            guard ends.count == 2 else { return HTTPResponse(status: 400, body: [], url: request.url) }
            let last = min(ends[1], file.count - 1)
            return HTTPResponse(
                status: 206,
                headers: [HTTPHeader(name: "Content-Range", value: "bytes \(ends[0])-\(last)/\(file.count)")],
                body: Array(file[ends[0]...last]), url: request.url)
        }
        let doctor = ServiceDoctor(configuration: StubService.configuration, transport: transport)
        let diagnosis = try await doctor.examine("http://h.example/a.pmtiles?token=1")
        #expect(diagnosis.kind == .pmtiles)
        #expect(diagnosis.title == "World")
        #expect(diagnosis.findings.filter { $0.severity == .fault }.map(\.subject) == ["1/1/1"])
        #expect(!diagnosis.url.contains("token=1"))
    }
    #endif

    @Test func `no request is sent twice, and a response only on retry is a finding`() async throws {
        var configuration = StubService.configuration
        configuration.retries = RetryPolicy()
        configuration.retries.firstDelay = .zero
        configuration.retries.longestDelay = .zero
        let transport = try Self.service(["1.3.0"], picture: StubService.answer(503, "busy"))
        let diagnosis = try await ServiceDoctor(configuration: configuration, transport: transport).examine(
            "http://h/wms")
        #expect(transport.requests.count == diagnosis.requestCount)
        #expect(Set(transport.requests.map(\.url)).count == diagnosis.requestCount)
        #expect(diagnosis.findings.contains { $0.severity == .fault })
    }

    @Test(
        arguments: [
            (["1.0.0", "1.3.0"], ["1.1.1", "1.1.0"]), (["1.0.0", "1.1.1"], ["1.1.0"]),
            (["1.0.0"], ["1.1.1", "1.1.0"]), (["1.1.1", "1.3.0"], []),
            (["1.0.0", "1.1.0", "1.1.1", "1.3.0"], ["1.1.1", "1.1.0"]),
        ] as [([String], [String])])
    func `versions between the supported ones are requested as well`(spoken: [String], asked: [String]) async throws {
        let transport = try Self.service(spoken)
        let diagnosis = try await ServiceDoctor(configuration: StubService.configuration, transport: transport).examine(
            "http://h/wms")
        #expect(diagnosis.versions == spoken.reversed())
        let documents = transport.requests.map(\.url).filter {
            $0.contains("REQUEST=GetCapabilities") && !$0.contains("TILED")
        }
        #expect(["1.1.1", "1.1.0"].filter { version in documents.contains { $0.contains(version) } } == asked)
        for version in spoken {
            #expect(transport.requests.contains { $0.url.contains("=\(version)&REQUEST=GetMap") || version == "1.0.0" })
        }
    }

    @Test(arguments: [[WMSCapabilities.Version.v1_1_1], [.v1_3_0, .v1_0_0]])
    func `only the selected versions are requested`(versions: [WMSCapabilities.Version]) async throws {
        let transport = try Self.service(["1.0.0", "1.1.0", "1.1.1", "1.3.0"])
        let diagnosis = try await ServiceDoctor(configuration: StubService.configuration, transport: transport).examine(
            "http://h/wms", options: ServiceDoctor.Options(versions: versions))
        #expect(diagnosis.versions == versions.map(\.rawValue))
        let others = Set(WMSCapabilities.Version.allCases).subtracting(versions)
        for request in transport.requests where !request.url.contains("TILED=TRUE") {
            #expect(others.allSatisfy { !request.url.contains("VER=\($0)") && !request.url.contains("VERSION=\($0)") })
        }
    }

    /// The behaviour of QGIS Server in version 1.1.1.
    @Test func `CRS84 with latitude first in an old version is reported`() async throws {
        func document(_ root: String, _ version: String, _ system: String, _ box: String) -> String {
            let systems = ["EPSG:3857", "EPSG:4326", "CRS:84"].map { "<\(system)>\($0)</\(system)>" }.joined()
            return """
                <\(root) version="\(version)"><Capability><Request><GetMap><Format>image/png</Format></GetMap></Request>
                <Layer><Title>all</Title>\(systems)\(box)
                <Layer><Name>near</Name><MaxScaleDenominator>5000</MaxScaleDenominator><ScaleHint min="0" max="3"/></Layer>
                <Layer><Name>isles</Name></Layer><Layer><Name>land</Name></Layer></Layer></Capability></\(root)>
                """
        }
        let old = document(
            "WMT_MS_Capabilities", "1.1.1", "SRS", "<LatLonBoundingBox minx='-60' miny='-60' maxx='60' maxy='60'/>")
        let new = document(
            "WMS_Capabilities", "1.3.0", "CRS",
            """
            <EX_GeographicBoundingBox><westBoundLongitude>-60</westBoundLongitude><eastBoundLongitude>60\
            </eastBoundLongitude><southBoundLatitude>-60</southBoundLatitude><northBoundLatitude>60\
            </northBoundLatitude></EX_GeographicBoundingBox>
            """)
        let transport = StubTransport { request throws(FetchError) in
            guard request.url.contains("REQUEST=GetMap") else {
                let isOld = request.url.contains("VERSION=1.1.1") || request.url.contains("1.0.0")
                return StubService.answer(200, isOld ? old : new)
            }
            guard let body = try? Self.land(request.url, isSwapped: request.url.contains("SRS=CRS:84")) else {
                return StubService.answer(500, "internal error")
            }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
        let diagnosis = try await ServiceDoctor(configuration: StubService.configuration, transport: transport).examine(
            "http://h/wms", options: ServiceDoctor.Options(maximumLayerCount: 2))
        let found = diagnosis.findings.filter { $0.code == .picturesDiffer }
        #expect(found.map(\.subjects) == [["'land' in CRS:84 (1.1.1)"]], "\(diagnosis.findings)")
        #expect(found.first?.remedy.contains("request EPSG:4326") == true)
        #expect(diagnosis.sections[0].passed.contains { $0.contains("in 3 coordinate systems") })
    }

    /// A map of an island: `land` from 5° to 50° east and 10° south to 20° north, others of hardly any.
    private static func land(_ url: String, isSwapped: Bool) throws -> [UInt8] {
        func numbers(_ name: String) -> [Double] {
            let word = url.split(separator: "&").first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
            return word?.split(separator: ",").compactMap { Double($0) } ?? []
        }
        var box = numbers("BBOX")
        try #require(box.count == 4)
        if numbers("WIDTH").isEmpty || numbers("HEIGHT").isEmpty { throw FetchError(.invalidURL, url: url, detail: "") }
        let width = Int(numbers("WIDTH")[0]), height = Int(numbers("HEIGHT")[0])
        if url.contains("CRS=EPSG:4326") && url.contains("VERSION=1.3.0") { box = [box[1], box[0], box[3], box[2]] }
        if box.contains(where: { abs($0) > 400 }) { box = box.map { $0 / 111_319.49 } }
        // What is taken for latitude first shows another place.
        let (east, north) = url.contains("LAYERS=land&") ? (5.0...50.0, -10.0...20.0) : (5.0...9.0, 2.0...5.0)
        let across = isSwapped ? north : east, along = isSwapped ? east : north
        let row = (0..<width).map { across.contains(box[0] + (box[2] - box[0]) * (Double($0) + 0.5) / Double(width)) }
        let pixels = (0..<height).flatMap { number -> [UInt32] in
            let isIn = along.contains(box[3] - (box[3] - box[1]) * (Double(number) + 0.5) / Double(height))
            return row.map { ($0 && isIn ? Pixel(.black) : Pixel(.white)).bits }
        }
        let size = try #require(ImageSize(width: width, height: height))
        return try PNGEncoder.encode(#require(PixelBuffer(size: size, pixels: pixels)))
    }

    @Test func `a limit of zero requests is an error, not an interruption`() async throws {
        let transport = try Self.service(["1.3.0"])
        let error = await #expect(throws: MapError.self) {
            try await ServiceDoctor(configuration: StubService.configuration, transport: transport).examine(
                "http://h/wms", options: ServiceDoctor.Options(maximumRequestCount: 0))
        }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("the limit of 0 requests is too low") == true)
        #expect(transport.requests.isEmpty)
    }

    /// As TileCache.
    @Test func `a service of tiles alone is not blamed for refusing other maps`() async throws {
        let offered = HTTPResponse(status: 200, body: try StubService.fixture("mapproxy/wmsc-caps-1.1.1.xml"), url: "")
        let png = try StubService.png(side: 256)
        let transport = StubTransport { request throws(FetchError) in
            guard request.url.contains("REQUEST=GetMap") else { return offered }
            return request.url.contains("TILED=true")
                ? StubService.picture(png) : StubService.answer(404, "An error occurred: too far from tile corner")
        }
        let diagnosis = try await ServiceDoctor(configuration: StubService.configuration, transport: transport).examine(
            "http://h/service")
        #expect(diagnosis.findings.contains { $0.code == .tilesAlone && $0.severity == .note })
        #expect(!diagnosis.findings.contains { $0.code == .pictureRefused && $0.severity == .fault })
        #expect(!diagnosis.sections.contains { $0.title == "Formats" })
        #expect(diagnosis.sections.contains { $0.title.hasPrefix("Tile sets") && !$0.passed.isEmpty })
    }

    @Test func `tiles are requested at several positions`() async throws {
        let offered = HTTPResponse(status: 200, body: try StubService.fixture("mapproxy/wmsc-caps-1.1.1.xml"), url: "")
        let png = try StubService.png(side: 256), count = Mutex(0)
        let transport = StubTransport { request throws(FetchError) in
            guard request.url.contains("REQUEST=GetMap") else { return offered }
            guard request.url.contains("TILED=true"), request.url.contains("LAYERS=political"),
                request.url.contains("EPSG:4326")
            else { return StubService.picture(png) }
            // The second of them is refused, a little smaller too.
            let number = count.withLock { count in
                count += 1
                return count
            }
            return [2, 3].contains(number)
                ? StubService.answer(404, "too far from tile corner") : StubService.picture(png)
        }
        let diagnosis = try await ServiceDoctor(configuration: StubService.configuration, transport: transport).examine(
            "http://h/service", options: ServiceDoctor.Options(maximumRequestCount: 400))
        let refused = diagnosis.findings.filter { $0.code == .tileSetRefused }
        #expect(
            refused.contains { $0.detail.hasPrefix("1 of 3 tiles of an advertised tile set are refused") }, "\(refused)"
        )
    }

    /// TileCache answers as a WMS at the root of its TMS too, once it is asked as one.
    @Test(
        arguments: [(nil, ServiceDiagnosis.Kind.tms), (.tms, .tms), (.wms, .wms)]
            as [(ServiceDiagnosis.Kind?, ServiceDiagnosis.Kind)])
    func `the root of a TMS is recognised, unless another kind is given`(
        wanted: ServiceDiagnosis.Kind?, found: ServiceDiagnosis.Kind
    ) async throws {
        let png = try StubService.png(side: 256)
        let transport = StubTransport { request throws(FetchError) in
            if request.url.contains("GetCapabilities") {
                return StubService.answer(200, WMSCapabilitiesText.text(version: "1.1.1"))
            }
            guard request.url == "http://h/tilecache.cgi/1.0.0/" else { return StubService.picture(png) }
            return StubService.answer(
                200,
                "<TileMapService version='1.0.0' services='http://h/tilecache.cgi'><Title>T</Title><TileMaps/></TileMapService>"
            )
        }
        let diagnosis = try await ServiceDoctor(configuration: StubService.configuration, transport: transport).examine(
            "http://h/tilecache.cgi/1.0.0/",
            options: {
                var options = ServiceDoctor.Options()
                options.kind = wanted
                return options
            }())
        #expect(diagnosis.kind == found)
    }

    /// The passed checks must not be among the failed ones.
    @Test func `no line reports success for a part that failed`() async throws {
        let
            offered = HTTPResponse(
                status: 200, body: try StubService.fixture("mapproxy/wmsc-caps-1.1.1.xml"), url: ""),
            png = try StubService.png(side: 256)
        let transport = StubTransport { request throws(FetchError) in
            guard request.url.contains("REQUEST=GetMap") else { return offered }
            if request.url.contains("TILED=true"), request.url.contains("EPSG:25830") {
                return StubService.answer(200, StubService.exception)
            }
            return StubService.picture(png)
        }
        let diagnosis = try await ServiceDoctor(configuration: StubService.configuration, transport: transport).examine(
            "http://h/service")
        let section = try #require(diagnosis.sections.first { $0.title.hasPrefix("Tile sets") })
        let refused = section.findings.filter { $0.code == .tileSetRefused }.flatMap(\.subjects)
        #expect(!refused.isEmpty && !section.passed.isEmpty, "\(section)")
        for subject in refused { #expect(!section.passed.contains { $0.contains(subject) }, "\(subject)") }
        #expect(
            section.passed.allSatisfy { $0.hasSuffix(": gives a tile") || $0.hasSuffix(": gives tiles") }
        )
        // A picture that came in another format than the one asked for is not one of those that are good.
        let formats = try #require(diagnosis.sections.first { $0.title == "Formats" })
        let wrong = formats.findings.filter { $0.severity > .note }.flatMap(\.subjects)
        #expect(!wrong.isEmpty, "\(formats)")
        for subject in wrong {
            let format = subject.replacing("format ", with: "")
            #expect(!formats.passed.joined().contains(format), "\(formats.passed)")
        }
    }
}
