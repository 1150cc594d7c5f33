import Foundation
import Portolan
import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct AtlasTests {
    /// A view of 800 × 500 pixels of a metre.
    private static func view() throws -> Viewport {
        try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: try #require(Resolution(unitsPerPixel: 1)),
            size: try #require(ImageSize(width: 800, height: 500)), crs: CRS("EPSG:32635"))
    }

    /// A winding line of about 20 km.
    private static let line: [Coordinate] = (0...400).map { step in
        let x = Double(step) * 40
        return Coordinate(x: 400_000 + x, y: 6_600_000 + 150 * sin(Double(step) / 8) + x * 0.7)
    }

    private static func isShown(_ coordinate: Coordinate, on page: Atlas.Page) -> Bool {
        let pixel = page.viewport.pixel(of: coordinate)
        return (0...800).contains(pixel.x) && (0...500).contains(pixel.y)
    }

    @Test(arguments: [false, true]) func `strip pages cover a route in order, and each repeats the end of the last`(
        isRotated: Bool
    ) throws {
        let atlas = try Atlas(along: [Self.line], on: Self.view(), isRotated: isRotated)
        let pages = atlas.pages.filter { $0.number != nil }
        #expect(atlas.count == pages.count && pages.count > 5 && atlas.pages.first?.number == nil)
        #expect(pages.compactMap(\.number) == Array(1...pages.count))
        let ranges = pages.map { page in Self.line.indices.filter { Self.isShown(Self.line[$0], on: page) } }
        #expect(Set(ranges.flatMap(\.self)) == Set(Self.line.indices))
        let firsts = ranges.map { $0.first ?? -1 }
        #expect(firsts == firsts.sorted())
        for (one, other) in zip(ranges, ranges.dropFirst()) { #expect(!Set(one).isDisjoint(with: other)) }
        // The marks lead to the pages before and after.
        for (index, page) in pages.enumerated() {
            let texts = page.neighbors.map(\.text)
            let wanted = [index > 0 ? "\(index)" : nil, index + 1 < pages.count ? "\(index + 2)" : nil]
            #expect(texts == wanted.compactMap(\.self))
            #expect(isRotated || page.viewport.rotation == 0)
        }
    }

    @Test func `marks lead to the page on which a route that returns goes on`() throws {
        // Out along a line and back beside it, on the same pages.
        let out = (0...40).map { Coordinate(x: Double($0) * 500, y: 0) }
        let back = (0...40).map { Coordinate(x: 20_000 - Double($0) * 500, y: 180) }
        let atlas = try Atlas(along: [out + back], on: Self.view(), hasOverview: false)
        let last = try #require(atlas.pages.last)
        // The way out is on the last page, too, and leaves it.
        #expect(last.neighbors.count == 2)
        #expect(last.neighbors.allSatisfy { $0.text == "\(($0.page ?? -1) + 1)" })
    }

    @Test func `rotated pages have a north arrow`() throws {
        let line = [Coordinate(x: 0, y: 0), Coordinate(x: -12_000, y: 12_000)]
        for isRotated in [false, true] {
            let atlas = try Atlas(along: [line], on: Self.view(), isRotated: isRotated)
            #expect(!atlas.options(ofPage: 0, RenderOptions()).showsNorthArrow)
            #expect(atlas.options(ofPage: 1, RenderOptions()).showsNorthArrow == isRotated)
        }
    }

    @Test func `rotated pages of a straight diagonal are fewer, with north never down`() throws {
        let line = [Coordinate(x: 0, y: 0), Coordinate(x: -12_000, y: 12_000)]
        let upright = try Atlas(along: [line], on: Self.view()),
            turned = try Atlas(
                along: [line], on: Self.view(), isRotated: true)
        #expect(turned.count < upright.count)
        for page in turned.pages.dropFirst() {
            #expect(abs(page.viewport.rotation - 45) < 1e-6)
        }
    }

    @Test func `a gap between lines has no pages`() throws {
        let one = [Coordinate(x: 0, y: 0), Coordinate(x: 300, y: 0)]
        let other = [Coordinate(x: 90_000, y: 0), Coordinate(x: 90_300, y: 0)]
        let atlas = try Atlas(along: [one, other], on: Self.view(), hasOverview: false)
        #expect(atlas.pages.map { $0.viewport.center.x } == [150, 90_150])
    }

    @Test(arguments: [0.0, 0.1, 0.5]) func `grid pages cover the extent, and lead to their neighbours`(
        overlap: Double
    ) throws {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 5000, maxY: 2600))
        let grids = [
            try Atlas(columns: 3, rows: 4, of: extent, on: Self.view(), overlap: overlap),
            try Atlas(covering: extent, on: Self.view(), overlap: overlap),
        ]
        for atlas in grids {
            let boxes = atlas.pages.filter { $0.number != nil }.map(\.viewport.extent)
            for x in stride(from: 1.0, to: 5000, by: 90) {
                for y in stride(from: 1.0, to: 2600, by: 90) {
                    let place = Coordinate(x: x, y: y)
                    #expect(boxes.contains { $0.contains(place) }, "\(x) \(y)")
                }
            }
        }
        #expect(grids[0].count == 12)
        #expect(grids[0].pages[1].neighbors.map(\.text) == ["2", "4"])
        #expect(grids[0].pages[5].neighbors.map(\.text) == ["4", "6", "2", "8"])
    }

    #if Text
    @Test func `pages on the overview are not tinted, and have their numbers on opaque plates`() async throws {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 5000, maxY: 2600))
        let atlas = try Atlas(columns: 2, rows: 2, of: extent, on: Self.view()), overview = atlas.pages[0]
        let options = atlas.options(ofPage: 0, World.plain())
        let image = try await World.renderer(World.transport()).render(
            [MapLayer(name: "none", source: FeatureSource(features: []))], in: overview.viewport, options: options
        ).pageImage
        let red = Pixel(MapColor(red: 190, green: 30, blue: 60))
        for page in atlas.pages.dropFirst() {
            let middle = overview.viewport.pixel(of: page.viewport.center)
            let x = Int(middle.x), y = Int(middle.y)
            #expect(image[x - 7, y] == red && image[x + 6, y] == red)
            #expect(image[x + 40, y + 40] == image[0, 0])
        }
    }

    /// A route through the middle of the pages of a row, with a place in the middle of the first.
    private static func route(isNamed: Bool) throws -> MapLayer {
        let line = Feature(
            geometry: .lineString([Coordinate(x: 400_000, y: 6_600_000), Coordinate(x: 402_000, y: 6_600_000)]))
        let place = Feature(
            geometry: .point(Coordinate(x: 400_390, y: 6_600_000)),
            properties: isNamed ? ["label": "Half way house"] : [:])
        var style = StyleDeclaration()
        style.label = "${label}"
        style.strokeColor = MapColor(red: 0, green: 0, blue: 200)
        return MapLayer(
            name: "route", source: try FeatureSource(features: [line, place], crs: CRS("EPSG:32635"), style: style))
    }

    @Test func `the overview has no names of the places of routes, and numbers beside these`() async throws {
        let line = [Coordinate(x: 400_000, y: 6_600_000), Coordinate(x: 402_000, y: 6_600_000)]
        let atlas = try Atlas(along: [line], on: Self.view()), options = atlas.options(ofPage: 0, World.plain())
        let renderer = try World.renderer(World.transport()), view = atlas.pages[0].viewport
        let named = try await renderer.render([try Self.route(isNamed: true)], in: view, options: options).pageImage
        let bare = try await renderer.render([try Self.route(isNamed: false)], in: view, options: options).pageImage
        #expect(named == bare && atlas.count > 1)
        // The route goes through the middle of each page.
        let red = Pixel(MapColor(red: 190, green: 30, blue: 60))
        for page in atlas.pages.dropFirst() {
            let middle = view.pixel(of: page.viewport.center)
            #expect(named[Int(middle.x), Int(middle.y)] != red)
        }
        // The mark of the next page is not on the route.
        var marked = atlas.options(ofPage: 1, World.plain()), pictures: [PixelBuffer] = []
        for neighbors in [marked.page?.neighbors ?? [], []] {
            marked.page?.neighbors = neighbors
            pictures.append(
                try await renderer.render(
                    [try Self.route(isNamed: true)], in: atlas.pages[1].viewport, options: marked
                ).pageImage)
        }
        #expect(pictures[0] != pictures[1])
        for x in 700..<799 { #expect(pictures[0][x, 250] == pictures[1][x, 250]) }
    }

    @Test func `a mark that the border of a page cuts is only on the page that holds it whole`() async throws {
        let line = [Coordinate(x: 400_000, y: 6_600_000), Coordinate(x: 402_000, y: 6_600_000)]
        let atlas = try Atlas(along: [line], on: Self.view())
        let renderer = try World.renderer(World.transport()), view = atlas.pages[1].viewport
        let edge = view.coordinate(at: Point(x: Double(view.size.width) - 2, y: 400))
        func pictures(_ place: Coordinate) async throws -> [PixelBuffer] {
            var pictures: [PixelBuffer] = []
            for features in [[], [Feature(geometry: .point(place))]] {
                let layer = MapLayer(
                    name: "place", source: try FeatureSource(features: features, crs: CRS("EPSG:32635")))
                for page in 1...2 {
                    pictures.append(
                        try await renderer.render(
                            [layer], in: atlas.pages[page].viewport, options: atlas.options(ofPage: page, World.plain())
                        ).pageImage)
                }
            }
            return pictures
        }
        let cut = try await pictures(edge)
        #expect(cut[0] == cut[2] && cut[1] != cut[3])
        let whole = try await pictures(view.center)
        #expect(whole[0] != whole[2])
    }
    #endif

    @Test func `impossible atlases are errors`() throws {
        let view = try Self.view(), extent = try #require(Extent(minX: 0, minY: 0, maxX: 1e8, maxY: 1e8))
        let long = [Coordinate(x: 0, y: 0), Coordinate(x: 1e9, y: 0)]
        #expect(throws: MapError.self) { try Atlas(covering: extent, on: view) }
        #expect(throws: MapError.self) { try Atlas(along: [long], on: view) }
        #expect(throws: MapError.self) { try Atlas(along: [[Coordinate(x: 1, y: 1)]], on: view) }
        #expect(throws: MapError.self) { try Atlas(columns: 0, rows: 1, of: extent, on: view) }
        #expect(throws: MapError.self) { try Atlas(columns: 1, rows: 1, of: extent, on: view, overlap: .nan) }
    }
}
