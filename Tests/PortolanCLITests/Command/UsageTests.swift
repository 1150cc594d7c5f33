import Testing

/// Command lines that are refused, with their exit codes and words.
@Suite struct UsageTests {
    struct Refusal: CustomTestStringConvertible, Sendable {
        var line: String
        var status: Int32
        /// A regular expression that is found in the line on standard error.
        var words: String
        var testDescription: String { line }

        init(_ line: String, _ status: Int32, _ words: String) {
            self.line = line
            self.status = status
            self.words = words
        }
    }

    private static let route = #"{"type":"LineString","coordinates":[[-0.88,41.65],[-0.87,41.66]]}"#

    static let options = [
        Refusal("render", 64, "-o map.png"),
        Refusal("render -o a.png", 64, "nothing to draw; add a layer with -l"),
        Refusal("render --zom 3", 64, "'--zom'.*'--zoom'.*portolan render --help"),
        Refusal("rendr -l r.geojson -o a.png", 64, "subcommand 'rendr'; did you mean 'render'.*portolan --help"),
        Refusal("transit stps a.zip", 64, "unknown subcommand 'stps'; did you mean 'stops'.*portolan transit --help"),
        Refusal("transit stops a.zip --name x", 64, "unknown option '--name'; see portolan transit stops --help"),
        Refusal("transit stops a.zip x --search y", 64, "--search: the text is given twice"),
        Refusal("r.geojson -o a.png", 64, "unknown subcommand 'r.geojson'; available: render, "),
        // There is no suggestion without a similar name.
        Refusal(
            "render --dots 300 -l r.geojson -o a.png", 64,
            "^portolan: error: unknown option '--dots'; see portolan render"),
        Refusal("render --title --dpi --fuzz=3", 64, "unknown option '--fuzz'; see"),
        Refusal("render -l r.geojson -o a.png --crs 25830", 64, "write it as EPSG:25830"),
        Refusal("render -l r.geojson -o a.png --crs EPSG:99999", 64, "; available: EPSG:3857"),
        Refusal(
            "render -l r.geojson -o a.png --crs EPSG:27200 --center 8,47 --zoom 3", 64, wrongCenter),
        Refusal(
            "render -l wms:http://127.0.0.1:1/;layer=a -o a.png", 64, "key 'layer' for wms; did you mean 'layers'"),
        Refusal("render -l wms:http://127.0.0.1:1/{z}/{x}/{y};layers=a -o a.png", 64, "write xyz:http://127.0.0.1:1/"),
        Refusal("render -l xyz:http://127.0.0.1:1/wms -o a.png --center 0,0 --zoom 1", 64, "portolan info 'http"),
        Refusal("render -l r.geojson -o a.png --cache redis://h:x/0", 64, "--cache redis://h"),
        Refusal(
            "render -l r.geojson -o a.png --cache rediss://h", 64,
            "TLS is not supported|this build has no Redis support"),
        Refusal("frobnicate", 64, "'frobnicate'.*portolan --help"),
        Refusal("render -l", 64, "Missing value"),
        Refusal("render -l r.geojson -o a.gif", 64, "use .png, .jpg, .webp, .svg or .pdf"),
        Refusal("render -l r.geojson -o a.pdf --svg-text", 64, "--svg-text needs an SVG"),
        Refusal("render -l r.geojson -o a.pdf --quality 50", 64, "--quality needs JPEG or WebP"),
        Refusal("render -l r.geojson -o a", 64, "use .png, .jpg, .webp, .svg or .pdf"),
        Refusal("render -l r.geojson -o a.png --quality 80", 64, "--quality needs JPEG or WebP"),
        Refusal("render -l r.geojson -o a.webp --quality 0", 64, "--quality 0: must be between 1 and 100"),
        Refusal("render -l r.geojson -o a.webp --quality=-1", 64, "--quality -1: must be between 1 and 100"),
        Refusal("render -l r.geojson -o a.webp --png8", 64, "--png8 needs PNG"),
        Refusal("render -l r.geojson -o a.png --size 12", 64, "--size 12: .*1024x768"),
        Refusal("render -l r.geojson -o a.png --size 0x5", 64, "--size 0x5"),
        Refusal("render -l r.geojson -o a.png --size -1x5", 64, "--size -1x5"),
        Refusal("render -l r.geojson -o a.png --size 99999999999999999999x1", 64, "--size 9999"),
        Refusal("render -l r.geojson -o a.png --size 60000x60000", 64, "--size 60000x60000"),
        Refusal("render -l r.geojson -o a.png --size 9000x9000 --pixel-ratio 16", 64, "too large"),
        Refusal("render -l r.geojson -o a.png --pixel-ratio 0", 64, "pixel ratio"),
        Refusal("render -l r.geojson -o a.png --pixel-ratio nan", 64, "pixel ratio"),
        Refusal("render -l r.geojson -o a.png --crs EPSG:1", 64, "--crs: unknown CRS 'EPSG:1'"),
        Refusal("render -l r.geojson -o a.png --crs earth", 64, "--crs.*EPSG:3857"),
        Refusal("render -l r.geojson -o a.png --bbox 1,2,3", 64, "--bbox 1,2,3: .*MINX,MINY,MAXX,MAXY"),
        Refusal("render -l r.geojson -o a.png --bbox 1,4,3,2", 64, "--bbox 1,4,3,2: .*east first"),
        Refusal("render -l r.geojson -o a.png --bbox nan,2,3,4", 64, "--bbox nan"),
        Refusal("render -l r.geojson -o a.png --bbox 1,2,3,inf", 64, "--bbox 1,2,3,inf"),
        Refusal("render -l r.geojson -o a.png --bbox 1e300,1e300,2e300,2e300", 64, "out of range"),
        Refusal("render -l r.geojson -o a.png --bbox 1,2,3,4 --bbox-crs x", 64, "--bbox-crs"),
        Refusal("render -l r.geojson -o a.png --bbox-crs EPSG:4326", 64, "--bbox-crs needs --bbox"),
        Refusal("render -l r.geojson -o a.png --bbox 1,2,3,4 --fit", 64, "cannot be combined"),
        Refusal("render -l r.geojson -o a.png --bbox 1,2,3,4 --zoom 3", 64, "need --center"),
        Refusal("render -l r.geojson -o a.png --zoom 3", 64, "need --center"),
        Refusal("render -l r.geojson -o a.png --center 1,2", 64, "exactly one of --zoom"),
        Refusal("render -l r.geojson -o a.png --center 1,2 --zoom 3 --scale 1:5", 64, "exactly one of --zoom"),
        Refusal("render -l r.geojson -o a.png --center 1 --zoom 3", 64, "--center 1: .*LON,LAT"),
        Refusal("render -l r.geojson -o a.png --center 1,95 --zoom 3", 64, "longitude first"),
        Refusal("render -l r.geojson -o a.png --center 1,2 --zoom 1e9", 64, "--zoom"),
        Refusal("render -l r.geojson -o a.png --center 1,2 --zoom nan", 64, "--zoom nan"),
        Refusal("render -l r.geojson -o a.png --center 1,2 --zoom far", 64, "'far'.*--zoom"),
        Refusal("render -l r.geojson -o a.png --center 1,2 --resolution 0", 64, "--resolution 0"),
        Refusal("render -l r.geojson -o a.png --center 1,2 --resolution -3", 64, "--resolution -3"),
        Refusal("render -l r.geojson -o a.png --center 1,2 --scale 1:0", 64, "--scale 1:0: .*1:25000"),
        Refusal("render -l r.geojson -o a.png --center 1,2 --scale nan", 64, "--scale nan"),
        Refusal("render -l r.geojson -o a.png --padding -1", 64, "--padding"),
        Refusal("render -l r.geojson -o a.png --padding 5000", 64, "padding of 5000"),
        Refusal("render -l r.geojson -o a.png --max-zoom nan", 64, "--max-zoom"),
        Refusal("render -l r.geojson -o a.png --rotation inf", 64, "rotation"),
        Refusal("render -l r.geojson -o a.png --background mauvish", 64, "--background mauvish: .*#rrggbb"),
        Refusal("render -l r.geojson -o a.png --timeout 0", 64, "--timeout"),
        Refusal("render -l r.geojson -o a.png --timeout -5", 64, "--timeout -5"),
        Refusal("render -l r.geojson -o a.png --timeout nan", 64, "--timeout nan"),
        Refusal("render -l r.geojson -o a.png --max-connections 0", 64, "--max-connections 0"),
        Refusal("render -l r.geojson -o a.png --max-missing 101%", 64, "--max-missing 101%"),
        Refusal("render -l r.geojson -o a.png --threads 0", 64, "--threads 0"),
        Refusal("render -l r.geojson -o a.png --max-missing nan", 64, "--max-missing nan"),
        Refusal("render -l r.geojson -o a.png --header nonsense", 64, "'Name: value'"),
        Refusal("render -l r.geojson -o a.png --header localhost:80|A:b", 64, "remove the port"),
        Refusal("render -l r.geojson -o - --report -", 64, "picture and the report"),
        Refusal("render -l r.geojson -o a.png --report ./a.png", 64, "picture and the report"),
        Refusal("plan", 64, "nothing to draw"),
        Refusal("info", 64, "portolan info --help"),
    ]

    static let layers = [
        Refusal("render -o a.png -l wms:", 64, "missing source"),
        Refusal("render -o a.png -l ;stroke=red", 64, "missing source"),
        Refusal("render -o a.png -l r.geojson;stroke", 64, "'stroke': expected key=value"),
        Refusal("render -o a.png -l r.geojson;strok=red", 64, "unknown key 'strok'.*stroke-width"),
        Refusal("render -o a.png -l r.geojson;stroke=#f00;stroke=#0f0", 64, "duplicate key 'stroke'"),
        Refusal("render -o a.png -l r.geojson;opacity=2", 64, "opacity=2 must be between 0 and 1"),
        Refusal("render -o a.png -l r.geojson;opacity=nan", 64, "opacity=nan must be a number"),
        Refusal("render -o a.png -l r.geojson;min-resolution=0", 64, "min-resolution=0"),
        Refusal("render -o a.png -l r.geojson;stroke=mauvish", 64, "stroke"),
        Refusal("render -o a.png -l r.geojson;name=a -l r.geojson;name=a", 64, "two layers are named 'a'"),
        Refusal("render -o a.png -l wcs:http://127.0.0.1:1/", 64, "unknown kind 'wcs:'.*wms:"),
        Refusal("render -o a.png -l wfs:http://127.0.0.1:1/", 64, "wfs needs the key 'layers'"),
        Refusal("render -o a.png -l WMS:http://127.0.0.1:1/", 64, "unknown kind 'WMS:'.*wms:"),
        Refusal("render --fit -o a.png -l wms:http://127.0.0.1:1/", 64, "needs the key 'layers'.*portolan info"),
        Refusal("render --fit -o a.png -l wmsc:http://127.0.0.1:1/", 64, "needs the key 'layers'.*portolan info"),
        Refusal("render --fit -o a.png -l wms:http://127.0.0.1:1/;layers=a;version=2.0.0", 64, "version=2.0.0.*1.3.0"),
        Refusal("render --fit -o a.png -l wms:http://127.0.0.1:1/;layers=a;axis=z", 64, "axis=z.*auto, xy and yx"),
        Refusal("render --fit -o a.png -l xyz:http://127.0.0.1:1/{z}/{x}.png", 64, "xyz|layer"),
        Refusal("render --fit -o a.png -l xyz:http://127.0.0.1:1/{z}/{x}/{y}", 64, "--fit needs a layer with features"),
        Refusal("render -o a.png -l xyz:http://127.0.0.1:1/{z}/{x}/{y}", 64, "set the view"),
        Refusal(
            "render -o a.png -l xyz:http://127.0.0.1:1/{z}/{x}/{y};min-zoom=9;max-zoom=2", 64, "less than min-zoom"),
        Refusal("render -o a.png -l xyz:http://127.0.0.1:1/{z}/{x}/{y};tile-size=0", 64, "tile-size=0"),
    ]

    static let advice = [
        Refusal("render -o a.png -l wms:example.org/wms;layers=a", 64, "must begin with http:// or https://"),
        Refusal("render -o a.png r.geojson", 65, "draw it with -l r.geojson"),
        Refusal("render -o a.png -l view.json", 65, "a map document is given without -l"),
        Refusal("info example.org/wms", 66, "no such file; the URL of a service begins with https://"),
    ]

    #if Storage
    private static let noDatabase = "not an SQLite database"
    #else
    private static let noDatabase = "--traits Storage"
    #endif

    /// A center in a system whose projection only PROJ has.
    #if PROJ
    private static let wrongCenter = "outside the area of EPSG:27200"
    #else
    private static let wrongCenter = "--bbox in units of the map's"
    #endif

    static let unbuilt = [
        Refusal("render -o a.png -l mbtiles:a.mbtiles", 66, "no such file"),
        Refusal("render -o a.png -l mbtiles:broken.geojson", 65, noDatabase),
        Refusal("render -o a.png -l gpkg:a.gpkg", 66, "no such file"),
        Refusal("render -o a.png -l gpkg:broken.geojson", 65, noDatabase),
        Refusal("render -o a.png -l gpkg:a.gpkg;layer=x", 64, "unknown key 'layer' for gpkg"),
        Refusal("render -o a.png -l wms:http://127.0.0.1:1/;layers=a;gutter=9", 64, "gutter=9 needs tiled=true"),
        Refusal(
            "render -o a.png -l r.geojson --graticule often", 64, "--graticule often: must be 'auto'"),
        Refusal("render -o a.png -l r.geojson --graticule --legend", 64, "Missing value for '--graticule <n>'"),
        Refusal("render -o a.png -l r.geojson --graticule 0", 64, "--graticule 0: must be 'auto' or a number of"),
        Refusal(
            "render -o a.png -l r.geojson --user me:secret", 64, "--user: missing host; expected 'HOST|NAME:PASSWORD'"),
        Refusal("render -o a.png -l r.geojson --user a.test:80|me:secret", 64, "expected a host name without scheme"),
        Refusal(
            "render -o a.png -l r.geojson --user a.test|secret", 64, "--user 'a.test|…': expected 'HOST|NAME:PASSWORD'"),
        Refusal("render -o a.png -l r.geojson --proxy proxy:3128", 64, "must be 'none' or a URL"),
        Refusal("render -o a.png -l r.geojson --cacert /nowhere.pem", 66, "--cacert /nowhere.pem: no such file"),
        Refusal(
            "render -o a.png -l r.geojson --key Package.swift", 64, "--key needs --cert; add --cert or remove --key"),
        Refusal("render -o a.png -l r.geojson --retries -1", 64, "--retries -1: must be between 0 and 20"),
        Refusal("render -o a.png -l r.geojson --cache d --no-cache", 64, "--cache and --no-cache cannot be combined"),
        Refusal("render -o a.png -l r.geojson --offline --no-cache", 64, "remove --no-cache"),
        Refusal("render -o a.png -l r.geojson;cache=always", 64, "at-least:1d"),
        Refusal(
            "render -o a.png -l data.osm", 65, "no features to fit"),
        Refusal("render -o a.png -l pmtile:r.geojson", 64, "unknown kind 'pmtile:'; "),
        Refusal("info mbtile:r.geojson", 64, "unknown kind 'mbtile:'; did you mean 'mbtiles:'?"),
        Refusal("doctor a.xml", 64, "'a.xml': not a service URL"),
        Refusal("doctor http://127.0.0.1:1/ --max-requests 0", 64, "--max-requests 0: must be between 1 and 10000"),
        Refusal("doctor http://127.0.0.1:1/ --max-layers 0", 64, "--max-layers 0: must be between 1 and 100"),
        Refusal("doctor http://127.0.0.1:1/ --wms-version 1.2", 64, "--wms-version '1.2': must be 1.0.0, 1.1.0"),
        Refusal("doctor http://127.0.0.1:1/ --wms-version 1.1.1", 69, "http://127.0.0.1:1/"),
        Refusal("doctor http://127.0.0.1:1/", 69, "http://127.0.0.1:1/"),
        Refusal("doctor http://127.0.0.1:1/ --offline", 64, "--offline is not supported: doctor"),
        Refusal("doctor http://127.0.0.1:1/ --cache c", 64, "--cache is not supported: doctor"),
        Refusal("doctor http://127.0.0.1:1/ --retries 3", 64, "--retries is not supported: doctor"),
        Refusal("doctor http://127.0.0.1:1/ --retries 0 --no-cache", 69, "http://127.0.0.1:1/"),
        Refusal("routes import r.geojson --all", 64, "--all"),
        Refusal("seed -l r.geojson --zooms 1-2 --bbox -1,2,3000,4000 -o a.mbtiles", 64, "no tiles"),
        Refusal(
            "seed -l xyz:https://tile.openstreetmap.org/{z}/{x}/{y}.png --zooms 1-2 --bbox -1,2,3000,4000 -o a.mbtiles",
            64,
            "openstreetmap.org"),
        Refusal(
            "seed -l xyz:http://127.0.0.1:9/{z}/{x}/{y}.png --zooms 1-19 --bbox -9e6,-9e6,9e6,9e6 -o a.mbtiles", 64,
            "--max-tiles"),
        Refusal("seed -l xyz:http://127.0.0.1:9/{z}/{x}/{y}.png --zooms 2 -o a.mbtiles", 64, "--bbox"),
        Refusal(
            "seed -l xyz:http://127.0.0.1:9/{z}/{x}/{y}.png --zooms 2 --bbox 24,60,25,61 -o a.mbtiles", 64,
            "looks like degrees"),
        Refusal(
            "seed -l xyz:http://TILE.osm.org./{z}/{x}/{y}.png --zooms 1-2 --bbox -1,2,3000,4000 -o a.mbtiles", 64,
            "OpenStreetMap"),
        Refusal("render -o a.png -l http://127.0.0.1:9/{z}/{x}/{y}.png", 64, "write xyz:http://127.0.0.1:9/{z}"),
        Refusal("seed -l xyz:http://127.0.0.1:9/{z}/{x}/{y}.png --bbox 1,2,3000,4000 -o a.mbtiles", 64, "--zooms"),
        Refusal(
            "seed -l xyz:http://127.0.0.1:9/{z}/{x}/{y}.png --zooms 3-1 --bbox 1,2,3000,4000 -o a.mbtiles", 64,
            "--zooms"),
        Refusal("convert r.geojson r.tab", 64, "unknown output format 'tab'; available: geojson,"),
    ]

    static let files = [
        Refusal("render -o a.png -l none.geojson", 66, "none.geojson: no such file"),
        Refusal("render -o a.png -l folder", 66, "folder: this is a folder, not a file"),
        Refusal("render -o a.png none.json", 66, "none.json: no such map document"),
        Refusal("render -o a.png folder", 66, "folder.*not a map document"),
        Refusal("info none.geojson", 66, "none.geojson: no such file"),
        Refusal("info folder", 66, "folder: this is a folder, not a file"),
        Refusal("render -o a.png -l binary", 65, "'binary' is a binary file of an unknown kind"),
        Refusal("render -o a.png -l broken.geojson", 65, "broken.geojson: GeoJSON, line 3"),
        Refusal("render -o a.png -l empty", 65, "'empty' is an empty file"),
        Refusal("render -o a.png -l nothing.geojson", 65, "no features to fit"),
        Refusal("info binary", 65, "'binary' is a binary file"),
        Refusal("info page.html", 65, "page.html"),
        Refusal("render -o nowhere/a.png -l r.geojson", 73, "nowhere/a.png: no folder"),
        Refusal("render -o folder.png -l r.geojson", 73, "folder.png: it is a folder"),
        Refusal("render -o r.geojson/a.png -l r.geojson", 73, "r.geojson/a.png"),
        Refusal("render -o a.png -l r.geojson --report nowhere/a.json", 73, "nowhere/a.json: no folder"),
        Refusal("render -o a.png -l https://no.invalid/a.geojson --timeout 5", 69, "no.invalid"),
        Refusal("render --fit -o a.png -l wms:http://127.0.0.1:1/;layers=a -l r.geojson --strict", 69, "127.0.0.1"),
    ]

    @Test(arguments: options + layers + advice + unbuilt + files)
    func `an invalid command line is rejected in one line, and nothing is written`(refusal: Refusal) async throws {
        let portolan = try BuiltCommand()
        try portolan.write(Self.route, to: "r.geojson")
        try portolan.write("<?xml version='1.0'?><osm version='0.6'/>", to: "data.osm")
        try portolan.write([0x7F, 0x45, 0x4C, 0x46, 0, 0, 0xFF], to: "binary")
        try portolan.write([], to: "empty")
        try portolan.write(#"{"zoom":3,"layers":[]}"#, to: "view.json")
        try portolan.write("{\"type\":\n\"Point\",\n\"coordinates\":[1,}", to: "broken.geojson")
        try portolan.write(#"{"type":"FeatureCollection","features":[]}"#, to: "nothing.geojson")
        try portolan.write("<!DOCTYPE html><html><body>no map</body></html>", to: "page.html")
        try portolan.write([], to: "folder/inside")
        try portolan.write([], to: "folder.png/inside")
        let before = portolan.files

        let ended = try await portolan.run(refusal.line.split(separator: " ").map(String.init))

        #expect(ended.status == refusal.status, "\(ended.testDescription)")
        let words = try Regex(refusal.words)
        #expect(ended.errors.contains(words), "\(ended.testDescription)")
        #expect(ended.errors.hasPrefix("portolan: error: "))
        #expect(ended.errors.filter(\.isNewline).count == 1)
        #expect(ended.output.isEmpty)
        #expect(portolan.files == before)
    }

    @Test func `empty arguments are rejected`() async throws {
        let portolan = try BuiltCommand()
        for line in [
            ["render", "-l", "", "-o", "a.png"], ["render", "", "-o", "a.png"], ["info", ""], ["render", "-o", ""],
        ] {
            let ended = try await portolan.run(line)
            #expect((64...66).contains(ended.status), "\(line): \(ended.testDescription)")
            #expect(ended.errors.hasPrefix("portolan: error: "))
        }
    }

    @Test func `a very long argument results in a short message`() async throws {
        let portolan = try BuiltCommand()
        let long = String(repeating: "é", count: 60_000)
        for line in [["render", "-l", long, "-o", "a.png"], ["render", "--size", long, "-l", "a", "-o", "a.png"]] {
            let ended = try await portolan.run(line)
            #expect((64...66).contains(ended.status))
            #expect(ended.errors.count < 1100)
        }
    }
}
