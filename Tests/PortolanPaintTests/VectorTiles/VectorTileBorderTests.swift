import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanText
import TestHelpers
import Testing

/// Features that tiles cut are drawn as if they were whole.
@Suite struct VectorTileBorderTests {
    /// The layers of a style, and what they draw.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let style: String
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "an opaque fill",
            style:
                ##"{"id": "a", "type": "fill", "source": "t", "source-layer": "l", "paint": {"fill-color": "#2060a0"}}"##
        ),
        Case(
            name: "a translucent fill",
            style: ##"""
                {"id": "a", "type": "fill", "source": "t", "source-layer": "l",
                 "paint": {"fill-color": "#2060a0", "fill-opacity": 0.5}}
                """##),
        Case(
            name: "a fill with an outline",
            style: ##"""
                {"id": "a", "type": "fill", "source": "t", "source-layer": "l",
                 "paint": {"fill-color": "#d0e0f0", "fill-outline-color": "#802020"}}
                """##),
        Case(
            name: "the border of an area as a wide line",
            style: ##"""
                {"id": "a", "type": "line", "source": "t", "source-layer": "l",
                 "paint": {"line-color": "#802020", "line-width": 7, "line-opacity": 0.5}}
                """##),
        Case(
            name: "a gradient along lines",
            style: ##"""
                {"id": "a", "type": "line", "source": "t", "source-layer": "l", "filter": ["==", "$type", "LineString"],
                 "paint": {"line-width": 9, "line-gradient":
                   ["interpolate", ["linear"], ["line-progress"], 0, "#f00", 1, "#00f"]}}
                """##),
        Case(
            name: "a line beside its course",
            style: ##"""
                {"id": "a", "type": "line", "source": "t", "source-layer": "l", "filter": ["==", "$type", "LineString"],
                 "paint": {"line-color": "#208020", "line-width": 4, "line-offset": 6}}
                """##),
        Case(
            name: "a text in the middle of an area",
            style: ##"""
                {"id": "a", "type": "symbol", "source": "t", "source-layer": "l", "filter": ["==", "$type", "Polygon"],
                 "layout": {"text-field": "{class}rea", "text-size": 14, "text-font": ["DejaVu Sans"]}}
                """##),
    ]

    /// An area around the corner of four tiles with a hole on one of their borders, and lines over borders.
    static let sample = SampleTiles([
        (
            "l",
            [
                .init(
                    id: 7, .polygons,
                    [
                        [
                            (15400, 15700), (16900, 15500), (17300, 16200), (16800, 17100), (15900, 16900),
                            (15300, 17200),
                        ],
                        [(16300, 16600), (16500, 16800), (16700, 16600), (16500, 16450)],
                    ], [("class", "a")]),
                .init(
                    id: 8, .lines, [[(15000, 15900), (16000, 16500), (16800, 16000), (17800, 17300)]], [("class", "b")]),
                .init(id: 9, .lines, [[(17500, 15500), (16500, 15600), (16100, 17200)]], [("class", "b")]),
            ]
        )
    ])

    /// Those that this build can draw.
    private static let drawable = cases.filter { FontBook.isBuiltIn || !$0.style.contains("text-field") }

    @Test(arguments: drawable, [nil, 80, 8])
    func `four tiles give the same picture as the features without tiles`(_ item: Case, _ buffer: Int?) throws {
        for statesIDs in [true, false] {
            var tiles = Self.sample
            tiles.buffer = buffer
            tiles.statesIDs = statesIDs
            let scene = try VectorTileScene(item.style, tiles)
            let whole = try scene.whole()
            #expect(whole.pixels.contains { $0 != whole.pixels[0] })
            let (most, count) = try scene.picture().difference(from: whole)
            // The corner on a border lies up to half a 4096th beside the edge when a tile was cut.
            #expect(most <= (buffer == nil ? 2 : 56), "ids: \(statesIDs)")
            #expect(count <= (buffer == nil ? 0 : 600), "ids: \(statesIDs)")
        }
    }

    @Test func `an area over whole tiles has no seams and no lines at tile borders`() throws {
        let tiles = SampleTiles(
            [("l", [.init(.polygons, [[(8000, 8000), (24000, 8000), (24000, 24000), (8000, 24000)]])])], buffer: 64)
        var scene = try VectorTileScene(Self.cases[1].style, tiles)
        var image = try scene.picture()
        #expect(Set(image.pixels).count == 1)
        // Pixels that a border divides.
        scene.center = (16384.37, 16383.81)
        image = try scene.picture()
        #expect(Set(image.pixels).count == 1)
        let outlined = try VectorTileScene(Self.cases[2].style, tiles)
        #expect(Set(try outlined.picture().pixels).count == 1)
    }

    @Test func `areas stay joined in another CRS`() throws {
        let tiles = SampleTiles(
            [("l", [.init(.polygons, [[(4096, 4096), (28672, 4096), (28672, 28672), (4096, 28672)]])])], buffer: 64)
        var scene = try VectorTileScene(Self.cases[1].style, tiles)
        scene.crs = try CRS("EPSG:4326")
        scene.center = (20480, 11000)
        scene.pixelsInTile = 400
        #expect(Set(try scene.picture().pixels).count == 1)
    }

    @Test func `a failed tile is replaced by its part of a coarser tile`() throws {
        var tiles = Self.sample
        tiles.layers[0].features.append(
            .init(.polygons, [[(16800, 16800), (17000, 16800), (17000, 17000), (16800, 17000)]]))
        var scene = try VectorTileScene(Self.cases[0].style, tiles)
        scene.missing = [[4, 4]]
        let (most, count) = try scene.picture().difference(from: try scene.whole())
        // Coarser units shift edges by less than a pixel.
        #expect(most < 200)
        #expect(count < 900)
        scene.missing = [[3, 3], [4, 3], [3, 4], [4, 4]]
        #expect(try scene.picture().difference(from: try scene.whole()).count < 3500)
    }

    @Test func `beyond the last level its tiles are enlarged`() throws {
        var scene = try VectorTileScene(Self.cases[3].style, Self.sample)
        scene.pixelsInTile = 4096
        #expect(try scene.picture().difference(from: try scene.whole()).count == 0)
    }

    @Test func `areas in tiles of version 1 may have any winding order`() throws {
        var tiles = Self.sample
        tiles.version = 1
        tiles.layers[0].features[0].parts = tiles.layers[0].features[0].parts.map { $0.reversed() }
        tiles.layers[0].features.removeLast(2)
        let scene = try VectorTileScene(Self.cases[1].style, tiles)
        let (most, count) = try scene.picture().difference(from: try scene.whole())
        #expect(most <= 2)
        #expect(count == 0)
    }
}
