import Foundation
import Testing

/// Inputs that are not files, or are empty: each command ends immediately and states the reason.
@Suite struct FileKindTests {
    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    private static let view = "--center 0,0 --zoom 2 --size 80x80"

    /// Commands, with `@` in place of the input.
    private static let lines = [
        "info @", "info gpkg:@", "info mbtiles:@", "info style:@", "measure @", "convert @ o.gpx", "doctor @",
        "render -l @ -o o.png", "render @ -o o.png", "render -l mbtiles:@ -o o.png \(view)",
        "render -l gpkg:@ -o o.png \(view)", "render -l style:@ -o o.png \(view)",
        "render -l one.geojson;style=@ -o o.png", "render -l one.geojson -o o.png --title a --font @",
        "render -l transit:@ -o o.png", "plan -l @", "document @ -o o.json", "identify -l @ --lonlat 0,0 --zoom 2",
        "route @ --provider direct", "routes import @ --book b", "routes record @ --book b",
        "seed -l @ --zooms 1-2 --bbox 1,1,2,2 --bbox-crs EPSG:4326 -o o.mbtiles", "transit info @",
        "transit validate @", "transit stops @ --near 1,1", "transit departures @ x", "transit plan @ 1,1 2,2",
        "transit vehicles @", "transit engine @ --publish -",
    ]

    /// Lines that take some of the inputs: a recording without events is one, and a device of positions is heard.
    private static func takes(_ line: String, _ input: String) -> Bool {
        input == "empty" && (line.hasPrefix("transit vehicles") || line.hasPrefix("transit engine"))
            || line.hasPrefix("routes record") && ["pipe", "/dev/zero"].contains(input)
    }

    @Test(arguments: lines, ["pipe", "/dev/zero", "folder", "missing", "empty"])
    func `a path that is not a readable file is refused with a message`(line: String, input: String) async throws {
        guard !Self.takes(line, input) else { return }
        #expect(unsafe mkfifo(portolan.folder.path + "/pipe", 0o600) == 0)
        try FileManager.default.createDirectory(
            at: portolan.folder.appending(path: "folder"), withIntermediateDirectories: true)
        try portolan.write("", to: "empty")
        try portolan.write(#"{"type":"Point","coordinates":[1,1]}"#, to: "one.geojson")
        let words = line.replacingOccurrences(of: "@", with: input).split(separator: " ").map(String.init)
        // Were it to wait for somebody who writes, it would end with 69.
        let ended = try await portolan.run(words + ["--deadline", "20"])
        #expect([64, 65, 66].contains(ended.status), "\(ended.testDescription)")
        #expect(ended.error.hasPrefix("portolan: error: ") && !portolan.files.contains { $0.hasPrefix("o.") })
    }
}
