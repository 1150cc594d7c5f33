import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanStyles
import PortolanVectorTiles
import PortolanWeb
import TestHelpers
import Testing

/// Sample features drawn by a style: from tiles of level 3, and whole.
struct VectorTileScene {
    static let level = 3
    let sheet: StyleSheet
    let tiles: SampleTiles
    /// The view: the middle in units of the level, and picture pixels a tile.
    var center = (4 * 4096.0, 4 * 4096.0)
    var pixelsInTile = 512.0
    var size = (320, 240)
    var crs = CRS.webMercator
    /// The tiles that are missing, by column and row.
    var missing: Set<[Int]> = []

    init(_ layers: String, _ tiles: SampleTiles, source: String = #"{"type": "vector"}"#) throws {
        sheet = try StyleSheet(
            bytes: Array(#"{"version": 8, "sources": {"t": \#(source)}, "layers": [\#(layers)]}"#.utf8))
        self.tiles = tiles
    }

    private static let unit = CRS.webMercator.worldWidth.map { $0 / Double(4096 << level) } ?? 1

    private static func place(_ point: (Double, Double)) -> Coordinate {
        let half = (CRS.webMercator.worldWidth ?? 0) / 2
        return Coordinate(x: point.0 * unit - half, y: half - point.1 * unit)
    }

    var viewport: Viewport {
        get throws {
            let place = Self.place(center), size = try SampleScene.size(self.size.0, self.size.1)
            let resolution = Self.unit * 4096 / pixelsInTile
            guard crs != .webMercator else {
                return try Viewport(
                    center: place, resolution: #require(Resolution(unitsPerPixel: resolution)), rotation: 0, size: size,
                    crs: crs)
            }
            let moved = try #require(try CoordinateTransform(from: .webMercator, to: crs)(place))
            return try Viewport(
                center: moved, resolution: #require(Resolution(unitsPerPixel: resolution / crs.metersPerUnit)),
                rotation: 0, size: size, crs: crs)
        }
    }

    static func source(levels: ClosedRange<Int> = 0...level) throws -> VectorTileSource {
        VectorTileSource(
            tiles: TileSource(
                grid: try #require(TileGrid.webMercator(levels: levels, tileSize: 512)),
                address: .xyz(try XYZTemplate("https://tiles.example.org/{z}/{x}/{y}.pbf", namedBy: .user))))
    }

    /// The plan of a style once the tiles have arrived.
    func plan(levels: ClosedRange<Int> = 0...level) throws -> LayerPlan {
        let style = StyleSource(sheet, sources: ["t": try Self.source(levels: levels)])
        return try plan(of: style)
    }

    func plan(of source: some LayerSource) throws -> LayerPlan {
        let view = LayerView(try viewport, layer: "m")
        var arrivals = Arrivals(), plan = try source.plan(for: view, given: arrivals)
        for _ in 0..<4 {
            for resource in plan.resources {
                guard case .vectorTile(let reading) = resource.form else { continue }
                let name = resource.name.split(separator: "/").compactMap { Int($0) }
                guard !missing.contains(Array(name.dropFirst())) || name[0] != Self.level else {
                    arrivals[resource.id] = .failure(ResourceError(.status, status: 500, place: "", message: "lost"))
                    continue
                }
                let bytes = tile(name)
                arrivals.note(
                    DecodedVectorTile(
                        try VectorTile(bytes, encoding: reading.encoding, selection: reading.selection), reading),
                    of: resource.id)
            }
            plan = try source.plan(for: view, given: arrivals)
        }
        return plan
    }

    /// The tile of a level; coarser ones have the same features with fewer units.
    private func tile(_ name: [Int]) -> [UInt8] {
        let factor = 1 << (Self.level - name[0])
        var tiles = tiles
        tiles.layers = tiles.layers.map { layer in
            (
                layer.name,
                layer.features.map { feature in
                    var feature = feature
                    feature.parts = feature.parts.map { $0.map { ($0.0 / factor, $0.1 / factor) } }
                    return feature
                }
            )
        }
        return tiles.tile(column: name[1], row: name[2])
    }

    /// The picture of the tiles.
    func picture() throws -> PixelBuffer { try paint(plan().nodes) }

    /// The picture of the features as they are without tiles.
    func whole() throws -> PixelBuffer {
        let features = tiles.layers.flatMap(\.features).map { feature in
            let parts = feature.parts.map { $0.map { Self.place((Double($0.0), Double($0.1))) } }
            let geometry: Geometry =
                switch feature.kind {
                case .points: .multiPoint(parts.flatMap { $0 })
                case .lines: .multiLineString(parts)
                case .polygons: .polygon(parts)
                }
            return Feature(
                id: feature.id.map(Feature.ID.integer), geometry: geometry,
                properties: Properties(
                    distinct: feature.attributes.map { Properties.Element(name: $0.0, value: .string($0.1)) }))
        }
        let style = StyleSource(sheet, sources: ["t": FeatureSource(features: features, crs: .webMercator)])
        return try paint(plan(of: style).nodes)
    }

    func paint(_ nodes: [Scene.Node]) throws -> PixelBuffer {
        var scene = SampleScene()
        scene.threads = 1
        let whole = Scene(
            viewport: try viewport, background: .white, layers: [Scene.Layer(name: "m", nodes: nodes)])
        return try scene.paint(whole)
    }
}

extension PixelBuffer {
    /// The largest difference of a channel of any pixel, and how many pixels differ by more than a few.
    func difference(from other: PixelBuffer) -> (most: Int, count: Int) {
        var most = 0, count = 0
        for (one, two) in zip(pixels, other.pixels) where one != two {
            var own = 0
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                let first = Int((one >> shift) & 255), second = Int((two >> shift) & 255)
                own = max(own, abs(first - second))
            }
            most = max(most, own)
            if own > 4 { count += 1 }
        }
        return (most, count)
    }
}
