import Foundation
import Portolan
import PortolanRouteBook
import TestHelpers
import Testing

/// `portolan routes`, as a process.
@Suite struct RoutesCommandTests {
    private let portolan: BuiltCommand

    private static let track = """
        <gpx><wpt lat="60.001" lon="24.001"><name>Inn</name></wpt><wpt lat="60.009" lon="24.009"><name>Mill</name></wpt>
        <trk><name>Shore walk</name><trkseg><trkpt lat="60" lon="24"><ele>3</ele></trkpt>
        <trkpt lat="60.01" lon="24.01"><ele>13</ele></trkpt></trkseg></trk></gpx>
        """

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(Self.track, to: "walk.gpx")
    }

    private func run(_ words: String) async throws -> BuiltCommand.Ended {
        try await portolan.run(["routes"] + words.split(separator: " ").map(String.init) + ["--book", "book"])
    }

    private func said(_ ended: BuiltCommand.Ended) -> String { String(decoding: ended.output, as: UTF8.self) }

    @Test func `a route is imported, listed, shown, drawn, exported and removed`() async throws {
        let imported = try await run("import walk.gpx")
        #expect(imported.status == 0 && said(imported).contains("shore-walk"), "\(imported.testDescription)")
        let listed = try await run("list --json")
        let routes = try JSONDecoder().decode([RouteBook.Summary].self, from: Data(listed.output))
        #expect(routes.map(\.id) == ["shore-walk"] && routes[0].placeCount == 2)
        #expect(said(try await run("list")).contains("1.2 km"))
        let shown = said(try await run("show shore-walk"))
        #expect(shown.contains("Shore walk") && shown.contains("10 m up") && shown.contains("Mill"))
        #expect(said(try await run("next shore-walk")).hasPrefix("Inn\n1 of 2"))
        #expect(said(try await run("next shore-walk")).hasPrefix("Mill\n2 of 2"))
        #expect(said(try await run("previous shore-walk --json")).contains(#""name" : "Inn""#))
        #expect(said(try await run("search MILL")).contains("shore-walk"))
        let drawn = try await run("snapshot shore-walk -o a.png --size 200x160")
        #expect(drawn.status == 0 && portolan.file("a.png") != nil, "\(drawn.testDescription)")
        #expect(try await run("export shore-walk -o b.gpx").status == 0)
        #expect(portolan.file("b.gpx") == Array(Self.track.utf8))
        #expect(try await run("export shore-walk -o b.geojson").status == 0)
        #expect(try await portolan.run(["render", "-l", "b.geojson", "-o", "b.png", "--size", "80x80"]).status == 0)
        #expect(try await run("export shore-walk -o b.csv").status == 0)
        let table = String(decoding: try #require(portolan.file("b.csv")), as: UTF8.self)
        #expect(table.hasPrefix("wkt,id,") && table.contains("LINESTRING") && table.contains("Mill"))
        #expect(try await run("import b.csv --name Table").status == 0)
        #expect(said(try await run("list")).contains("Table"))
        #expect(said(try await run("show table")).contains("Mill"))
        #expect(try await run("remove table").status == 0)
        #expect(try await run("rename shore-walk Strand").status == 0)
        #expect(said(try await run("list")).contains("Strand"))
        #expect(try await run("remove shore-walk").status == 0)
        #expect(said(try await run("list --json")) == "[\n\n]\n")
    }

    @Test(arguments: [
        ("import nothing.gpx", 66, "nothing.gpx: no such file"), ("import bad.gpx", 65, "GPX, line 1"),
        ("import picture.png", 65, "it is an image"), ("show none", 66, "no such route"),
        ("remove none", 66, "no such route"), ("snapshot none -o a.png", 66, "no such route"),
        ("search xyzzy", 66, "no route contains 'xyzzy'"),
        ("export none -o a.txt", 64, "use .gpx, .geojson or .csv"),
        ("import a b --name c", 64, "--name needs exactly one source"),
        ("record nothing", 66, "nothing: no such device or file"),
        ("record", 64, "Missing expected argument '<source>'"), ("record walk.gpx", 65, "fewer than two positions"),
        ("record x --recover", 64, "--recover takes no source; remove it"),
        ("next ../walk", 66, "no such route"),
    ])
    func `failures are reported with their exit codes`(_ words: String, _ status: Int32, _ told: String) async throws {
        try portolan.write("<gpx><trk>", to: "bad.gpx")
        try portolan.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], to: "picture.png")
        let ended = try await run(words)
        #expect(ended.status == status && ended.error.contains(told), "\(ended.testDescription)")
        #expect(portolan.file("a.png") == nil)
    }

    /// Sentences of a receiver that goes north, one a second.
    private static func sentences(_ count: Int) -> String {
        (0..<count).map { number in
            let body = String(format: "GPRMC,1200%02d,A,60%02d.000,N,02400.000,E,10.0,0.0,010126,,", number, number)
            return "$\(body)*" + String(format: "%02X", body.utf8.reduce(0, ^)) + "\r\n"
        }.joined()
    }

    @Test func `a snapshot describes the selected place, or the route if none is selected`() async throws {
        _ = try await run("import walk.gpx")
        func bar(_ words: String) async throws -> [UInt8] {
            let ended = try await run("snapshot shore-walk -o s.svg --size 600x200 " + words)
            #expect(ended.status == 0, "\(ended.testDescription)")
            return try #require(portolan.file("s.svg"))
        }
        let route = try await bar(""), none = try await bar("--no-info-bar")
        _ = try await run("next shore-walk")
        let place = try await bar(""), without = try await bar("--no-info-bar")
        #expect(Set([route, none, place, without]).count == 4)
        let id = try await run("show shore-walk --json")
        let places = try #require(try JSONSerialization.jsonObject(with: Data(id.output)) as? [String: Any])["places"]
        let second = try #require((places as? [[String: Any]])?.last?["id"] as? String)
        let other = try await bar("--select \(second)")
        #expect(other != place && other != route)
    }

    @Test func `the output of a GPS receiver is recorded, and invalid sentences are reported`() async throws {
        try portolan.write(Self.sentences(5) + "$GPRMC,broken*00\r\n", to: "drive.nmea")
        let ended = try await run("record drive.nmea --name Drive")
        #expect(
            ended.status == 3 && ended.errors.contains("drive.nmea: 1 sentence is left out: line 6"),
            "\(ended.testDescription)")
        #expect(said(ended).contains("7.4 km"))
        #expect(said(try await run("list")).contains("Drive"))
        #expect(said(try await run("record --recover")) == "nothing to recover\n")
    }

    @Test func `Ctrl-C ends a recording, which is then saved in the book`() async throws {
        let pipe = Pipe(), arguments = ["routes", "record", "-", "--name", "Live", "--book", "book", "--json"]
        let ended = try await portolan.run(arguments, input: pipe) { process in
            try pipe.fileHandleForWriting.write(contentsOf: Data(Self.sentences(12).utf8))
            // It is on the disk after ten.
            let folder = portolan.folder.appending(path: "book/.recordings")
            let isWritten = await eventually {
                let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
                return files.contains { name in
                    let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
                    return text?.contains("12:00:09Z") ?? false
                }
            }
            #expect(isWritten)
            process.interrupt()
        }
        #expect(ended.status == 0, "\(ended.testDescription)")
        let route = try JSONDecoder().decode(RouteBook.Summary.self, from: Data(ended.output))
        #expect(route.name == "Live" && (route.kilometers ?? 0) > 16)
    }

    @Test func `valid files are imported even if others fail`() async throws {
        let ended = try await run("import walk.gpx nothing.gpx walk.gpx")
        #expect(ended.status == 66 && ended.error.hasSuffix("2 of 3 routes not imported"), "\(ended.testDescription)")
        #expect(ended.errors.contains("already in the book, as 'shore-walk'"))
    }

    @Test(arguments: ["import", "list", "show", "search", "next", "previous", "snapshot", "rename", "remove", "export"])
    func `each subcommand has help with examples`(_ name: String) async throws {
        let ended = try await portolan.run(["routes", name, "--help"])
        let text = said(ended)
        #expect(ended.status == 0 && text.contains("EXAMPLES") && text.contains("portolan routes \(name) "))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `a GPX file is drawn as a layer`() async throws {
        let drawn = try await portolan.run(["render", "-l", "walk.gpx;label=name", "-o", "a.png", "--size", "100x100"])
        #expect(drawn.status == 0, "\(drawn.testDescription)")
        let told = try await portolan.run(["info", "walk.gpx", "--json"])
        #expect(told.status == 0 && said(told).contains("lineString"), "\(told.testDescription)")
    }
}
