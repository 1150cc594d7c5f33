import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import TestHelpers
import Testing

/// Content outside the view is skipped without a change inside.
@Suite struct EssentialCoordinatesTests {
    static let rotations = [0.0, 90, 33]

    /// Corners of a line that leaves and enters a small view in the middle in every way, with runs outside it.
    static func walk(seed: UInt64, corners: Int) -> [Coordinate] {
        var random = SeededGenerator(seed: seed)
        var line: [Coordinate] = []
        while line.count < corners {
            // Some steps about one place, near or far, then elsewhere.
            let reach = [40.0, 150, 800][Int.random(in: 0..<3, using: &random)]
            let middle = Coordinate(
                x: .random(in: -reach...reach, using: &random), y: .random(in: -reach...reach, using: &random))
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                line.append(
                    Coordinate(
                        x: middle.x + .random(in: -reach / 3...reach / 3, using: &random),
                        y: middle.y + .random(in: -reach / 3...reach / 3, using: &random)))
            }
        }
        return line
    }

    static func difference(_ a: PixelBuffer, _ b: PixelBuffer) -> Int {
        zip(a.pixels, b.pixels).reduce(0) { largest, pair in
            let (one, other) = (Pixel(bits: pair.0), Pixel(bits: pair.1))
            return max(
                largest, abs(Int(one.red) - Int(other.red)), abs(Int(one.green) - Int(other.green)),
                abs(Int(one.blue) - Int(other.blue)))
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>, rotations)
    func `a long line equals the sum of its segments`(seed: UInt64, rotation: Double) throws {
        let line = Self.walk(seed: seed, corners: 120)
        let style = Style(stroke: LineSymbol(color: .sea, width: 2, cap: .round, join: .round))
        let scene = SampleScene(rotation: rotation)
        let whole = try scene.paint([SampleScene.styled(.lineString(line), style)])
        // Short lines are not searched. They meet outside the picture, where two ends instead of a corner are
        // invisible.
        var parts: [[Coordinate]] = [[]]
        for place in line {
            parts[parts.count - 1].append(place)
            if max(abs(place.x), abs(place.y)) > 100 { parts.append([place]) }
        }
        #expect(parts.allSatisfy { $0.count <= 64 })
        let sum = try scene.paint([SampleScene.styled(.multiLineString(parts.filter { $0.count > 1 }), style)])
        #expect(whole != (try SampleScene.color(.white, 96, 64)))
        #expect(Self.difference(whole, sum) <= 2)
    }

    @Test(arguments: 0..<12 as Range<UInt64>, rotations)
    func `a long ring covers the same pixels as on a canvas`(seed: UInt64, rotation: Double) throws {
        let ring = Self.walk(seed: 100 + seed, corners: 90)
        let scene = SampleScene(rotation: rotation)
        let viewport = try scene.viewport()
        let painted = try scene.paint([
            SampleScene.styled(.polygon([ring]), Style(fill: FillSymbol(color: .black)))
        ])
        var canvas = Canvas(size: try SampleScene.size(96, 64), background: .white)
        canvas.fill(.polyline(ring.map { viewport.pixel(of: $0) }, closed: true), rule: .evenOdd, color: .black)
        // Corners that are all but straight are left out, at most a fifth of a pixel beside the line.
        #expect(Self.difference(painted, canvas.buffer) <= 60)
        let differing = zip(painted.pixels, canvas.buffer.pixels).count { $0 != $1 }
        #expect(differing < 96 * 64 / 20, "\(differing)")
    }

    @Test func `long features in degrees are drawn like those in metres, in each copy of the world`() throws {
        let width = 40_075_016.68557849, line = Self.walk(seed: 200, corners: 150)
        let transform = try CoordinateTransform(from: .webMercator, to: .crs84)
        let style = Style(stroke: LineSymbol(color: .sea, width: 2), fill: FillSymbol(color: .leaf))
        let metres = try SampleScene().paint([SampleScene.styled(.polygon([line]), style)])
        let places = try line.map { try #require(transform($0)) }
        for world in [0.0, 1, -2] {
            let features = [SampleScene.styled(.polygon([places]), style)]
            let step = Scene.FeatureStep(crs: .crs84, features: features, worldShifts: [world * width])
            let content = Scene.Layer(name: "f", nodes: [.features(step)])
            let scene = SampleScene(center: Coordinate(x: world * width, y: 0))
            #expect(Self.difference(try scene.paint([content]), metres) <= 2)
        }
    }
}
