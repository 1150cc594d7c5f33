import Foundation
import Testing

/// The same trouble ends each command with the same exit code.
@Suite(.timeLimit(.minutes(3))) struct ExitCodeTests {
    @Test(arguments: [8, 16, 40]) func `too few open files result in an error message`(count: Int) async throws {
        let portolan = try BuiltCommand()
        let ended = try await portolan.run(["render", "-l", "a.geojson", "-o", "a.png"], after: "ulimit -n \(count)")
        #expect(ended.status == 73 && ended.error.contains("raise it, as with ulimit -n"), "\(ended)")
    }

    @Test func `sixty-four open files are enough for a service and a cache`() async throws {
        let server = try LoopbackServer(MapServer.tiles())
        defer { server.stop() }
        let portolan = try BuiltCommand()
        let ended = try await portolan.run(
            [
                "render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "--center", "0,0", "--zoom", "4", "-o", "a.png",
                "--attribution", "none",
            ], after: "ulimit -n 64")
        #expect(ended.status == 0, "\(ended)")
    }

    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    /// A failure, and the exit codes of the commands that can encounter it.
    struct Trouble: CustomTestStringConvertible, Sendable {
        var name: String
        var layer: String
        /// The response of the server.
        var status = 200
        var body = ""
        var expected: Int32
        /// The exit code of `info` and `doctor` if it differs, or `nil` if they are not run.
        var alone: Int32?
        var testDescription: String { name }
    }

    static let troubles = [
        Trouble(name: "a service that fails", layer: "wms:URL;layers=a", status: 503, expected: 69, alone: 69),
        Trouble(name: "nothing there", layer: "wms:URL;layers=a", status: 404, expected: 69, alone: 69),
        Trouble(
            name: "a document that is broken", layer: "wms:URL;layers=a", body: "<WMS_Capabilities><Layer>",
            expected: 65, alone: 65),
        Trouble(
            name: "an exception for capabilities", layer: "wms:URL;layers=a",
            body: "<ServiceExceptionReport><ServiceException>no</ServiceException></ServiceExceptionReport>",
            expected: 65, alone: 65),
        Trouble(
            name: "an HTML page", layer: "wms:URL;layers=a", body: "<!DOCTYPE html><title>Maps</title>",
            expected: 65, alone: 65),
        Trouble(
            name: "another kind of service", layer: "wms:URL;layers=a", body: "<WCS_Capabilities/>", expected: 64,
            alone: 65),
        Trouble(
            name: "a layer that is not there", layer: "wms:URL;layers=b",
            body: "<WMS_Capabilities version='1.3.0'><Capability><Request><GetMap><Format>image/png</Format></GetMap>"
                + "</Request><Layer><Name>a</Name><CRS>EPSG:3857</CRS></Layer></Capability></WMS_Capabilities>",
            expected: 64),
        Trouble(name: "a file that is not there", layer: "mbtiles:none.mbtiles", expected: 66, alone: 66),
        Trouble(name: "a file that is broken", layer: "mbtiles:broken", expected: 65, alone: 65),
        Trouble(name: "a file of features that is not there", layer: "none.geojson", expected: 66, alone: 66),
    ]

    /// Credentials are advised by the status of an answer, never by what a message says.
    @Test func `a missing file whose name resembles a status is reported as missing`() async throws {
        for name in ["HTTP status 401.geojson", "HTTP status 403.geojson"] {
            for line in [
                ["render", "-l", name, "-o", "a.png", "--center", "0,0", "--zoom", "1"], ["info", name],
            ] {
                let ended = try await portolan.run(line)
                #expect(ended.status == 66 && ended.error.contains(name), "\(line[0]): \(ended.testDescription)")
                #expect(!ended.error.contains("--user"), "\(line[0]): \(ended.testDescription)")
            }
        }
    }

    @Test(arguments: [(401, true), (403, true), (404, false)])
    func `credentials are suggested if the server responds with 401 or 403`(status: Int, isAdvised: Bool) async throws {
        let server = try LoopbackServer { _ in .init(status: status, type: "text/plain", body: Array("no".utf8)) }
        defer { server.stop() }
        let view = ["--center", "0,0", "--zoom", "1"]
        let wms = "wms:\(server.url)/s;layers=a", tiles = "xyz:\(server.url)/{z}/{x}/{y}.png"
        for line in [
            ["render", "-l", wms, "-o", "a.png"] + view, ["plan", "-l", wms] + view,
            ["identify", "-l", wms, "--at", "5,5"] + view, ["info", "\(server.url)/s"], ["doctor", "\(server.url)/s"],
            ["render", "-l", tiles, "-o", "a.png"] + view,
            ["render", "-l", "\(server.url)/a.geojson", "-o", "a.png"] + view,
            ["seed", "-l", wms + ";tiled=true", "--zooms", "0-1", "--bbox", "-1e6,-1e6,1e6,1e6", "-o", "a.mbtiles"],
        ] {
            let network = line[0] == "doctor" ? [] : ["--retries", "0", "--no-cache"]
            let ended = try await portolan.run(line + network)
            #expect(
                ended.status != 0 && ended.errors.contains("--user") == isAdvised, "\(line): \(ended.testDescription)")
        }
    }

    /// As OpenStreetMap's tile servers answer.
    @Test(arguments: [(403, true), (401, false), (404, false)])
    func `a Referer header is suggested if the server responds with 403`(status: Int, isAdvised: Bool) async throws {
        let server = try LoopbackServer { _ in
            .init(status: status, type: "text/plain", body: Array("Referer is required by tile usage policy".utf8))
        }
        defer { server.stop() }
        let ended = try await portolan.run([
            "render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "-o", "a.png", "--center", "0,0", "--zoom", "1",
            "--retries", "0", "--no-cache",
        ])
        #expect(ended.errors.contains("|Referer: https") == isAdvised, "\(ended.testDescription)")
    }

    @Test(arguments: troubles) func `all subcommands exit with the same code for the same failure`(
        trouble: Trouble
    ) async throws {
        let server = try LoopbackServer { _ in
            .init(status: trouble.status, type: "text/xml", body: Array(trouble.body.utf8))
        }
        defer { server.stop() }
        try portolan.write("no tiles at all", to: "broken")
        let url = "\(server.url)/s", layer = trouble.layer.replacing("URL", with: url)
        let view = ["--center", "0,0", "--zoom", "1"], network = ["--retries", "0", "--no-cache"]
        var lines = [
            ["render", "-l", layer, "-o", "a.png"] + view, ["plan", "-l", layer] + view,
            ["identify", "-l", layer, "--at", "5,5"] + view,
        ]
        let isFeatures = layer.hasSuffix(".geojson")
        if !isFeatures {
            lines.append(["seed", "-l", layer, "--zooms", "0-1", "--bbox", "-1e6,-1e6,1e6,1e6", "-o", "a.mbtiles"])
        }
        for line in lines {
            let ended = try await portolan.run(line + network)
            #expect(ended.status == trouble.expected, "\(line[0]): \(ended.testDescription)")
            #expect(ended.error.hasPrefix("portolan: error: "))
        }
        guard let alone = trouble.alone else { return }
        let isService = layer.hasPrefix("wms:")
        var commands = [["info", isService ? url : layer]]
        if isService { commands.append(["doctor", url]) }
        for command in commands {
            let network = command[0] == "doctor" ? [] : network
            let ended = try await portolan.run(command + network)
            #expect(ended.status == alone, "\(command[0]): \(ended.testDescription)")
        }
        #expect(portolan.files == ["broken"])
    }
}
