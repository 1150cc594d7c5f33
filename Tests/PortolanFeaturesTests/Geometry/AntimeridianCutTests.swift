import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster
import TestHelpers
import Testing

/// Geometries that cross the antimeridian are cut there (RFC 7946 section 3.1.9).
@Suite struct AntimeridianCutTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let given: String
        let cut: String
        var edges: [Geometry.LongEdges] = [.straight, .shortNearAntimeridian, .short]
    }

    static let lines = [
        Case(
            testDescription: "eastwards, as RFC 7946 has it", given: "LINESTRING(170 45,-170 45)",
            cut: "MULTILINESTRING((170 45,180 45),(-180 45,-170 45))", edges: [.shortNearAntimeridian, .short]),
        Case(
            testDescription: "westwards", given: "LINESTRING(-175 10,175 20)",
            cut: "MULTILINESTRING((-175 10,-180 15),(180 15,175 20))", edges: [.shortNearAntimeridian, .short]),
        Case(
            testDescription: "the long way", given: "LINESTRING(-175 10,175 20)", cut: "LINESTRING(-175 10,175 20)",
            edges: [.straight]),
        Case(
            testDescription: "far from the antimeridian", given: "LINESTRING(100 0,-100 0)",
            cut: "LINESTRING(100 0,-100 0)",
            edges: [.straight, .shortNearAntimeridian]),
        Case(
            testDescription: "far, and computed", given: "LINESTRING(100 0,-100 0)",
            cut: "MULTILINESTRING((100 0,180 0),(-180 0,-100 0))", edges: [.short]),
        Case(
            testDescription: "beyond 180 degrees", given: "LINESTRING(170 0,190 10)",
            cut: "MULTILINESTRING((170 0,180 5),(-180 5,-170 10))"),
        Case(
            testDescription: "beyond -180 degrees", given: "LINESTRING(-190 0,-170 10)",
            cut: "MULTILINESTRING((170 0,180 5),(-180 5,-170 10))"),
        Case(testDescription: "all of it beyond", given: "LINESTRING(190 0,200 10)", cut: "LINESTRING(-170 0,-160 10)"),
        Case(
            testDescription: "twice round the world", given: "LINESTRING(-180 0,540 0)",
            cut: "MULTILINESTRING((-180 0,180 0),(-180 0,180 0))", edges: [.straight, .shortNearAntimeridian]),
        Case(
            testDescription: "the equator", given: "LINESTRING(-180 0,180 0)", cut: "LINESTRING(-180 0,180 0)",
            edges: [.straight, .shortNearAntimeridian]),
        Case(
            testDescription: "up to it", given: "LINESTRING(170 0,180 5,170 10)", cut: "LINESTRING(170 0,180 5,170 10)"),
        Case(
            testDescription: "along it, then over", given: "LINESTRING(170 0,180 0,180 5,190 5)",
            cut: "MULTILINESTRING((170 0,180 0,180 5),(-180 5,-170 5))"),
        Case(testDescription: "along it only", given: "LINESTRING(180 0,180 5)", cut: "LINESTRING(180 0,180 5)"),
        Case(
            testDescription: "with heights", given: "LINESTRING Z(170 0 100,190 10 300)",
            cut: "MULTILINESTRING Z((170 0 100,180 5 200),(-180 5 200,-170 10 300))"),
        Case(
            testDescription: "several", given: "MULTILINESTRING((0 0,1 1),(179 0,181 2))",
            cut: "MULTILINESTRING((0 0,1 1),(179 0,180 1),(-180 1,-179 2))"),
        Case(testDescription: "a place beyond", given: "POINT(190 5)", cut: "POINT(-170 5)"),
        Case(testDescription: "a place at it", given: "POINT(180 5)", cut: "POINT(180 5)"),
        Case(
            testDescription: "places", given: "MULTIPOINT((-181 0),(540 1),(7 7))",
            cut: "MULTIPOINT((179 0),(180 1),(7 7))"),
        Case(
            testDescription: "no place on earth", given: "LINESTRING(0 0,1e9 5)", cut: "LINESTRING(0 0,1e9 5)",
            edges: [.straight, .shortNearAntimeridian]),
    ]

    static let areas = [
        Case(
            testDescription: "as RFC 7946 has it", given: "POLYGON((170 40,190 40,190 50,170 50,170 40))",
            cut: "MULTIPOLYGON(((180 50,170 50,170 40,180 40,180 50)),((-180 40,-170 40,-170 50,-180 50,-180 40)))"),
        Case(
            testDescription: "with longitudes that jump", given: "POLYGON((170 40,-170 40,-170 50,170 50,170 40))",
            cut: "MULTIPOLYGON(((180 50,170 50,170 40,180 40,180 50)),((-180 40,-170 40,-170 50,-180 50,-180 40)))",
            edges: [.shortNearAntimeridian, .short]),
        Case(
            testDescription: "with a hole over it",
            given: "POLYGON((170 0,190 0,190 30,170 30,170 0),(175 10,175 20,185 20,185 10,175 10))",
            cut: "MULTIPOLYGON(((180 30,170 30,170 0,180 0,180 10,175 10,175 20,180 20,180 30)),"
                + "((-180 0,-170 0,-170 30,-180 30,-180 20,-175 20,-175 10,-180 10,-180 0)))"),
        Case(
            testDescription: "with a hole on each side, one of them a turn away",
            given:
                "POLYGON((170 0,190 0,190 30,170 30,170 0),(172 10,172 20,178 20,172 10),(-178 10,-178 20,-172 20,-178 10))",
            cut: "MULTIPOLYGON(((180 30,170 30,170 0,180 0,180 30),(172 10,172 20,178 20,172 10)),"
                + "((-180 0,-170 0,-170 30,-180 30,-180 0),(-178 10,-178 20,-172 20,-178 10)))"),
        Case(
            testDescription: "with two arms over it",
            given: "POLYGON((170 0,190 0,190 5,175 5,175 10,190 10,190 15,170 15,170 0))",
            cut: "MULTIPOLYGON(((180 5,175 5,175 10,180 10,180 15,170 15,170 0,180 0,180 5)),"
                + "((-180 0,-170 0,-170 5,-180 5,-180 0)),((-180 10,-170 10,-170 15,-180 15,-180 10)))"),
        Case(
            testDescription: "several", given: "MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((179 0,181 0,181 2,179 2,179 0)))",
            cut:
                "MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((180 2,179 2,179 0,180 0,180 2)),((-180 0,-179 0,-179 2,-180 2,-180 0)))"
        ),
        Case(
            testDescription: "that ends at it", given: "POLYGON((170 0,180 0,180 9,170 0))",
            cut: "POLYGON((170 0,180 0,180 9,170 0))"),
        Case(
            testDescription: "that begins at it", given: "POLYGON((180 0,190 0,190 9,180 0))",
            cut: "POLYGON((-180 0,-170 0,-170 9,-180 0))"),
        Case(
            testDescription: "the world", given: "POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))",
            cut: "POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))", edges: [.straight, .shortNearAntimeridian]),
        Case(
            testDescription: "nearly the world", given: "POLYGON((-179 -80,179 -80,179 80,-179 80,-179 -80))",
            cut: "POLYGON((-179 -80,179 -80,179 80,-179 80,-179 -80))", edges: [.straight, .shortNearAntimeridian]),
        Case(
            testDescription: "closed over the South Pole as maps have it",
            given: "POLYGON((-180 -70,0 -65,180 -70,180 -90,-180 -90,-180 -70))",
            cut: "POLYGON((-180 -70,0 -65,180 -70,180 -90,-180 -90,-180 -70))",
            edges: [.straight, .shortNearAntimeridian]),
        Case(
            testDescription: "around the North Pole", given: "POLYGON((0 80,120 80,-120 80,0 80))",
            cut: "POLYGON((-180 80,-120 80,0 80,120 80,180 80,180 90,-180 90,-180 80))",
            edges: [.shortNearAntimeridian, .short]),
        Case(
            testDescription: "around the South Pole, westwards",
            given: "POLYGON((150 -70,100 -70,50 -65,0 -60,-50 -65,-100 -70,-150 -70,150 -70))",
            cut:
                "POLYGON((-180 -70,-150 -70,-100 -70,-50 -65,0 -60,50 -65,100 -70,150 -70,180 -70,180 -90,-180 -90,-180 -70))",
            edges: [.shortNearAntimeridian, .short]),
        Case(
            testDescription: "a band around the North Pole",
            given: "POLYGON((0 60,120 60,-120 60,0 60),(0 80,-120 80,120 80,0 80))",
            cut: "POLYGON((-180 60,-120 60,0 60,120 60,180 60,180 80,120 80,0 80,-120 80,-180 80,-180 60))",
            edges: [.shortNearAntimeridian, .short]),
        Case(
            testDescription: "around the North Pole, with a hole over the antimeridian",
            given: "POLYGON((0 60,120 60,-120 60,0 60),(175 70,175 75,-175 75,-175 70,175 70))",
            cut: "POLYGON((-180 60,-120 60,0 60,120 60,180 60,180 90,-180 90,-180 60),"
                + "(180 70,175 70,175 75,180 75,180 70),(-180 75,-175 75,-175 70,-180 70,-180 75))",
            edges: [.shortNearAntimeridian]),
        Case(
            testDescription: "in a collection",
            given: "GEOMETRYCOLLECTION(POINT(181 0),POLYGON((170 0,180 0,180 9,170 0)))",
            cut: "GEOMETRYCOLLECTION(POINT(-179 0),POLYGON((170 0,180 0,180 9,170 0)))"),
    ]

    @Test(arguments: lines + areas) func `shapes are cut at the antimeridian`(shape: Case) throws {
        let given = try WKT.read(shape.given).geometry, wanted = try WKT.read(shape.cut).geometry
        for edges in shape.edges {
            let cut = given.cutAtAntimeridian(edges)
            #expect(cut == wanted, "\(edges): \(WKT.write(EncodedGeometry(cut)))")
            #expect(cut.cutAtAntimeridian(edges == .straight ? .straight : .shortNearAntimeridian) == cut)
        }
    }

    /// An edge from -180 to 175 that is straight has a place in its middle, and so has the border of an area.
    @Test(arguments: [
        (
            "LINESTRING(-200 0,175 375)",
            "MULTILINESTRING((160 0,180 20),(-180 20,-2.5 197.5,175 375))"
        ),
        (
            "POLYGON((-200 10,175 10,175 -10,-200 -10,-200 10))",
            "MULTIPOLYGON(((180 -10,160 -10,160 10,180 10,180 -10)),((-180 10,-2.5 10,175 10,175 -10,-2.5 -10,-180 -10,-180 10)))"
        ),
        (
            "POLYGON((-190 10,-100 10,-100 60,-190 60,-190 10),(100 20,170 20,170 50,100 20))",
            "MULTIPOLYGON(((180 60,170 60,170 10,180 10,180 60)),((-180 10,-100 10,-100 60,-180 60,-180 10),(100 20,170 20,170 50,100 20)))"
        ),
        (
            "POLYGON((-180 -60,0 -70,180 -60,180 -90,-180 -90,-180 -60,-180 -60,-180 -60))",
            "POLYGON((-180 -60,0 -70,180 -60,180 -90,-180 -90,-180 -60))"
        ),
        (
            "MULTIPOLYGON(((10 52,20 52,20 53,10 52,10 52)),((190 0,200 0,200 9,190 0,190 0,190 0)))",
            "MULTIPOLYGON(((10 52,20 52,20 53,10 52)),((-170 0,-160 0,-160 9,-170 0)))"
        ),
    ])
    func `a long edge stays long when it is cut again`(given: String, wanted: String) throws {
        let shape = try WKT.read(given).geometry, cut = shape.cutAtAntimeridian()
        #expect(cut.cutAtAntimeridian() == cut, "\(WKT.write(EncodedGeometry(cut)))")
        #expect(try cut == WKT.read(wanted).geometry, "\(WKT.write(EncodedGeometry(cut)))")
    }

    /// Longitudes go on to more than three turns.
    @Test func `a spiral around a pole is cut at each turn`() {
        let out = (0...60).map { Coordinate(x: (Double($0) * 30).remainder(dividingBy: 360), y: 20 + Double($0)) }
        let back = out.reversed().map { Coordinate(x: $0.x, y: $0.y + 3) }
        for shape in [Geometry.lineString(out), .polygon([out + back])] {
            let cut = shape.cutAtAntimeridian(.short)
            #expect(cut.parts.count == 6)
            #expect(cut.coordinates.allSatisfy { abs($0.x) <= 180 })
        }
    }

    @Test func `cutting any shape twice equals cutting it once`() throws {
        var random = SeededGenerator(seed: 11)
        let edges = [-1260.0, -540, -190, -180, -175, 0, 170, 175, 180, 185, 540, 900, 1260]
        func place() -> Coordinate {
            let x = Bool.random(using: &random) ? edges.randomElement(using: &random) : nil
            let y = Bool.random(using: &random) ? [-90.0, -80, 0, 80, 90, 1e308].randomElement(using: &random) : nil
            return Coordinate(
                x: x ?? .random(in: -400...400, using: &random),
                y: y == 1e308 && Int.random(in: 0..<40, using: &random) > 0
                    ? 5 : y ?? .random(in: -95...95, using: &random))
        }
        func places() -> [Coordinate] { (0..<Int.random(in: 1...7, using: &random)).map { _ in place() } }
        for number in 0..<6000 {
            let shape: Geometry =
                switch number % 4 {
                case 0: .multiLineString([places(), places()])
                case 1: .polygon([places(), places()])
                case 2: .multiPolygon([[places()], [places(), places()]])
                default: .polygon([places().map { Coordinate(x: $0.x.remainder(dividingBy: 360), y: $0.y) }])
                }
            for way in [Geometry.LongEdges.straight, .shortNearAntimeridian] {
                let cut = shape.cutAtAntimeridian(way), again = cut.cutAtAntimeridian(way)
                let isFinite = cut.coordinates.allSatisfy { $0.isFinite }
                #expect(isFinite)
                try #require(
                    again == cut,
                    "\(way): \(WKT.write(EncodedGeometry(shape)))\n\(WKT.write(EncodedGeometry(cut)))\n\(WKT.write(EncodedGeometry(again)))"
                )
            }
        }
    }

    /// A ring around a place, its edges so short that straight ones and shortest lines are the same.
    private static func ring(
        _ x: Double, _ y: Double, _ radii: ClosedRange<Double>, _ random: inout SeededGenerator
    ) -> [Coordinate] {
        let corners = (0..<12).map { number in
            let radius = Double.random(in: radii, using: &random), angle = Double(number) / 6 * .pi
            return Coordinate(x: x + radius * Libm.cosine(angle), y: y + radius * Libm.sine(angle))
        }
        return zip(corners, corners.dropFirst() + corners.prefix(1)).flatMap { one, other in
            (0..<40).map { step in
                let share = Double(step) / 40
                return Coordinate(x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share)
            }
        }
    }

    @Test func `cutting keeps lengths and areas, however longitudes are counted`() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<60 {
            let x = Double.random(in: 172...188, using: &random), y = Double.random(in: -60...60, using: &random)
            let outer = Self.ring(x, y, 4...9, &random), hole = Self.ring(x, y, 1...3, &random)
            for given in [Geometry.polygon([outer, hole]), .lineString(outer), .multiPolygon([[outer], [hole]])] {
                let before = try GroundMeasure(given)
                let jumping = given.mapCoordinates { Coordinate(x: $0.x > 180 ? $0.x - 360 : $0.x, y: $0.y) }
                for shape in [given, jumping] {
                    let cut = shape.cutAtAntimeridian(), after = try GroundMeasure(cut)
                    #expect(abs(after.area - before.area) <= before.area * 1e-6)
                    #expect(abs(after.length - before.length) <= before.length * 1e-6)
                    let box = try #require(cut.boundingBox)
                    #expect(box.minX >= -180)
                    #expect(box.maxX <= 180)
                    #expect(
                        cut.parts.allSatisfy { part in zip(part, part.dropFirst()).allSatisfy { abs($0.x - $1.x) < 180 }
                        })
                    #expect(cut.cutAtAntimeridian() == cut)
                }
            }
        }
    }
}
