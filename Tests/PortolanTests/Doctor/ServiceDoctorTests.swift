import Portolan
import PortolanTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct ServiceDoctorTests {
    /// A service that speaks some versions, answers in the nearest of them, and draws black.
    static func service(_ spoken: [String], picture: HTTPResponse? = nil) throws -> StubTransport {
        let png = try World.png(.black, 128, 128)
        return StubTransport { request throws(FetchError) in
            let asked = request.url.split(separator: "&").lazy.compactMap { word -> String? in
                guard word.hasPrefix("VERSION=") || word.hasPrefix("WMTVER=") else { return nil }
                return word.split(separator: "=").last.map(String.init)
            }.first
            if request.url.contains("REQUEST=GetMap") || request.url.contains("REQUEST=map") {
                return picture
                    ?? HTTPResponse(
                        status: 200, headers: [HTTPHeader(name: "Content-Type", value: "image/png")], body: png,
                        url: request.url)
            }
            let version = spoken.last { $0 <= asked ?? "9" } ?? spoken.first ?? "1.3.0"
            return ServiceClientWMSTests.response(request, ServiceClientWMSTests.capabilities(version))
        }
    }

    @Test func `the server is asked, whatever the cache has`() async throws {
        let folder = MapRendererCacheTests.Folder()
        var configuration = World.configuration()
        configuration.cacheFolder = folder.path
        let old = ServiceClient(configuration: configuration, transport: try Self.service(["1.1.1"]))
        #expect(try await old.capabilities(of: "http://h/wms").version == .v1_1_1)
        await old.flush()
        configuration.isOffline = true
        let transport = try Self.service(["1.3.0"])
        let diagnosis = try await ServiceDoctor(configuration: configuration, transport: transport).examine(
            "http://h/wms")
        #expect(diagnosis.versions == ["1.3.0"] && transport.requests.count == diagnosis.requestCount)
        #expect(diagnosis.requestCount > 3)
    }

    @Test func `nothing is asked twice: an answer that comes at the second try is a finding`() async throws {
        var configuration = World.configuration()
        configuration.retries = RetryPolicy()
        configuration.retries.firstDelay = .zero
        configuration.retries.longestDelay = .zero
        let transport = try Self.service(["1.3.0"], picture: World.answer(503, "busy"))
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
    func `versions between those that are spoken are asked for, too`(spoken: [String], asked: [String]) async throws {
        let transport = try Self.service(spoken)
        let diagnosis = try await ServiceDoctor(configuration: World.configuration(), transport: transport).examine(
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

    @Test(arguments: [[WMSVersion.v1_1_1], [.v1_3_0, .v1_0_0]])
    func `nothing is asked but in the versions that are wanted`(versions: [WMSVersion]) async throws {
        let transport = try Self.service(["1.0.0", "1.1.0", "1.1.1", "1.3.0"])
        let diagnosis = try await ServiceDoctor(configuration: World.configuration(), transport: transport).examine(
            "http://h/wms", options: ExaminationOptions(versions: versions))
        #expect(diagnosis.versions == versions.map(\.rawValue))
        let others = Set(WMSVersion.allCases).subtracting(versions)
        for request in transport.requests where !request.url.contains("TILED=TRUE") {
            #expect(others.allSatisfy { !request.url.contains("VER=\($0)") && !request.url.contains("VERSION=\($0)") })
        }
    }

    @Test func `no requests at all are an error, and no interruption`() async throws {
        let transport = try Self.service(["1.3.0"])
        let error = await #expect(throws: ServiceError.self) {
            try await ServiceDoctor(configuration: World.configuration(), transport: transport).examine(
                "http://h/wms", options: ExaminationOptions(maximumRequestCount: 0))
        }
        #expect(error?.code == .unavailable && error?.detail.contains("no more than 0 requests") == true)
        #expect(transport.requests.isEmpty)
    }

    /// What is found to be good must not be what is found to be wrong.
    @Test func `no line is good that speaks for one that is not`() async throws {
        let offered = try ServiceClientTests.ok("mapproxy/wmsc-caps-1.1.1.xml"), png = try World.png(.black, 256, 256)
        let transport = StubTransport { request throws(FetchError) in
            guard request.url.contains("REQUEST=GetMap") else { return offered }
            if request.url.contains("TILED=true"), request.url.contains("EPSG:25830") {
                return ServiceClientWMSTests.response(request, World.exception)
            }
            return HTTPResponse(
                status: 200, headers: [HTTPHeader(name: "Content-Type", value: "image/png")], body: png,
                url: request.url)
        }
        let diagnosis = try await ServiceDoctor(configuration: World.configuration(), transport: transport).examine(
            "http://h/service")
        let section = try #require(diagnosis.sections.first { $0.title.hasPrefix("Tile sets") })
        let refused = section.findings.filter { $0.code == .tileSetRefused }.flatMap(\.subjects)
        #expect(!refused.isEmpty && !section.passed.isEmpty, "\(section)")
        for subject in refused { #expect(!section.passed.contains { $0.contains(subject) }, "\(subject)") }
        #expect(section.passed.allSatisfy { $0.hasSuffix(" gives a tile") })
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
