import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanPaint
import Testing

@Suite struct RouteLineTests {
    private static func route(_ text: String) throws -> FeatureCollection {
        try FeatureFormats.standard.read(Array("<gpx>\(text)</gpx>".utf8))
    }

    private static let hike = """
        <wpt lat="0.0005" lon="0.010"><name>Hut</name></wpt><wpt lat="0.1" lon="0.010"><name>Far away</name></wpt>
        <trk><name>Ridge</name><trkseg><trkpt lat="0" lon="0"><ele>100</ele></trkpt>
        <trkpt lat="0" lon="0.01"><ele>300</ele></trkpt></trkseg><trkseg><trkpt lat="0" lon="0.02"><ele>290</ele></trkpt>
        <trkpt lat="0" lon="0.03"><ele>200</ele></trkpt></trkseg></trk>
        <rte><name>Plan</name><rtept lat="5" lon="5"/><rtept lat="5" lon="6"/></rte>
        """

    @Test func `a line joins the segments of a track, without the routes of the file`() throws {
        let line = try #require(RouteLine(try Self.route(Self.hike)))
        // By geod of PROJ 9.1: 1113.195 m for 0.01 degrees on the equator.
        #expect(abs(line.length - 2226.39) < 0.01 && line.name == "Ridge")
        #expect(line.place(at: -5) == Coordinate(x: 0, y: 0))
        #expect(abs(line.place(at: 556.597).x - 0.005) < 1e-8)
        #expect(abs(line.place(at: 1669.79).x - 0.025) < 1e-7)
        #expect(line.place(at: 1e9) == Coordinate(x: 0.03, y: 0))
        #expect(abs(line.bearing(at: 500) - 90) < 0.01)
        #expect(line.profile?.ascent == 200 && line.profile?.descent == 100)
        let near = line.nearest(to: Coordinate(x: 0.022, y: 0))
        #expect(abs(near.distance - 1335.83) < 0.1 && near.meters < 0.1)
    }

    @Test func `the camera averages the turns of a line`() throws {
        let points = (0...100).map { Coordinate(x: Double($0) * 0.001, y: $0 % 2 == 0 ? 0 : 0.0004) }
        let line = try #require(RouteLine(FeatureCollection(features: [Feature(geometry: .lineString(points))])))
        let center = line.camera(at: line.length / 2, over: 3000)
        #expect(abs(center.x - 0.05) < 0.0005 && abs(center.y - 0.0002) < 0.0001)
        #expect(line.profile == nil)
        #expect(abs(line.bearing(at: line.length / 2, over: 3000) - 90) < 3)
    }

    @Test func `the part travelled so far ends at the marker`() throws {
        let layer = try #require(RouteLine(try Self.route(Self.hike))).layer(at: 1669.79)
        let features = try #require(layer.features).features
        let travelled = try #require(features.first { $0.id == "travelled" }?.geometry)
        #expect(travelled.kind == .multiLineString && Array(travelled.parts).count == 2)
        let end = try #require(travelled.coordinates.last)
        #expect(abs(end.x - 0.025) < 1e-7)
        #expect(features.first { $0.id == "position" }?.geometry?.coordinates == [end])
        let start = try #require(RouteLine(try Self.route(Self.hike))).layer(at: 0)
        #expect(start.features?.features.contains { $0.id == "travelled" } == false)
    }

    @Test func `a profile has the named points near the line`() throws {
        let panel = try Furniture.ProfilePanel(of: try Self.route(Self.hike))
        #expect(panel.marks.map(\.name) == ["Hut"])
        #expect(panel.marks.first.map { abs($0.distance - 1113.195) < 0.1 } == true)
    }

    @Test(arguments: [
        ("<wpt lat='1' lon='2'><ele>5</ele></wpt>", RouteLine.ProfileError.noLine),
        ("<trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1' lon='3'/></trkseg></trk>", .noElevations),
        (
            "<trk><trkseg><trkpt lat='1' lon='2'><ele>1</ele></trkpt><trkpt lat='1' lon='3'/></trkseg></trk>",
            .noElevations
        ),
    ])
    func `a route without a line or elevations has no profile`(_ text: String, _ reason: RouteLine.ProfileError) throws
    {
        let route = try Self.route(text)
        #expect(throws: reason) { try Furniture.ProfilePanel(of: route) }
    }
}
