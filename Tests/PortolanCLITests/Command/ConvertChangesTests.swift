import Testing

/// `portolan convert` with options that choose and change features.
@Suite struct ConvertChangesTests {
    private let portolan: BuiltCommand
    private static let lands = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{"code":"A","part":"west","pop":5},"geometry":
        {"type":"Polygon","coordinates":[[[0,0],[2,0],[2,1],[2.001,1.5],[2,2],[0,2],[0,0]]]}},
        {"type":"Feature","properties":{"code":"B","part":"west","pop":20},"geometry":
        {"type":"Polygon","coordinates":[[[2,0],[4,0],[4,2],[2,2],[2.001,1.5],[2,1],[2,0]]]}},
        {"type":"Feature","properties":{"code":"C","part":"east","pop":9},"geometry":
        {"type":"Polygon","coordinates":[[[6,0],[8,0],[8,2],[6,2],[6,0]]]}}]}
        """

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(Self.lands, to: "lands.geojson")
        try portolan.write("POINT(1 1)", to: "point.wkt")
        try portolan.write("code,name\nA,Ay\nB,Bee\n", to: "names.csv")
        try portolan.write(
            #"{"type":"Polygon","coordinates":[[[1,-1],[3,-1],[3,1],[1,1],[1,-1]]]}"#, to: "clip.geojson")
        try portolan.write(
            "SRID=3857;POLYGON((111319.490793 0,333958.472380 0,333958.472380 111325.142866,111319.490793 111325.142866,111319.490793 0))",
            to: "clip.wkt")
    }

    private func output(
        _ arguments: [String], to format: String
    ) async throws -> (text: String, ended: BuiltCommand.Ended) {
        let ended = try await portolan.run(["convert", "lands.geojson", "-", "--to", format] + arguments)
        return (String(decoding: ended.output, as: UTF8.self), ended)
    }

    @Test(arguments: [
        (["--filter", #"[">", ["get", "pop"], 6]"#, "--centroids", "--select", "code,pop"], "code,pop,lon"),
        (["--clip", "1,0,3,1"], "POLYGON((1 0,2 0,2 1,1 1,1 0))\nPOLYGON((2 0,3 0,3 1,2 1,2 0))\n"),
        (["--clip", "clip.geojson"], "POLYGON((1 0,2 0,2 1,1 1,1 0))\nPOLYGON((2 0,3 0,3 1,2 1,2 0))\n"),
        (
            ["--clip", "111319.490793,0,333958.472380,111325.142866", "--clip-crs", "EPSG:3857", "--precision", "6"],
            "POLYGON((1 0,"
        ),
        (
            ["--clip", "clip.wkt", "--precision", "6"],
            "POLYGON((1 0,2 0,2 1,1 1,1 0))\nPOLYGON((2 0,3 0,3 1,2 1,2 0))\n"
        ),
        (
            ["--simplify", "200"],
            "POLYGON((0 0,2 0,2 2,0 2,0 0))\nPOLYGON((2 0,4 0,4 2,2 2,2 0))\nPOLYGON((6 0,8 0,8 2,6 2,6 0))\n"
        ),
        (["--centroids", "--filter", #"["==", ["get", "code"], "C"]"#], "POINT(7 1)\n"),
        (["--sort", "pop:desc", "--centroids", "--precision", "1"], "POINT(3 1)\nPOINT(7 1)\nPOINT(1 1)\n"),
        (["--sort", "code", "--clip", "5,-1,-170,3"], "POLYGON((6 0,8 0,8 2,6 2,6 0))\n"),
    ])
    func `features are chosen and changed`(arguments: [String], expected: String) async throws {
        let (text, ended) = try await output(arguments + ["--quiet"], to: expected.contains(",lon") ? "csv" : "wkt")
        #expect(ended.status == 0, "\(ended.testDescription)")
        // Rings may begin at any vertex.
        func rings(_ text: String) -> [Set<Substring>] {
            text.split(separator: "\n").map { Set($0.split { "(),".contains($0) }) }
        }
        if expected.hasSuffix("\n") { #expect(rings(text) == rings(expected), "\(text)") }
        if expected.contains(",lon") {
            #expect(
                text.split(separator: "\n").count == 3 && text.contains("B,20") && !text.contains("west"), "\(text)")
        }
    }

    @Test func `polygons are merged, and rows of a table added`() async throws {
        let merged = try await output(["--dissolve", "part"], to: "geojson")
        #expect(merged.ended.status == 0 && merged.ended.errors.isEmpty, "\(merged.ended.testDescription)")
        #expect(merged.text.contains(#""properties":{"part":"west"}"#), "\(merged.text)")
        #expect(!merged.text.contains("2.001"), "\(merged.text)")
        let joined = try await output(["--join", "names.csv", "--on", "code", "--select", "name,code"], to: "geojson")
        #expect(joined.text.contains(#""properties":{"name":"Bee","code":"B"}"#), "\(joined.text)")
        #expect(joined.ended.errors.contains("1 of 3 features have no row"), "\(joined.ended.testDescription)")
    }

    @Test func `lines of GeoJSON are filtered and clipped one by one`() async throws {
        let lines = (0..<2000).map {
            #"{"type":"Feature","properties":{"n":\#($0)},"geometry":{"type":"Point","coordinates":[\#($0 % 100),1]}}"#
        }
        try portolan.write(lines.joined(separator: "\n"), to: "points.geojsonl")
        let ended = try await portolan.run([
            "convert", "points.geojsonl", "some.geojsonl", "--filter", #"["<", ["get", "n"], 1000]"#, "--clip",
            "0,0,9.5,9",
        ])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        let written = portolan.file("some.geojsonl").map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(written.split(separator: "\n").count == 100)
        let sorted = try await portolan.run([
            "convert", "points.geojsonl", "-", "--to", "geojsonl", "--sort", "n:desc",
        ])
        #expect(String(decoding: sorted.output.prefix { $0 != 0x0A }, as: UTF8.self).contains(#""n":1999"#))
    }

    @Test(arguments: [
        (["--select", "nam"], 64, "no feature has the property 'nam'"),
        (["--sort", "pops"], 64, "did you mean 'pop'?"), (["--dissolve", "x"], 64, "available: code, part, pop"),
        (["--filter", "pop > 5"], 64, "not valid JSON"), (["--filter", #"["gett", "pop"]"#], 64, "--filter"),
        (["--filter", #"[">", ["zoom"], 5]"#], 64, "no zoom"), (["--simplify", "0"], 64, "metres above 0"),
        (["--simplify", "101%"], 64, "percentage"), (["--simplify", "far"], 64, "percentage"),
        (["--clip", "3,1,1,0"], 64, "wrong order"), (["--clip", "0,0,500000,500000"], 64, "--clip-crs"),
        (["--clip", "point.wkt"], 65, "no polygons"), (["--clip", "names.csv"], 65, "names.csv"),
        (["--clip", "missing.geojson"], 66, "missing.geojson"),
        (["--clip-crs", "EPSG:3857"], 64, "--clip"), (["--on", "code"], 64, "--join"),
        (["--join", "names.csv"], 64, "--on"),
        (["--join", "names.csv", "--on", "cod"], 64, "code"), (["--join", "none.csv", "--on", "code"], 66, "none.csv"),
    ])
    func `wrong values are errors that name the remedy`(
        arguments: [String], status: Int32, message: String
    ) async throws {
        let (text, ended) = try await output(arguments, to: "geojson")
        #expect(ended.status == status && text.isEmpty, "\(ended.testDescription)")
        #expect(ended.errors.contains(message), "\(ended.testDescription)")
    }

    @Test func `changes without effect are reported`() async throws {
        let none = try await output(["--filter", #"["==", ["get", "cod"], "A"]"#], to: "geojson")
        #expect(none.ended.errors.contains("did you mean 'code'?") && none.ended.errors.contains("accepts no feature"))
        let outside = try await output(["--clip", "50,50,51,51"], to: "geojson")
        #expect(outside.ended.status == 0 && outside.ended.errors.contains("nothing is inside --clip"))
    }
}
