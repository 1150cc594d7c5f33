import PortolanFeatures
import PortolanFormats
import PortolanGeo
import Testing

/// Longitudes of formats that end at 180 degrees.
@Suite struct ContinuedGeometryTests {
    private static let line = [(179.5, 1.0), (-179.5, 2.0), (-179, 3.0)]

    private static func text(_ mark: String, _ pairs: String, latitudeFirst: Bool = false) -> String {
        line.map { latitudeFirst ? "\($0.1)\(mark)\($0.0)" : "\($0.0)\(mark)\($0.1)" }.joined(separator: pairs)
    }

    @Test(arguments: [
        "<gpx><trk><trkseg>" + line.map { "<trkpt lat=\"\($0.1)\" lon=\"\($0.0)\"/>" }.joined()
            + "</trkseg></trk></gpx>",
        "<gpx><rte>" + line.map { "<rtept lat=\"\($0.1)\" lon=\"\($0.0)\"/>" }.joined() + "</rte></gpx>",
        "<kml><Placemark><LineString><coordinates>\(text(",", " "))</coordinates></LineString></Placemark></kml>",
        "<kml><Placemark><Track>" + line.map { "<coord>\($0.0) \($0.1) 0</coord>" }.joined()
            + "</Track></Placemark></kml>",
        "<rss xmlns:georss=\"http://www.georss.org/georss\"><channel><item><georss:line>\(text(" ", " ", latitudeFirst: true))</georss:line></item></channel></rss>",
    ])
    func `lines continue over the antimeridian`(document: String) throws {
        let shape = try #require(try FeatureFormats.standard.read(Array(document.utf8)).features.first?.geometry)
        #expect(shape.coordinates.map(\.x) == [179.5, 180.5, 181])
    }

    @Test func `encoded polylines continue over the antimeridian`() throws {
        let places = Self.line.map { Coordinate(x: $0.0, y: $0.1) }
        #expect(try EncodedPolyline.read(EncodedPolyline.write(places)).map(\.x) == [179.5, 180.5, 181])
    }

    @Test func `segments of a track stay together`() throws {
        let document = """
            <gpx><trk><trkseg><trkpt lat="1" lon="179"/><trkpt lat="1" lon="179.9"/></trkseg>
            <trkseg><trkpt lat="1" lon="-179.9"/><trkpt lat="1" lon="-179"/></trkseg>
            <trkseg><trkpt lat="1" lon="-179"/><trkpt lat="1" lon="179"/></trkseg></trk></gpx>
            """
        let shape = try #require(try FeatureFormats.standard.read(Array(document.utf8)).features.first?.geometry)
        #expect(shape.coordinates.map { ($0.x * 10).rounded() / 10 } == [179, 179.9, 180.1, 181, 181, 179])
    }

    @Test(
        arguments: [
            // An area of the Pacific, with a hole.
            (
                "170,0 -170,0 -170,10 170,10 170,0", "178,2 -178,2 -178,8 178,8 178,2",
                [170.0, 190, 190, 170, 170, 178, 182, 182, 178, 178]
            ),
            // The world, and the Antarctic from edge to edge.
            ("-180,-90 180,-90 180,90 -180,90 -180,-90", nil, [-180, 180, 180, -180, -180]),
            ("-180,-70 0,-65 180,-70 180,-90 -180,-90 -180,-70", nil, [-180, 0, 180, 180, -180, -180]),
            // Around the pole.
            ("0,80 120,80 -120,80 0,80", nil, [0, 120, -120, 0]),
            // Nothing to do.
            ("10,0 20,0 20,10 10,10 10,0", nil, [10, 20, 20, 10, 10]),
        ] as [(String, String?, [Double])])
    func `areas continue over the antimeridian, unless they go around the world`(
        _ outer: String, _ inner: String?, _ wanted: [Double]
    ) throws {
        func ring(_ name: String, _ text: String) -> String {
            "<\(name)><LinearRing><coordinates>\(text)</coordinates></LinearRing></\(name)>"
        }
        let rings = ring("outerBoundaryIs", outer) + (inner.map { ring("innerBoundaryIs", $0) } ?? "")
        let document = "<kml><Placemark><Polygon>\(rings)</Polygon></Placemark></kml>"
        let collection = try FeatureFormats.standard.read(Array(document.utf8))
        #expect(collection.features.first?.geometry?.coordinates.map(\.x) == wanted)
    }

    @Test(arguments: [KMLFormat() as any FeatureFormat, GPXFormat()])
    func `written longitudes end at 180 degrees and are read back unchanged`(format: any FeatureFormat) throws {
        let shape = Geometry.lineString([
            Coordinate(x: 179.5, y: 1), Coordinate(x: 180.5, y: 2), Coordinate(x: 181, y: 3),
        ])
        let bytes = try #require(format.write(FeatureCollection(features: [Feature(geometry: shape)])))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("-179.5"))
        #expect(!text.contains("180.5"))
        #expect(try format.read(bytes, limits: FeatureLimits()).features.first?.geometry == shape)
    }
}
