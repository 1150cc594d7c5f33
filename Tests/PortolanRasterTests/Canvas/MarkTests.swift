import PortolanRaster
import TestHelpers
import Testing

@Suite struct MarkTests {
    /// A ring with a disc in it.
    private static let mark = Mark([
        .fill(.circle(center: Point(x: 0.2, y: -1), radius: 4), .nonZero, MapColor(red: 200, green: 30, blue: 60)),
        .stroke(
            .circle(center: Point(x: 0.2, y: -1), radius: 4), StrokeStyle(width: 1.5),
            MapColor(red: 20, green: 30, blue: 160, alpha: 200)),
    ])

    private static func places(_ count: Int) -> [Point] {
        var generator = SeededGenerator(seed: 5)
        return (0..<count).map { _ in
            Point(x: .random(in: -12...72, using: &generator), y: .random(in: -12...52, using: &generator))
        }
    }

    private static func sheet() throws -> Canvas { Canvas(size: try Canvas.size(60, 40), background: .white) }

    private static func difference(_ a: PixelBuffer, _ b: PixelBuffer) -> Int {
        var largest = 0
        for y in 0..<a.height {
            for x in 0..<a.width {
                let p = a[x, y], q = b[x, y]
                for (one, other) in [(p.red, q.red), (p.green, q.green), (p.blue, q.blue), (p.alpha, q.alpha)] {
                    largest = max(largest, abs(Int(one) - Int(other)))
                }
            }
        }
        return largest
    }

    @Test func `a prepared mark is drawn within a thirty-second of a pixel of its position`() throws {
        let prepared = Self.mark.prepared()
        #expect(prepared.isPrepared)
        #expect(!Self.mark.isPrepared)
        for place in Self.places(400) {
            var exact = try Self.sheet(), copied = try Self.sheet()
            exact.draw(Self.mark, at: [place])
            copied.draw(prepared, at: [place])
            // Of a pixel's area an edge that is 1/32 off in x and in y sweeps at most 0.044, here twice.
            #expect(Self.difference(exact.buffer, copied.buffer) <= 23, "\(place)")
        }
    }

    @Test func `a coarsely prepared mark may be large, and is within an eighth of a pixel`() throws {
        let mark = Mark([.fill(.circle(center: Point(x: 3, y: -2), radius: 20), .nonZero, .black)])
        let prepared = mark.coarselyPrepared()
        #expect(prepared.isPrepared)
        #expect(!mark.prepared().isPrepared)
        for place in Self.places(200) + [Point(x: -30, y: 20), Point(x: 83, y: 20), Point(x: 20, y: -30)] {
            var exact = try Self.sheet(), copied = try Self.sheet()
            exact.draw(mark, at: [place])
            copied.draw(prepared, at: [place])
            // An edge across a pixel, √2 long, that is 1/8 off in x and in y, √2/8, sweeps a quarter of its area.
            #expect(Self.difference(exact.buffer, copied.buffer) <= 64, "\(place)")
            var near = try Self.sheet()
            let quarter = Point(x: (place.x * 4).rounded() / 4, y: (place.y * 4).rounded() / 4)
            near.draw(mark, at: [quarter])
            #expect(Self.difference(near.buffer, copied.buffer) <= 1, "\(place)")
        }
        let huge = Mark([.fill(.circle(center: Point(x: 0, y: 0), radius: 64.1), .nonZero, .black)])
        #expect(!huge.coarselyPrepared().isPrepared)
        #expect(huge.coarselyPrepared().byteCount == 0)
    }

    @Test func `at sixteenths of a pixel a prepared mark equals the mark`() throws {
        let prepared = Self.mark.prepared()
        for sixteenths in [(0, 0), (5, 300), (-70, 33), (959, 639), (16 * 61, 16 * 43), (400, -64)] {
            let place = Point(x: Double(sixteenths.0) / 16, y: Double(sixteenths.1) / 16)
            var exact = try Self.sheet(), copied = try Self.sheet()
            exact.draw(Self.mark, at: [place])
            copied.draw(prepared, at: [place])
            // Part upon part and then on the picture is rounded once more than part by part.
            #expect(Self.difference(exact.buffer, copied.buffer) <= 1, "\(place)")
        }
    }

    @Test(arguments: [false, true]) func `marks are the same by one thread, by several and replayed`(
        isPrepared: Bool
    ) throws {
        let mark = isPrepared ? Self.mark.prepared() : Self.mark, places = Self.places(900)
        var direct = try Self.sheet(), drawing = Drawing()
        direct.draw(mark, at: places)
        drawing.draw(mark, at: places)
        for threads in [1, 2, 3] {
            var canvas = try Self.sheet()
            canvas.paint(drawing, threads: threads)
            #expect(canvas.buffer == direct.buffer, "\(threads) threads")
        }
        var replayed = try Self.sheet()
        drawing.replay(into: &replayed)
        #expect(replayed.buffer == direct.buffer)
    }

    @Test(arguments: [
        Mark([]), Mark([.fill(Path(), .nonZero, .black)]),
        Mark([.fill(.circle(center: Point(x: 0, y: 0), radius: 16.1), .nonZero, .black)]),
        Mark([.stroke(.circle(center: Point(x: 0, y: 0), radius: 3), StrokeStyle(width: 20), .black)]),
        Mark([.fill(.circle(center: Point(x: .nan, y: 0), radius: 3), .nonZero, .black)]),
    ]) func `a mark that is too large or empty is not prepared`(mark: Mark) {
        #expect(!mark.prepared().isPrepared)
    }

    @Test func `non-finite or distant positions draw nothing`() throws {
        let far = [
            Point(x: .nan, y: 3), Point(x: 3, y: .infinity), Point(x: -.infinity, y: 3), Point(x: 1e300, y: 3),
            Point(x: 3, y: -1e300),
        ]
        var canvas = try Self.sheet()
        canvas.draw(Self.mark.prepared(), at: far)
        #expect(canvas.buffer == (try Self.sheet()).buffer)
    }
}
