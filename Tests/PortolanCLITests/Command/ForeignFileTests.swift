import Testing

/// Files of GIS programs given as features.
@Suite struct ForeignFileTests {
    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    @Test(
        arguments: [
            ([0, 0, 0x27, 0x0A, 0, 0], "Shapefile, byte 4: unexpected end of data"),
            (Array("PK\u{3}\u{4}".utf8), "KMZ, byte 4: no directory at the end"),
            ([0x1F, 0x8B, 8], "gunzip file"),
            ([0x49, 0x49, 0x2A, 0], "too short for a TIFF"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "is an image"),
            (Array("id,place\n".utf8), "its columns are id, place; add coordinate columns"),
            (Array("PMTiles\u{3}".utf8), "is a PMTiles archive; write pmtiles:"), ([], "is an empty file"),
        ] as [([UInt8], String)])
    func `an unreadable file is reported with its format and a remedy`(bytes: [UInt8], words: String) async throws {
        try portolan.write(bytes, to: "file")
        let ended = try await portolan.run(["render", "-l", "file", "-o", "a.png"])
        #expect(ended.status == 65 && ended.error.contains(words), "\(ended.testDescription)")
    }

    @Test func `a file with an invalid feature is drawn with a warning, and rejected with --strict`() async throws {
        try portolan.write(
            #"{"type":"FeatureCollection","features":[null,{"type":"Feature","properties":[],"#
                + #""geometry":{"type":"LineString","coordinates":[[24.9,60.1],[25,60.2]]}}]}"#, to: "r.geojson")
        let line = ["render", "-l", "r.geojson", "--size", "64x64", "-o"]
        let drawn = try await portolan.run(line + ["a.png"])
        #expect(drawn.status == 3 && portolan.file("a.png") != nil, "\(drawn.testDescription)")
        #expect(drawn.errors.contains("feature #1: null instead of a feature; left out (byte 40)"))
        #expect(drawn.errors.contains("feature #2: properties: "))
        let strict = try await portolan.run(line + ["b.png", "--strict"])
        #expect(strict.status == 65 && portolan.file("b.png") == nil, "\(strict.testDescription)")
        #expect(strict.error.contains("feature #1"))
    }

    @Test(arguments: ["\u{1E}", "\n"])
    func `GeoJSON sequences are drawn like other files`(separator: String) async throws {
        let objects = ["[24.9,60.1]", "[25,60.2]"].map { separator + #"{"type":"Point","coordinates":\#($0)}"# }
        try portolan.write(objects.joined(), to: "r.geojsons")
        let drawn = try await portolan.run(["render", "-l", "r.geojsons", "--size", "64x64", "--strict", "-o", "a.png"])
        #expect(drawn.status == 0 && drawn.errors.isEmpty, "\(drawn.testDescription)")
    }

    @Test(arguments: [[], ["--fit"]])
    func `coordinates in metres that are read as degrees are reported`(options: [String]) async throws {
        try portolan.write(#"{"type":"LineString","coordinates":[[385000,6670000],[386000,6671000]]}"#, to: "m.geojson")
        let line = ["render", "--size", "64x64", "-o", "a.png"] + options + ["-l"]
        let ended = try await portolan.run(line + ["m.geojson"])
        #expect(ended.status == 65, "\(ended.testDescription)")
        #expect(ended.error.contains("layer 'm': its coordinates are not degrees; set their CRS with ';crs=EPSG:…'"))
        let named = try await portolan.run(line + ["m.geojson;crs=EPSG:3067"])
        #expect(named.status == 0, "\(named.testDescription)")
    }

    @Test func `a world file contains the position and size of the pixels`() async throws {
        try portolan.write(#"{"type":"Point","coordinates":[24.9,60.1]}"#, to: "p.geojson")
        let line = ["render", "-l", "p.geojson", "--size", "100x50", "--world-file", "--crs", "EPSG:3067"]
        let place = ["--bbox", "385000,6670000,386000,6670500"]
        let drawn = try await portolan.run(line + place + ["-o", "a.b.png", "--pixel-ratio", "2"])
        #expect(drawn.status == 0, "\(drawn.testDescription)")
        #expect(
            portolan.file("a.b.pgw").map { String(decoding: $0, as: UTF8.self) }
                == "5.0\n0.0\n0.0\n-5.0\n385002.5\n6670497.5\n")
        let turned = try await portolan.run(line + place + ["-o", "c.JPG", "--rotation", "90"])
        #expect(turned.status == 0, "\(turned.testDescription)")
        let numbers =
            portolan.file("c.jgw").map { String(decoding: $0, as: UTF8.self) }?.split(separator: "\n")
            .compactMap { Double($0) } ?? []
        #expect(numbers.count == 6 && numbers[0] == 0 && numbers[3] == 0 && numbers[1] == numbers[2] && numbers[1] != 0)
        #if Images
        let odd = try await portolan.run(line + ["--center", "24.9,60.1", "--resolution", "0.7", "-o", "d.webp"])
        #expect(odd.status == 0, "\(odd.testDescription)")
        let exact = portolan.file("d.wpw").map { String(decoding: $0, as: UTF8.self) }
        #expect(exact?.hasPrefix("0.7\n0.0\n0.0\n-0.7\n") == true, "\(exact ?? "")")
        #endif
        for name in ["a.svg", "-"] {
            let refused = try await portolan.run(line + place + ["-o", name])
            #expect(refused.status == 64 && refused.error.contains("--world-file"), "\(refused.testDescription)")
        }
    }

    @Test func `a centre with swapped coordinates is reported if the layer is at the swapped position`() async throws {
        try portolan.write(#"{"type":"LineString","coordinates":[[24.9,60.1],[25,60.2]]}"#, to: "r.geojson")
        let line = ["render", "-l", "r.geojson", "--zoom", "12", "--size", "64x64", "-o", "a.png", "--center"]
        let swapped = try await portolan.run(line + ["60.15,24.95"])
        #expect(swapped.status == 0 && swapped.errors.contains("write --center 24.95,60.15"), "\(swapped)")
        let right = try await portolan.run(line + ["24.95,60.15"])
        #expect(right.status == 0 && right.errors.isEmpty, "\(right)")
    }
}
