import PortolanGeo
import Testing

@Suite struct CRSTests {
    /// A point at 89.99° north is 66,000 km from the equator of web mercator.
    @Test(
        arguments: [
            ("EPSG:3857", (0, 0, 10, 66_000_000), (0, 0, 10, 20_037_508.342789244)),
            ("EPSG:3857", (0, -242_528_680, 10, -9e6), (0, -20_037_508.342789244, 10, -9e6)),
            ("EPSG:3857", (5, 1e8, 5, 1e8), (5, 20_037_508.342789244, 5, 20_037_508.342789244)),
            // Beyond 180 degrees is a place.
            ("EPSG:3857", (19e6, 0, 22e6, 1e6), (19e6, 0, 22e6, 1e6)), ("CRS:84", (170, 0, 190, 10), (170, 0, 190, 10)),
            ("EPSG:2154", (0, -9e12, 1e6, 6e6), (0, -40_075_016.68557849, 1e6, 6e6)),
            ("EPSG:25830", (0, 4e6, 1e6, 5e6), (0, 4e6, 1e6, 5e6)),
        ] as [(String, (Double, Double, Double, Double), (Double, Double, Double, Double))])
    func `a bounding box is clipped to the part that a CRS can show`(
        name: String, box: (Double, Double, Double, Double), wanted: (Double, Double, Double, Double)
    ) throws {
        let found = try CRS(name).visiblePart(
            of: #require(BoundingBox(minX: box.0, minY: box.1, maxX: box.2, maxY: box.3)))
        #expect(found == BoundingBox(minX: wanted.0, minY: wanted.1, maxX: wanted.2, maxY: wanted.3))
    }
}
