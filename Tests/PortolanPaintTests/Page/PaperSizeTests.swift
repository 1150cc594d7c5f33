import PortolanGeo
import PortolanPaint
import Testing

@Suite struct PaperSizeTests {
    /// ISO 216 and ANSI Y14.1, in millimetres.
    @Test(arguments: [
        ("A0", 841, 1189), ("a3", 297, 420), ("A6", 105, 148), ("letter", 215.9, 279.4), ("Legal", 215.9, 355.6),
        ("tabloid", 279.4, 431.8), ("700x1000mm", 700, 1000), ("8.5x11in", 215.9, 279.4), ("10x15cm", 100, 150),
    ])
    func `standard sizes and sides with a unit are read`(text: String, width: Double, height: Double) throws {
        let paper = try #require(PaperSize(text))
        #expect(abs(paper.width - width) < 1e-9 && abs(paper.height - height) < 1e-9)
        #expect(PaperSize(paper.description) == paper)
        #expect(paper.landscape.width == max(width, height) || abs(paper.landscape.width - max(width, height)) < 1e-9)
    }

    @Test(arguments: [
        "", "A7", "B4", "210x297", "x297mm", "210x297x3mm", "nanx10mm", "5x5mm", "1e9x10mm", "-210x297mm",
    ])
    func `other texts are not paper`(text: String) { #expect(PaperSize(text) == nil) }

    /// Well-known places with their published grid references.
    @Test(arguments: [
        (-77.0353, 38.8895, "18S UJ"), (24.9384, 60.1699, "35V LG"), (10.75, 59.91, "32V NM"),
        (-157.8583, 21.3069, "4Q FJ"), (151.2153, -33.8568, "56H LH"), (5.32, 60.39, "32V KN"),
        (15.6, 78.22, "33X WG"),
    ])
    func `the square of the military grid is found`(longitude: Double, latitude: Double, square: String) throws {
        let place = Coordinate(longitude: longitude, latitude: latitude), zone = UTMZone(containing: place)
        let transform = try CoordinateTransform(from: .crs84, to: CRS("EPSG:\(zone.code)"))
        #expect(zone.square(of: try #require(transform(place))) == square)
    }
}
