import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb
import TestHelpers
import Testing

@Suite struct WellKnownTests {
    /// A text, its EWKB as PostGIS 3 prints it, and what it is.
    static let shapes: [(text: String, digits: String, geometry: Geometry, srid: Int?)] = [
        ("POINT(1 2)", "0101000000000000000000F03F0000000000000040", .point(Coordinate(x: 1, y: 2)), nil),
        (
            "SRID=4326;POINT Z (1 2 3)", "01010000A0E6100000000000000000F03F00000000000000400000000000000840",
            .point(Coordinate(x: 1, y: 2), altitude: 3), 4326
        ),
        (
            "LINESTRING(0 0,1 1)",
            "01020000000200000000000000000000000000000000000000000000000000F03F000000000000F03F",
            .lineString([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)]), nil
        ),
        (
            "MULTIPOINT((1 2))", "0104000000010000000101000000000000000000F03F0000000000000040",
            .multiPoint([Coordinate(x: 1, y: 2)]), nil
        ),
        ("POINT EMPTY", "0101000000000000000000F87F000000000000F87F", .empty(.point), nil),
        ("GEOMETRYCOLLECTION EMPTY", "010700000000000000", .collection([]), nil),
    ]

    static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    @Test(arguments: shapes) func `WKT and WKB of databases give the same geometry`(
        _ text: String, _ digits: String, _ geometry: Geometry, _ srid: Int?
    ) throws {
        let fromText = try WKT.read(text), fromBytes = try WKB.read(Self.bytes(digits))
        #expect(fromText.geometry == geometry)
        #expect(fromText.srid == srid)
        #expect(fromBytes.geometry == geometry)
        #expect(fromBytes.srid == srid)
        #expect(WKB.write(fromText) == Self.bytes(digits))
        #expect(WKT.write(fromText) == text)
    }

    @Test(arguments: [
        ("point z(1 2 3)", "POINT Z (1 2 3)"), ("POINTZM(1 2 3 4)", "POINT Z (1 2 3)"),
        ("POINT M (1 2 3)", "POINT(1 2)"),
        ("POINT(1 2 3 4)", "POINT Z (1 2 3)"), ("MULTIPOINT(1 2,3 4)", "MULTIPOINT((1 2),(3 4))"),
        ("MULTIPOINT(EMPTY,(3 4))", "MULTIPOINT((3 4))"),
        ("  LineString ( 1e1 -.5 , +3 4. ) ", "LINESTRING(10 -0.5,3 4)"),
        ("TRIANGLE((0 0,1 0,0 1,0 0))", "POLYGON((0 0,1 0,0 1,0 0))"),
        ("TIN(((0 0,1 0,0 1,0 0)))", "MULTIPOLYGON(((0 0,1 0,0 1,0 0)))"),
        (
            "COMPOUNDCURVE((0 0,1 0),(1 0,1 1))", "LINESTRING(0 0,1 0,1 1)"
        ),
        (
            "MULTISURFACE(((0 0,1 0,0 1,0 0)),CURVEPOLYGON((5 5,6 5,5 6,5 5)))",
            "MULTIPOLYGON(((0 0,1 0,0 1,0 0)),((5 5,6 5,5 6,5 5)))"
        ),
        ("POLYGON((0 0,1 0,0 1))", "POLYGON((0 0,1 0,0 1,0 0))"),
        (
            "GEOMETRYCOLLECTION(POINT(1 2),GEOMETRYCOLLECTION(LINESTRING EMPTY))",
            "GEOMETRYCOLLECTION(POINT(1 2),GEOMETRYCOLLECTION(LINESTRING EMPTY))"
        ),
    ])
    func `other spellings of WKT are read`(_ text: String, _ written: String) throws {
        let shape = try WKT.read(text)
        #expect(WKT.write(shape) == written)
        #expect(try WKB.read(WKB.write(shape)).geometry == shape.geometry)
    }

    @Test func `circular arcs become chords`() throws {
        let half = try WKT.read("CIRCULARSTRING(-1 0,0 1,1 0)").geometry
        #expect(half.kind == .lineString)
        #expect(half.coordinates.count > 40)
        #expect(half.coordinates.first == Coordinate(x: -1, y: 0))
        #expect(half.coordinates.last == Coordinate(x: 1, y: 0))
        #expect(half.coordinates.allSatisfy { abs($0.x * $0.x + $0.y * $0.y - 1) < 1e-12 && $0.y >= 0 })
        let whole = try WKT.read("CURVEPOLYGON(CIRCULARSTRING(0 0,2 0,0 0))").geometry
        #expect(whole.kind == .polygon)
        let box = try #require(whole.boundingBox)
        #expect(abs(box.minY + 1) < 1e-2)
        #expect(abs(box.maxX - 2) < 1e-9)
        let straight = try WKT.read("CIRCULARSTRING(0 0,1 1,2 2)").geometry
        #expect(straight.coordinates.count == 3)
    }

    @Test(arguments: [
        ("POINT(1)", 7), ("POINT(1 2", 9), ("POINT(1 2))", 10), ("BOX(1 2)", 3), ("", 0), ("SRID=a;POINT(1 2)", 5),
        ("POLYGON(0 0,1 1)", 8), ("MULTISURFACE(POINT(1 2))", 18),
    ])
    func `invalid WKT is rejected at its byte`(_ text: String, _ byte: Int) {
        let error = #expect(throws: FeatureFileError.self) { try WKT.read(text) }
        #expect(error?.code == .malformed && error?.place == .byte(byte), "\(text): \(error?.description ?? "")")
    }

    @Test(arguments: [
        ("", FeatureFileError.Code.malformed), ("01", .malformed), ("02010000000000000000000000", .malformed),
        ("0163000000", .unsupported), ("0102000000FFFFFFFF", .malformed),
        ("0104000000010000000102000000000000000000F03F0000000000000040", .malformed),
        ("0101000000000000000000F03F000000000000004000", .malformed),
        ("4750002000000000", .unsupported), ("4750000F00000000", .malformed),
    ])
    func `invalid WKB is rejected`(_ digits: String, _ code: FeatureFileError.Code) {
        let error = #expect(throws: FeatureFileError.self) { try WKB.read(Self.bytes(digits)) }
        #expect(error?.code == code, "\(error?.description ?? "")")
    }

    @Test func `nesting and coordinates have limits`() throws {
        let deep =
            String(repeating: "GEOMETRYCOLLECTION(", count: 70) + "POINT(1 2)" + String(repeating: ")", count: 70)
        #expect(throws: FeatureFileError.self) { try WKT.read(deep) }
        var bytes: [UInt8] = []
        for _ in 0..<70 { bytes += [1, 7, 0, 0, 0, 1, 0, 0, 0] }
        let error = #expect(throws: FeatureFileError.self) { try WKB.read(bytes + Self.bytes(Self.shapes[0].digits)) }
        #expect(error?.code == .limitExceeded)
        let few = FeatureLimits(maximumCoordinateCount: 1)
        #expect(throws: FeatureFileError.self) { try WKT.read("LINESTRING(0 0,1 1)", limits: few) }
        #expect(throws: FeatureFileError.self) { try WKB.read(Self.bytes(Self.shapes[2].digits), limits: few) }
    }

    @Test func `a GeoPackage blob has a header with a bounding box and an SRID`() throws {
        let box = [0.0, 1, 0, 1].flatMap { value in
            (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
        }
        let blob = [0x47, 0x50, 0, 0x03, 0xE6, 0x10, 0, 0] + box + Self.bytes(Self.shapes[0].digits)
        let shape = try WKB.read(blob)
        #expect(shape.geometry == Self.shapes[0].geometry)
        #expect(shape.srid == 4326)
        let bigEndian =
            [0x47, 0x50, 0, 0x00, 0, 0, 0x10, 0xE6] + Self.bytes("00000000013FF00000000000004000000000000000")
        #expect(try WKB.read(bigEndian).geometry == Self.shapes[0].geometry)
    }

    @Test func `a document is lines of WKT, or a sequence of WKB`() throws {
        let text = "\u{FEFF}SRID=3857;POINT(1 2)\n\nPOLYGON((0 0,\n 1 0,0 1,0 0))\nPOINT(x)\nPOINT EMPTY\n"
        let lines = try FeatureFormats.standard.read(Array(text.utf8))
        #expect(lines.features.count == 3)
        #expect(lines.crs == .webMercator)
        #expect(lines.warnings.map(\.effect) == [.omitted])
        let bytes = Self.shapes.flatMap { Self.bytes($0.digits) }
        let shapes = try FeatureFormats.standard.read(bytes)
        #expect(shapes.features.map(\.geometry) == Self.shapes.map(\.geometry))
        #expect(shapes.crs == nil)
        let digits = Self.shapes.map(\.digits).joined(separator: "\n")
        #expect(try FeatureFormats.standard.read(Array(digits.utf8)).features == shapes.features)
    }

    @Test func `random geometries survive writing and reading`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let geometry = Geometry.random(using: &random)
            #expect(try WKT.read(WKT.write(EncodedGeometry(geometry))).geometry == geometry)
            #expect(try WKB.read(WKB.write(EncodedGeometry(geometry))).geometry == geometry)
            #expect(try WKB.read(WKB.write(EncodedGeometry(geometry, srid: 3067))).srid == 3067)
        }
    }

    @Test func `coordinates are written with the given decimals`() {
        let shape = EncodedGeometry(.point(Coordinate(x: 24.123456, y: -0.00004)))
        #expect(
            WKT.write(shape, decimals: 3) == "POINT(24.123 0)" || WKT.write(shape, decimals: 3) == "POINT(24.123 -0)")
        #expect(WKT.write(shape) == "POINT(24.123456 -4e-05)")
    }
}
