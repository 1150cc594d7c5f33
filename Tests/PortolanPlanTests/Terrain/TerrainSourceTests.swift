import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanServices
import PortolanWeb
import Testing

@testable import PortolanPlan

@Suite struct TerrainSourceTests {
    /// Elevations by longitude and latitude, as tiles of a level.
    struct Ground {
        let levels: ClosedRange<Int>
        var tileSize = 256
        var samples = 256
        let height: @Sendable (Coordinate) -> Double

        func source(_ look: TerrainLook) throws -> TerrainSource {
            let grid = try #require(TileGrid.webMercator(levels: levels, tileSize: tileSize))
            let template = try XYZTemplate("https://dem.example/{z}/{x}/{y}.png")
            return TerrainSource(
                tiles: TileSource(grid: grid, address: .xyz(template)), encoding: .terrarium, look: look)
        }

        /// The elevations of a tile.
        func tile(_ index: TileIndex, of source: TerrainSource) throws -> DecodedElevations {
            let extent = try #require(source.tiles.grid.extent(of: index))
            let toDegrees = try CoordinateTransform(from: .webMercator, to: .crs84)
            var values = RasterValues(width: samples, height: samples)
            for row in 0..<samples {
                for column in 0..<samples {
                    let place = Coordinate(
                        x: extent.minX + (Double(column) + 0.5) / Double(samples) * extent.width,
                        y: extent.maxY - (Double(row) + 0.5) / Double(samples) * extent.height)
                    values.values[row * samples + column] = Float(height(try #require(toDegrees(place))))
                }
            }
            return DecodedElevations(values, Resource.ElevationReading(.terrarium))
        }

        /// The plan of a view whose tiles have all arrived, but for those that fail.
        func plan(
            _ source: TerrainSource, _ viewport: Viewport, failing: (TileIndex) -> Bool = { _ in false }
        ) throws -> LayerPlan {
            let view = LayerView(viewport, layer: "ground")
            var arrivals = Arrivals(), plan = try source.plan(for: view, given: arrivals)
            for _ in 0..<4 {
                for resource in plan.resources where !arrivals.isKnown(resource.id) {
                    guard case .tile(let tile, _) = resource.id.item else { continue }
                    if failing(tile) {
                        arrivals[resource.id] = .failure(ResourceError(.transfer, place: "", message: "failed"))
                    } else {
                        arrivals.note(try self.tile(tile, of: source), of: resource.id)
                    }
                }
                plan = try source.plan(for: view, given: arrivals)
            }
            return plan
        }
    }

    private static let waves = Ground(levels: 0...12) { place in
        200 * (1 + sin(place.x * 40)) + 300 * (1 + sin(place.y * 55))
    }
    private static func sin(_ x: Double) -> Double { Libm.sine(x) }
    private static let shade = TerrainLook.hillshade(Hillshade(), .horn, factor: 1)

    private func pictures(_ plan: LayerPlan) -> [(mosaic: Mosaic, pixels: PixelBuffer)] {
        plan.nodes.flatMap(\.mosaics).compactMap { mosaic in mosaic.made.map { (mosaic, $0.pixels) } }
    }

    @Test func `a plan asks for elevations of the view and a border, and draws when all have arrived`() throws {
        let source = try Self.waves.source(Self.shade)
        // Exactly one tile.
        let viewport = try View.make(
            x: 5_009_377.085697312 / 2, y: 5_009_377.085697312 / 2, resolution: 5_009_377.085697312 / 256,
            crs: .webMercator)
        let view = LayerView(viewport, layer: "ground", traits: ServiceTraits(), isDraft: true)
        let plan = try source.plan(for: view, given: Arrivals())
        #expect(plan.nodes.isEmpty)
        #expect(plan.resources.filter { $0.use == .shown }.count == 9)
        for resource in plan.resources {
            guard case .elevations(let reading) = resource.form else { throw PlanError.notDrawable("form") }
            #expect(reading.encoding == .terrarium)
        }
        let drawn = try Self.waves.plan(source, viewport)
        #expect(pictures(drawn).count == 1)
    }

    @Test func `a slope has one shade over all tiles`() throws {
        let plane = Ground(levels: 0...12) { 20_000 * $0.x + 10_000 * $0.y }
        let drawn = try plane.plan(plane.source(Self.shade), View.slippy(0, 0, zoom: 12, width: 700, height: 500))
        let picture = try #require(pictures(drawn).first)
        let greys = picture.pixels.pixels.map { Int($0 & 0xFF) }
        // Rounding of elevations may decide between two greys.
        #expect((greys.max() ?? 0) - (greys.min() ?? 0) <= 1)
        #expect(picture.pixels.pixels[0] >> 24 == 255)
    }

    @Test func `neighbouring views have the same shades and lines where they meet`() throws {
        let source = try Self.waves.source(Self.shade)
        var contours = ContourLook()
        contours.interval = 20
        let lines = try Self.waves.source(.contours(contours))
        var seen: [[SIMD2<Int>: UInt32]] = [], points: [Set<SIMD2<Double>>] = []
        // Two pictures that touch at longitude 7.
        let unit = try View.resolution(38.21851414258813)
        let middle = try #require(try CoordinateTransform(from: .crs84, to: .webMercator)(Coordinate(x: 7, y: 46)))
        for side in [-1.0, 1] {
            let viewport = try Viewport(
                center: Coordinate(x: middle.x + side * 128 * unit.unitsPerPixel, y: middle.y), resolution: unit,
                size: #require(ImageSize(width: 256, height: 256)))
            let picture = try #require(pictures(try Self.waves.plan(source, viewport)).first)
            let left = Int((picture.mosaic.topLeft.x / unit.unitsPerPixel).rounded())
            let top = Int((picture.mosaic.topLeft.y / unit.unitsPerPixel).rounded())
            var pixels: [SIMD2<Int>: UInt32] = [:]
            // The outermost samples have no neighbours.
            for row in 1..<picture.pixels.height - 1 {
                for column in 1..<picture.pixels.width - 1 {
                    pixels[SIMD2(left + column, top - row)] = picture.pixels.pixels[row * picture.pixels.width + column]
                }
            }
            seen.append(pixels)
            let features = try Self.waves.plan(lines, viewport).nodes.flatMap(\.featureSteps).flatMap(\.features)
            points.append(
                Set(
                    features.flatMap { $0.feature.geometry?.coordinates ?? [] }.map {
                        SIMD2(($0.x * 1e3).rounded(), ($0.y * 1e3).rounded())
                    }))
        }
        let shared = Set(seen[0].keys).intersection(seen[1].keys)
        #expect(shared.count > 256)
        #expect(shared.allSatisfy { seen[0][$0] == seen[1][$0] })
        let reach = middle.x * 1e3, inner = 2 * unit.unitsPerPixel * 1e3
        let left = points[0].filter { abs($0.x - reach) < inner },
            right = points[1].filter { abs($0.x - reach) < inner }
        #expect(left.count > 20)
        #expect(left == right)
    }

    @Test func `a view across the antimeridian is one picture`() throws {
        let plane = Ground(levels: 0...6) { abs($0.y) * 100 }
        let source = try plane.source(.colorRelief(.hypsometric))
        let drawn = try plane.plan(source, View.slippy(180, 20, zoom: 5, width: 600, height: 300))
        #expect(pictures(drawn).count == 1)
        #expect(pictures(drawn).first?.pixels.pixels.allSatisfy { $0 >> 24 == 255 } == true)
    }

    @Test func `a failed tile is replaced by a coarser one`() throws {
        let plane = Ground(levels: 0...12) { 1_000 * $0.x }
        let source = try plane.source(.colorRelief(.hypsometric))
        let viewport = try View.slippy(7, 46, zoom: 12, width: 512, height: 512)
        let whole = try #require(pictures(try plane.plan(source, viewport)).first)
        let patched = try #require(
            pictures(try plane.plan(source, viewport) { $0.level == 12 && $0.column % 2 == 0 }).first)
        #expect(patched.pixels.pixels.allSatisfy { $0 >> 24 == 255 })
        let differences = zip(whole.pixels.pixels, patched.pixels.pixels).count { one, other in
            abs(Int(one & 0xFF) - Int(other & 0xFF)) > 2
        }
        #expect(differences == 0)
    }

    @Test func `tiles with half the pixels of their grid are drawn at their own size`() throws {
        let ground = Ground(levels: 0...12, tileSize: 512, samples: 256) { 1_000 * $0.x }
        let drawn = try ground.plan(ground.source(Self.shade), View.slippy(7, 46, zoom: 12, width: 512, height: 512))
        let picture = try #require(pictures(drawn).first)
        #expect((255...270).contains(picture.pixels.width))
        #expect(abs(picture.mosaic.resolutionX - 38.2185 * 2) < 0.01)
    }

    @Test func `contours that are too many are drawn with a coarser interval and a warning`() throws {
        var contours = ContourLook()
        contours.interval = 0.001
        let drawn = try Self.waves.plan(
            Self.waves.source(.contours(contours)), View.slippy(7, 46, zoom: 12, width: 300, height: 300))
        #expect(drawn.warnings.map(\.code) == [.limited])
        #expect(!drawn.nodes.flatMap(\.featureSteps).isEmpty)
    }

    @Test func `index lines are multiples of the interval and have labels`() throws {
        var contours = ContourLook()
        contours.interval = 50
        contours.indexStep = 4
        contours.index.label = "${elevation}"
        let source = try Self.waves.source(.contours(contours))
        let steps = try Self.waves.plan(source, View.slippy(7, 46, zoom: 11)).nodes.flatMap(\.featureSteps)
        #expect(steps.count == 2)
        func heights(_ step: Scene.FeatureStep) -> Set<Int> {
            Set(step.features.compactMap { $0.feature.properties["elevation"]?.integerValue })
        }
        #expect(heights(steps[0]).allSatisfy { $0 % 50 == 0 && $0 % 200 != 0 })
        #expect(heights(steps[1]).allSatisfy { $0 % 200 == 0 })
        #expect(steps[1].features.allSatisfy { $0.style.label != nil })
        // Legends state the interval of each kind of line.
        let kinds = steps.map { Set($0.features.map { $0.feature.properties["kind"]?.stringValue }) }
        #expect(kinds == [["50 m"], ["200 m"]])
        #expect(source.kind == "contours")
    }

    @Test(arguments: [(0.2, 1.0), (1, 1), (9, 10), (14.3, 20), (50, 50), (57, 50), (70, 100), (229, 200), (800, 1000)])
    func `intervals that fit a scale are round`(_ wanted: Double, _ round: Double) {
        #expect(ContourLook.rounded(max(wanted, 1)) == round)
    }

    @Test func `too many elevations are refused with a remedy`() throws {
        let ground = Ground(levels: 5...5, tileSize: 256, samples: 256) { $0.x }
        #expect(throws: PlanError.self) {
            try ground.source(Self.shade).plan(
                for: LayerView(View.slippy(0, 0, zoom: 1, width: 256, height: 256), layer: "l"), given: Arrivals())
        }
    }

    @Test func `the facts of a place are its elevation, slope and aspect`() throws {
        // One metre up for each metre to the west.
        let ground = Ground(levels: 0...12) { -111_320 * $0.x }
        let source = try ground.source(Self.shade), viewport = try View.slippy(0, 0, zoom: 12)
        let view = LayerView(viewport, layer: "ground")
        var arrivals = Arrivals()
        for resource in try source.plan(for: view, given: arrivals).resources {
            guard case .tile(let tile, _) = resource.id.item else { continue }
            arrivals.note(try ground.tile(tile, of: source), of: resource.id)
        }
        let facts = try #require(source.facts(at: Coordinate(x: 111.32, y: 0), in: view, given: arrivals))
        #expect(abs(facts.elevation + 111.32) < 0.5)
        #expect(abs((facts.slope ?? 0) - 45) < 0.1)
        #expect(abs((facts.aspect ?? 0) - 90) < 0.1)
    }

    @Test func `the legend of elevations shows the colours in view`() throws {
        let look = TerrainLook.colorRelief(.hypsometric)
        let symbol = try #require(look.legendSymbol(over: 260...1080)), scale = try #require(symbol.scale)
        #expect(symbol.kind == .ramp && scale.ticks.map(\.text) == ["400 m", "600 m", "800 m", "1000 m"])
        #expect(scale.steps.first?.value == 0 && scale.steps.last?.value == 1)
        // 600 m is 340 of 820 m above the lowest, and has a colour of its own in the ramp.
        let middle = try #require(scale.steps.first { $0.text == "600 m" })
        #expect(abs(middle.value - 340.0 / 820) < 1e-12 && middle.color == MapColor(red: 0xF0, green: 0xEB, blue: 0xC4))
        #expect(look.legendSymbol(over: 5...5) == nil)
    }

    @Test func `legends of slopes and directions state degrees and points of the compass`() throws {
        let slope = TerrainLook.slope(.slope, .horn, factor: 1, isPercent: false).legendSymbol(over: nil)
        #expect(slope?.scale?.ticks.map(\.text) == ["0°", "20°", "40°", "60°", "80°"])
        let aspect = TerrainLook.aspect(.aspect, .horn).legendSymbol(over: nil)
        #expect(aspect?.scale?.ticks.map(\.text) == ["N", "E", "S", "W", "N"])
        #expect(TerrainLook.contours(ContourLook()).legendSymbol(over: 0...1) == nil)
    }

    @Test func `the legend of a map states the elevations that have arrived`() throws {
        let source = try Self.waves.source(.colorRelief(.hypsometric))
        let plan = try Self.waves.plan(source, View.slippy(7, 46, zoom: 11))
        let ticks = try #require(plan.legendSymbols.first?.scale?.ticks)
        #expect(ticks.count >= 2 && ticks.allSatisfy { $0.text.hasSuffix(" m") })
    }
}
