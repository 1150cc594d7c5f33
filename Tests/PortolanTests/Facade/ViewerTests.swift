import Foundation
import Portolan
import PortolanFeatures
import PortolanRaster
import PortolanRouteBook
import PortolanTesting
import Testing

/// The steps of an app that shows a map, from its creation to the description of a place.
@Suite(.timeLimit(.minutes(20))) struct ViewerTests {
    private static let red = MapColor(red: 255, green: 0, blue: 0)
    private static let blue = MapColor(red: 0, green: 0, blue: 255)

    private static func map(_ width: Int, _ height: Int) throws -> MapFacade {
        let map = try MapFacadeTests.facade(width, height)
        map.options = World.plain()
        return map
    }

    @Test func `a map of a given size shows a base layer and added data`() async throws {
        let map = try Self.map(320, 480)
        let empty = try await map.refresh().image
        #expect(empty.width == 320 && empty.height == 480 && empty[10, 240] == Pixel(.white))
        try map.add(World.tiles("base"))
        map.addPOI(id: "p", coordinate: Coordinate(x: 0, y: 0), name: "P")
        #expect(map.layers.map(\.name) == ["base", MapFacade.vectorLayerName])
        let image = try await map.refresh().image
        #expect(image[10, 240] == Pixel(.black) && image[160, 240] != Pixel(.black))
        try map.resize(to: #require(ImageSize(width: 480, height: 320)))
        let turned = try await map.refresh().image
        #expect(turned.width == 480 && turned.height == 320 && turned[240, 160] == image[160, 240])
    }

    /// The map shows the world in 256 pixels: 45° east are 32 of them, and 66.5° north a quarter of the world's height.
    @Test
    func `the route and the points of a file are drawn at their coordinates`()
        async throws
    {
        let file = FileManager.default.temporaryDirectory.appending(path: "route-\(UUID().uuidString).geojson")
        defer { try? FileManager.default.removeItem(at: file) }
        let text = """
            {"type":"FeatureCollection","features":[
             {"type":"Feature","geometry":{"type":"LineString","coordinates":[[-90,0],[90,0]]},"properties":{"type":"route",
              "id":"way","style":{"default":{"strokeColor":"#ff0000","strokeWidth":4,"strokeOpacity":1}}}},
             {"type":"Feature","geometry":{"type":"Point","coordinates":[45,66.51326044311186]},"properties":{"type":"poi",
              "id":"inn","name":"Inn","style":{"default":{"pointRadius":8,"fillColor":"#0000ff","fillOpacity":1}}}}]}
            """
        try Data(text.utf8).write(to: file)
        let map = try Self.map(256, 256)
        #expect(try await map.addFeatures(from: file.path(percentEncoded: false)).features?.features.count == 2)
        let image = try await map.refresh().image
        for (x, y, color) in [
            (96, 128, Self.red), (180, 127, Self.red), (160, 64, Self.blue), (32, 128, .white), (96, 120, .white),
            (160, 80, .white),
        ] { #expect(image[x, y] == Pixel(color), "\(x), \(y)") }
        #expect(map.touch(Point(x: 160, y: 64))?.identifier == "inn")
        #expect(map.touch(Point(x: 96, y: 128))?.identifier == "way")
    }

    @Test(arguments: [
        ("GM-T4", #"{"type":"Point","coordinates":[10,10]}"#),
        ("GM-T5", #"{"type":"LineString","coordinates":[[0,10],[20,10]]}"#),
        ("GM-T5", #"{"type":"Polygon","coordinates":[[[9,9],[11,9],[11,11],[9,11],[9,9]]]}"#),
    ])
    func `markers and shapes stay at their coordinates and can be restyled`(
        _ row: String, _ geometry: String
    ) async throws {
        func style(_ color: MapColor) -> StyleDeclaration {
            var style = StyleDeclaration()
            style.strokeColor = color
            style.strokeWidth = 6
            style.strokeOpacity = 1
            style.fillColor = color
            style.fillOpacity = 1
            style.pointRadius = 8
            return style
        }
        let map = try Self.map(200, 200)
        let document = Array(#"{"type":"Feature","id":1,"properties":{},"geometry":\#(geometry)}"#.utf8)
        try map.addFeatureLayer(document, named: "things", style: style(Self.red))
        func expect(_ color: MapColor, at x: Int, _ y: Int) async throws {
            let image = try await map.refresh().image
            #expect(image[x, y] == Pixel(color) && image[x, y + 30] == Pixel(.white), "\(row) at \(x), \(y)")
        }
        try map.center(on: Coordinate(longitude: 10, latitude: 10), zoom: 4)
        try await expect(Self.red, at: 100, 100)
        try map.pan(x: 30, y: -20)
        try await expect(Self.red, at: 130, 80)
        try map.zoom(by: 2)
        try await expect(Self.red, at: 160, 60)
        try map.addFeatureLayer(document, named: "things", style: style(Self.blue), replacing: true)
        try await expect(Self.blue, at: 160, 60)
    }

    @Test func `a clicked point is described in the info bar`() async throws {
        let map = try Self.map(256, 256)
        map.addPOI(
            id: "a", coordinate: Coordinate(longitude: -90, latitude: 0), name: "Inn", description: "Soup at noon")
        map.addPOI(id: "b", coordinate: Coordinate(longitude: 90, latitude: 0), name: "Mill", description: "Closed")
        var feet: [[Pixel]] = []
        for (x, name, text) in [(64.0, "Inn", "Soup at noon"), (192, "Mill", "Closed")] {
            let place = try #require(map.touch(Point(x: x, y: 128)))
            let panel = PlacePanel(place, of: FeatureCollection(features: [place]))
            #expect(panel.name == name && panel.text == text)
            map.options.infoBar = Furniture.InfoBar(title: panel.name ?? "", facts: [panel.text ?? ""])
            let image = try await map.refresh().image
            feet.append((236..<256).flatMap { y in (0..<256).map { image[$0, y] } })
        }
        let blank = [Pixel](repeating: Pixel(.white), count: feet[0].count)
        #if Text
        #expect(Set(feet + [blank]).count == 3)
        #else
        // The bar is left out.
        #expect(Set(feet + [blank]).count == 1)
        #endif
    }
}
