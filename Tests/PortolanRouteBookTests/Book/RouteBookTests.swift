import Foundation
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanRouteBook
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Each test has a separate book; the corresponding rows of the old route app are named.
@Suite struct RouteBookTests {
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appending(path: "book-\(UUID().uuidString)")
        var path: String { url.path(percentEncoded: false) }
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private let folder = Folder()
    private var book: RouteBook { RouteBook(folder: folder.path) }

    private static func walk(_ name: String = "Walk", places: [String] = ["a", "b", "c"]) -> [UInt8] {
        let pois = places.enumerated().map { index, id in
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(index),1]},"#
                + #""properties":{"type":"poi","id":"\#(id)","name":"Place \#(id)","navigable":\#(id != "b")}}"#
        }
        let line =
            #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,1],[1,1],[2,1]]},"#
            + #""properties":{"type":"route","name":"\#(name)","description":"Along","distance":5,"duration":65}}"#
        return Array(#"{"type":"FeatureCollection","features":[\#(([line] + pois).joined(separator: ","))]}"#.utf8)
    }

    @Test func `a route is listed when the book is opened again`() throws {
        let added = try book.add(Self.walk(), from: RouteBook.Source(file: folder.path + "/walk.geojson"))
        let listed = try RouteBook(folder: folder.path).routes()
        #expect(listed.routes == [added])
        #expect(listed.warnings.isEmpty)
        #expect(added.id == "walk")
        #expect(added.name == "Walk")
        #expect(added.kilometers == 5)
        #expect(added.minutes == 65)
        #expect(added.placeCount == 3)
        #expect(added.bounds == [0, 1, 2, 1])
        #expect(added.file == "route.geojson")
        let route = try book.route("walk")
        #expect(route.document == Self.walk())
        #expect(route.collection.features.count == 4)
        #expect(route.facts.infoBar == Furniture.InfoBar(title: "Walk", facts: ["5.0 km", "1:05 h", "3 places"]))
    }

    @Test func `a book without a folder is empty`() throws {
        #expect(try book.routes().routes.isEmpty)
        #expect(throws: MapError.self) { try book.summary(of: "walk") }
    }

    @Test func `names become unique identifiers`() throws {
        var ids: [String] = []
        for (number, name) in ["Jääpuisto – 1", "jaapuisto 1", "北京", "../etc", String(repeating: "x", count: 99)]
            .enumerated()
        {
            ids.append(try book.add(Self.walk(name, places: ["p\(number)"]), from: RouteBook.Source(file: "f")).id)
        }
        #expect(ids == ["jaapuisto-1", "jaapuisto-1-2", "route", "etc", String(repeating: "x", count: 40)])
    }

    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], MapError.Code.malformedDocument, "an image"),
            (Array("{\"type\":\"FeatureCollection\",\"features\":[{".utf8), .malformedDocument, "GeoJSON"),
            (Array("<gpx><trk>".utf8), .malformedDocument, "GPX"),
            (Array("<gml/>".utf8), .malformedDocument, "the root element 'gml'"),
            (Array("<kml/>".utf8), .nothingFound, "no line and no place"),
            ([], .malformedDocument, "an empty file"),
            (
                Array("{\"type\":\"FeatureCollection\",\"features\":[]}".utf8), .nothingFound,
                "no line and no place"
            ),
            (Array("{\"type\":\"Point\",\"coordinates\":[660000,4600000]}".utf8), .malformedDocument, "not degrees"),
        ] as [([UInt8], MapError.Code, String)])
    func `an invalid route is reported, and the book is unchanged`(
        _ document: [UInt8], _ code: MapError.Code, _ words: String
    ) throws {
        let kept = try book.add(Self.walk(), from: RouteBook.Source(file: "walk"))
        let error = #expect(throws: MapError.self) { try book.add(document, from: RouteBook.Source(file: "bad")) }
        #expect(
            error?.code == code && error?.message.contains(words) == true,
            "\(error.map(String.init(describing:)) ?? "")"
        )
        #expect(try book.routes().routes == [kept])
    }

    @Test func `the same document is not kept twice`() throws {
        try book.add(Self.walk(), from: RouteBook.Source(file: "walk"))
        let error = #expect(throws: MapError.self) { try book.add(Self.walk(), from: RouteBook.Source(file: "w2")) }
        #expect(error?.code == .duplicate)
        #expect(error?.message.contains("'walk'") == true)
    }

    @Test func `a removed route is gone, and its source stays`() throws {
        try book.add(Self.walk(), from: RouteBook.Source(file: "walk"))
        try book.remove("walk")
        #expect(try book.routes().routes.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/walk"))
        for id in ["walk", "../walk", "", ".staging"] {
            #expect(throws: MapError.self) { try book.remove(id) }
        }
    }

    @Test func `a route without its document is reported, and the others are available`() throws {
        try book.add(Self.walk("One"), from: RouteBook.Source(file: "1"))
        try book.add(Self.walk("Two"), from: RouteBook.Source(file: "2"))
        try FileManager.default.removeItem(atPath: folder.path + "/one/route.geojson")
        let error = #expect(throws: MapError.self) { try book.route("one") }
        #expect(error?.code == .unreadableFile)
        #expect(error?.place?.file?.hasSuffix("/one/route.geojson") == true)
        #expect(try book.route("two").summary.name == "Two")
    }

    @Test(arguments: ["", "{", "[]", #"{"id":"two"}"#, String(repeating: "[", count: 100_000)])
    func `a damaged entry is one warning`(_ about: String) throws {
        try book.add(Self.walk("One"), from: RouteBook.Source(file: "1"))
        let two = try book.add(Self.walk("Two"), from: RouteBook.Source(file: "2"))
        try Data(about.utf8).write(to: URL(filePath: folder.path + "/one/about.json"))
        let listed = try book.routes()
        #expect(listed.routes == [two])
        #expect(listed.warnings.count == 1)
        try book.remove("one")
        #expect(try book.routes().warnings.isEmpty)
    }

    @Test func `an entry that names an outside file is damaged`() throws {
        try book.add(Self.walk(), from: RouteBook.Source(file: "1"))
        let file = folder.path + "/walk/about.json"
        let about = try String(contentsOfFile: file, encoding: .utf8)
        let changed = about.replacingOccurrences(of: "route.geojson", with: "../../secret")
        try Data(changed.utf8).write(to: URL(filePath: file))
        #expect(try book.routes().warnings.count == 1)
    }

    @Test func `next and previous wrap around, and are remembered`() throws {
        try book.add(Self.walk(), from: RouteBook.Source(file: "1"))
        var stops: [String?] = []
        for count in [1, 1, 1, -1, -1] { stops.append(try book.step("walk", by: count).identifier?.description) }
        #expect(stops == ["a", "c", "a", "c", "a"])
        #expect(try RouteBook(folder: folder.path).route("walk").selectedPlace?.title == "Place a")
        #expect(throws: MapError.self) { try book.select("z", in: "walk") }
        try book.select(nil, in: "walk")
        #expect(try book.summary(of: "walk").selectedPlace == nil)
    }

    /// A map that asks no server.
    private static func map() throws -> MapFacade {
        let nobody = StubTransport { request throws(FetchError) in
            HTTPResponse(status: 404, body: [], url: request.url)
        }
        return try MapFacade(
            size: #require(ImageSize(width: 256, height: 256)), renderer: MapRenderer(transport: nobody))
    }

    @Test func `a route of the book is shown whole on a map, with its place selected`() throws {
        try book.add(Self.walk(), from: RouteBook.Source(file: "1"))
        try book.select("c", in: "walk")
        let map = try Self.map()
        #expect(try map.addRoute(book.route("walk")).facts?.infoBar.title == "Walk")
        #expect(map.layers.map(\.name) == ["walk"])
        #expect(map.selectedFeature?.identifier == "c")
        // Its two degrees and 50 pixels at either side.
        let toMap = try CoordinateTransform(from: .crs84, to: .webMercator)
        let ends = try [0.0, 2].map { try map.viewport.pixel(of: #require(toMap(Coordinate(x: $0, y: 1)))) }
        #expect(ends[0].x >= 50 && ends[1].x <= 206 && ends[1].x - ends[0].x > 100)
        #expect(throws: MapError.duplicateLayer("walk")) { try map.addRoute(book.route("walk")) }
    }

    @Test(arguments: [("PLACE B", 1), ("walk", 1), ("ALÖNG", 1), ("mountain", 0)])
    func `a search finds names and places, ignoring case and accents`(_ text: String, _ count: Int) throws {
        try book.add(Self.walk(), from: RouteBook.Source(file: "1"))
        #expect(try book.search(text).count == count)
    }

    @Test func `a search finds descriptions of any length, in old books as well`() throws {
        let long = String(repeating: "x", count: 30_000)
        for (id, text) in [("a", "Mercado central"), ("b", long + " Mercado central")] {
            let point =
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]},"properties":{"type":"poi","id":"\#(id)","#
                + #""name":"P","description":"\#(text)"}}"#
            try book.add(Array(point.utf8), named: id, from: RouteBook.Source(file: id))
        }
        #expect(try book.search("mercado").map(\.id) == ["a", "b"] && book.search("iglesia").isEmpty)
        // A book of an earlier version has neither these texts nor an order.
        let file = folder.path + "/a/about.json"
        var about = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file))) as? [String: Any])
        for key in ["placeTexts", "order"] { #expect(about.removeValue(forKey: key) != nil) }
        try JSONSerialization.data(withJSONObject: about).write(to: URL(filePath: file))
        #expect(try book.search("MERCADO").map(\.id) == ["a", "b"])
    }

    @Test func `routes added within one second are listed in order of addition`() throws {
        for name in ["zulu", "mike", "alpha"] {
            try book.add(Self.walk(name, places: [name]), from: RouteBook.Source(file: name))
        }
        try book.remove("mike")
        try book.add(Self.walk("beta", places: ["beta"]), from: RouteBook.Source(file: "beta"))
        #expect(try book.routes().routes.map(\.id) == ["zulu", "alpha", "beta"])
    }

    @Test func `renaming keeps the identifier`() throws {
        try book.add(Self.walk(), from: RouteBook.Source(file: "1"))
        #expect(try book.rename("walk", to: "Päivä").name == "Päivä")
        #expect(try book.routes().routes.map(\.id) == ["walk"])
    }

    @Test func `files that a document references are copied`() async throws {
        let source = Folder()
        try FileManager.default.createDirectory(
            at: source.url.appending(path: "icons"), withIntermediateDirectories: true)
        let text = #"""
            {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"type":"poi","id":"p",
            "name":"P","image":"../secret.png","photo":"icons/p.png","video":"http://example.org/v.mp4",
            "style":{"default":{"externalGraphic":"icons/i.png"}}}}
            """#
        try Data(text.utf8).write(to: source.url.appending(path: "Old town.geojson"))
        for name in ["i.png", "p.png"] { try Data([1, 2]).write(to: source.url.appending(path: "icons/" + name)) }
        let path = source.url.appending(path: "Old town.geojson").path(percentEncoded: false)
        let added = try await book.add(from: path, by: ServiceClient())
        #expect(added.id == "old-town")
        #expect(added.name == "Old town")
        #expect(added.source.host == nil)
        let files = FileManager.default.subpaths(atPath: folder.path + "/old-town")?.sorted()
        #expect(files == ["about.json", "icons", "icons/i.png", "icons/p.png", "route.geojson"])
        let route = try book.route("old-town")
        let panel = PlacePanel(
            try #require(route.collection.features.first), of: route.collection, baseURL: route.baseURL)
        // Files outside the book's copy are not attachments.
        #expect(panel.attachments.map(\.kind) == [.picture, .video])
        #expect(panel.attachments[0].address.text.hasSuffix("/old-town/icons/p.png"))
    }

    @Test func `a file becomes a route of the book and of the map`() async throws {
        let files = try TemporaryFolder(), path = files.path + "/walk.json", folder = self.folder.path
        try Data(Self.walk()).write(to: URL(filePath: path))
        let map = try Self.map()
        let book = RouteBook(folder: folder)
        let summary = try await book.add(from: path, by: map.services)
        let added = try map.addRoute(book.route(summary.id))
        map.options.infoBar = added.facts?.infoBar
        #expect(map.options.infoBar?.title == "Walk")
    }

    @Test func `the selected place is shown in the information bar`() throws {
        let book = self.book
        try book.add(Self.walk(), from: RouteBook.Source(file: "1"))
        let map = try Self.map(), facts = try #require(map.addRoute(book.route("walk")).facts)
        #expect(map.selectedPlace == nil)
        map.selectNext()
        #expect(map.selectedPlace?.infoBar == Furniture.InfoBar(title: "Place a", facts: ["1 of 2", "0.0 km"]))
        map.selectNext()
        #expect(map.selectedPlace?.infoBar == Furniture.InfoBar(title: "Place c", facts: ["2 of 2", "222.6 km"]))
        map.deselect()
        #expect((map.selectedPlace?.infoBar ?? facts.infoBar).title == "Walk")
        let place = Feature(
            id: "q", geometry: .point(Coordinate(x: 0, y: 0)),
            properties: ["type": "poi", "description": "Soup at noon"])
        let panel = PlacePanel(place, of: FeatureCollection(features: [place]))
        #expect(panel.infoBar == Furniture.InfoBar(title: "Place 1", facts: ["Soup at noon", "1 of 1"]))
    }

    @Test func `a route from a server cannot reference local files`() async throws {
        let text = #"""
            {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"type":"poi","id":"p","name":"P",
            "image":"file:///etc/passwd","photo":"p.png","audio":"/a.mp3"}}
            """#
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(status: 200, body: Array(text.utf8), url: request.url)
        }
        let client = MapRenderer(transport: transport).services
        let added = try await book.add(from: "http://example.org/routes/p.json?key=SECRETKEY", by: client)
        #expect(added.source.host == "example.org")
        #expect(!added.source.place.contains("SECRETKEY"))
        let route = try book.route(added.id)
        let panel = PlacePanel(
            try #require(route.collection.features.first), of: route.collection, baseURL: route.baseURL)
        #expect(
            panel.attachments.map { $0.address.text } == [
                "http://example.org/routes/p.png", "http://example.org/a.mp3",
            ])
    }

    @Test func `leftovers of a killed process are removed`() throws {
        try book.add(Self.walk(), from: RouteBook.Source(file: "1"))
        let left = folder.url.appending(path: ".staging/left")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        try book.rename("walk", to: "W")
        #expect(!FileManager.default.fileExists(atPath: left.path))
        #expect(try book.routes().routes.count == 1)
    }

    @Test func `concurrent additions make a complete book`() async throws {
        let book = book
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask { try book.add(Self.walk("Walk \(number)"), from: RouteBook.Source(file: "\(number)")) }
            }
            try await group.waitForAll()
        }
        let listed = try book.routes()
        #expect(listed.routes.count == 12)
        #expect(listed.warnings.isEmpty)
    }
}
