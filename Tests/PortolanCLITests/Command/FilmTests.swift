import Foundation
import PortolanRaster
import Synchronization
import Testing

/// `portolan film`.
@Suite struct FilmTests {
    private let portolan: BuiltCommand

    private static let hike = """
        <gpx><trk><name>Ridge</name><trkseg><trkpt lat="46" lon="8"><ele>100</ele></trkpt>\
        <trkpt lat="46.01" lon="8.02"><ele>160</ele></trkpt><trkpt lat="46" lon="8.04"><ele>130</ele></trkpt></trkseg></trk></gpx>
        """

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(Self.hike, to: "hike.gpx")
        let quakes = (0..<10).map {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#($0),\#($0)]},"properties":{"time":"2026-11-0\#($0 % 9 + 1)T06:00:00Z"}}"#
        }
        try portolan.write(
            #"{"type":"FeatureCollection","features":[\#(quakes.joined(separator: ","))]}"#, to: "quakes.geojson")
    }

    private func run(_ words: String, after shell: String? = nil) async throws -> BuiltCommand.Ended {
        try await portolan.run(words.split(separator: " ").map(String.init), after: shell)
    }

    private func count(of name: String, in file: String) throws -> Int {
        let bytes = try #require(portolan.file(file)), name = Array(name.utf8)
        return (0..<max(bytes.count - 4, 0)).count { bytes[$0..<$0 + 4].elementsEqual(name) }
    }

    @Test func `a film along a track has the same bytes with any number of threads`() async throws {
        for threads in [1, 4] {
            let ended = try await run(
                "film --track hike.gpx --profile --seconds 1 --fps 6 --size 200x240 --threads \(threads) -o \(threads).png"
            )
            #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        }
        #expect(portolan.file("1.png") != nil && portolan.file("1.png") == portolan.file("4.png"))
        #expect(try count(of: "fcTL", in: "1.png") == 6)
    }

    @Test(arguments: ["follow", "heading", "fixed"])
    func `the camera follows a track or stays`(_ camera: String) async throws {
        let ended = try await run(
            "film --track hike.gpx --camera \(camera) --seconds 1 --fps 4 --size 160x120 -o a.gif")
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(portolan.file("a.gif")?.starts(with: "GIF89a".utf8) == true)
    }

    @Test func `features appear at their time, and disappear after the window`() async throws {
        let all = "film -l quakes.geojson --time-property time --seconds 1 --fps 9 --size 160x120"
        #expect(try await run(all + " -o all.png").status == 0)
        #expect(try count(of: "fcTL", in: "all.png") == 9)
        #expect(try await run(all + " --window P1D -o day.png").status == 0)
        #expect(portolan.file("day.png") != portolan.file("all.png"))
        let times = try await run(
            "film -l quakes.geojson --time-property time --times 2026-11-02/2026-11-04/P1D --no-caption --size 160x120 -o t.png"
        )
        #expect(times.status == 0, "\(times.testDescription)")
        #expect(try count(of: "fcTL", in: "t.png") == 3)
    }

    @Test func `each time of a service is requested once`() async throws {
        let capabilities = """
            <WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Service><Name>WMS</Name><Title>T</Title></Service>
            <Capability><Request><GetMap><Format>image/png</Format></GetMap></Request><Layer><Title>T</Title><CRS>EPSG:3857</CRS>
            <EX_GeographicBoundingBox><westBoundLongitude>0</westBoundLongitude><eastBoundLongitude>20</eastBoundLongitude>
            <southBoundLatitude>40</southBoundLatitude><northBoundLatitude>50</northBoundLatitude></EX_GeographicBoundingBox>
            <Layer><Name>radar</Name><Title>Radar</Title>
            <Dimension name="time" units="ISO8601" default="2026-11-27T03:00:00Z">2026-11-27T00:00:00Z/2026-11-27T03:00:00Z/PT1H</Dimension>
            </Layer></Layer></Capability></WMS_Capabilities>
            """
        let asked = Mutex<[String]>([])
        let server = try LoopbackServer { request in
            if request.target.contains("GetCapabilities") {
                return .init(type: "text/xml", body: Array(capabilities.utf8))
            }
            let time = request.target.split(whereSeparator: { "?&".contains($0) }).first { $0.hasPrefix("TIME=") }
            let number = asked.withLock {
                $0.append(String(time ?? "")); return $0.count
            }
            let body = try? MapServer.picture(
                width: 160, height: 120, color: .init(red: UInt8(number * 50), green: 0, blue: 0))
            return body.map { .init(type: "image/png", body: $0) } ?? .notFound
        }
        let ended = try await run(
            "film -l wms:\(server.url)/wms?;layers=radar --times all --seconds 2 --size 160x120 --allow-host 127.0.0.1 --no-cache -o radar.png"
        )
        #expect(ended.status == 0, "\(ended.testDescription)")
        let times = Set(asked.withLock { $0 }.map { $0.replacing("%3A", with: ":") })
        #expect(times == Set((0...3).map { "TIME=2026-11-27T0\($0):00:00Z" }))
        #expect(try count(of: "fcTL", in: "radar.png") == 4)
    }

    @Test func `a flight goes from one view to another`() async throws {
        let ended = try await run(
            "film -l quakes.geojson --from 0,0,3 --to 9,9,6 --seconds 1 --fps 5 --hold 1 --size 160x120 -o flight.png")
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(try count(of: "fcTL", in: "flight.png") == 5)
    }

    @Test func `movies are encoded by ffmpeg from raw pictures`() async throws {
        // The program counts what it gets, and writes its arguments.
        let program = "#!/bin/sh\nfor last; do :; done\n(echo \"$@\"; wc -c) > \"$last\"\n"
        try portolan.write(program, to: "bin/ffmpeg")
        let path = "chmod +x bin/ffmpeg; PATH=\"$PWD/bin:$PATH\""
        let ended = try await run(
            "film --track hike.gpx --seconds 1 --fps 5 --size 160x120 -o a.mp4", after: path)
        #expect(ended.status == 0, "\(ended.testDescription)")
        let text = String(decoding: portolan.file("a.mp4") ?? [], as: UTF8.self)
        #expect(text.contains("-video_size 160x120 -framerate 5.0") && text.contains("libx264"))
        #expect(text.split(separator: "\n").last.map { $0.filter(\.isNumber) } == "\(160 * 120 * 4 * 5)")
        try portolan.write("#!/bin/sh\necho 'Unknown encoder' >&2\nexit 1\n", to: "bin/ffmpeg")
        let failed = try await run("film --track hike.gpx --seconds 1 --size 160x120 -o b.webm", after: path)
        #expect(failed.status == 73 && failed.error.contains("Unknown encoder"), "\(failed.testDescription)")
        let none = try await run("film --track hike.gpx --size 160x120 -o b.mp4", after: "PATH=/nothing; export PATH")
        #expect(none.status == 69 && none.error.contains("install the package ffmpeg"), "\(none.testDescription)")
        #expect(portolan.file("b.webm") == nil && portolan.file("b.mp4") == nil)
    }

    @Test(arguments: [
        ("-l hike.gpx -o a.gif", 64, "nothing moves; add --track"),
        ("--track hike.gpx --times 2026 -o a.gif", 64, "several kinds of films"),
        ("--track hike.gpx -o a.avi", 64, "unknown extension; use .gif"),
        ("--track hike.gpx", 64, "missing output file"),
        ("--track hike.gpx --camera slow -o a.gif", 64, "--camera slow: must be follow"),
        ("--track hike.gpx --seconds 0 -o a.gif", 64, "--seconds 0.0: must be between 0.1"),
        ("--track hike.gpx --seconds 3600 --fps 60 -o a.gif", 64, "216000 pictures of"),
        ("--track hike.gpx --quality 50 -o a.gif", 64, "--quality needs"),
        ("--track hike.gpx --size 161x120 -o a.mp4", 64, "needs even sides"),
        ("--track none.gpx -o a.gif", 66, "none.gpx: no such file"),
        ("--track quakes.geojson -o a.gif", 65, "no line to travel along"),
        ("--track quakes.geojson --profile -o a.gif", 65, "no line to travel along"),
        ("-l quakes.geojson --from 1,2,3 -o a.gif", 64, "--from needs --to"),
        ("-l quakes.geojson --from 1,2 --to 1,2,3 -o a.gif", 64, "--from 1,2: expected LON,LAT,ZOOM"),
        ("-l quakes.geojson --times soon -o a.gif", 64, "'soon' is not a time"),
        ("-l quakes.geojson --times 2026-11-01 -o a.gif", 64, "no layer has the dimension 'time'"),
        ("-l quakes.geojson --times all -o a.gif", 64, "no layer has the dimension 'time'"),
        ("-l quakes.geojson --time-property tima -o a.gif", 65, "did you mean 'time'?"),
        ("-l quakes.geojson --time-property time --window 1h -o a.gif", 64, "--window 1h: must be a period"),
    ])
    func `failures are reported with their exit codes`(_ words: String, _ status: Int32, _ told: String) async throws {
        let ended = try await run("film " + words)
        #expect(ended.status == status && ended.error.contains(told), "\(ended.testDescription)")
        #expect(portolan.file("a.gif") == nil)
    }
}
