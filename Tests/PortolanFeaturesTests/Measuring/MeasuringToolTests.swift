import PortolanFeatures
import PortolanGeo
import TestHelpers
import Testing

@Suite struct MeasuringToolTests {
    private static let helsinki = Coordinate(x: 24.9414, y: 60.1713), tallinn = Coordinate(x: 24.7453, y: 59.4370)

    private static func tool(_ mode: MeasuringTool.Mode, _ places: [(Double, Double)]) -> MeasuringTool {
        var tool = MeasuringTool(mode)
        for place in places { tool.add(Coordinate(x: place.0, y: place.1)) }
        return tool
    }

    @Test func `the length is the sum of the segments on the ground`() throws {
        var tool = MeasuringTool()
        tool.add(Self.helsinki)
        #expect(tool.meters == 0)
        #expect(tool.text.isEmpty)
        #expect(tool.segments.isEmpty)
        tool.add(Self.tallinn)
        // By GeodSolve.
        #expect(abs(tool.meters - 82_544.647906) < 0.001)
        #expect(tool.text == "82.54 km")
        tool.add(Self.helsinki)
        let segments = tool.segments
        #expect(segments.count == 2 && segments[1].totalMeters == tool.meters)
        #expect(abs(segments[0].meters - segments[1].meters) < MeasuringTolerance.meters)
        #expect(abs(segments[0].bearing - 187.7) < 0.1)
    }

    @Test func `the area does not depend on the winding order`() {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
        // By GeographicLib's planimeter.
        let area = 12_308_778_361.469
        for places in [corners, corners.reversed()] {
            let tool = Self.tool(.area, places)
            #expect(abs(tool.squareMeters - area) < MeasuringTolerance.squareMeters(of: area))
            #expect(tool.text == "12309 km²")
            #expect(abs(tool.meters - 443_770.917) < 0.01 && tool.segments.count == 4)
        }
        // Two places have a distance and no area.
        let two = Self.tool(.area, [(0, 0), (0, 1)])
        #expect(two.squareMeters == 0)
        #expect(two.segments.count == 1)
        #expect(two.text == "111 km")
    }

    @Test func `changes are undone and redone, a drag as one`() {
        var tool = Self.tool(.length, [(0, 0), (1, 0), (2, 0)])
        let before = tool.places
        for x in [1.1, 1.2, 1.3] { tool.move(placeAt: 1, to: Coordinate(x: x, y: 0)) }
        tool.endMove()
        tool.move(placeAt: 1, to: Coordinate(x: 1.4, y: 0))
        tool.undo()
        #expect(tool.places[1].x == 1.3)
        tool.undo()
        #expect(tool.places == before)
        #expect(tool.canRedo)
        tool.redo()
        #expect(tool.places[1].x == 1.3)
        tool.remove(placeAt: 1)
        #expect(tool.places.map(\.x) == [0, 2])
        #expect(!tool.canRedo)
        tool.add(Coordinate(x: 1, y: 1), at: 1)
        tool.removeAll()
        tool.undo()
        #expect(tool.places.map(\.x) == [0, 1, 2])
        while tool.canUndo { tool.undo() }
        #expect(tool.places.isEmpty)
        #expect(tool.meters == 0)
    }

    @Test(arguments: [Coordinate(x: .nan, y: 0), Coordinate(x: 0, y: 90.1), Coordinate(x: .infinity, y: 0)])
    func `positions outside the globe are rejected`(place: Coordinate) {
        var tool = Self.tool(.length, [(0, 0)])
        let before = tool
        #expect(tool.add(place) == false)
        #expect(tool.move(placeAt: 0, to: place) == false)
        #expect(tool.move(placeAt: 1, to: Self.helsinki) == false)
        #expect(tool == before)
    }

    @Test func `the number of positions is limited`() {
        var tool = MeasuringTool()
        for number in 0..<MeasuringTool.maximumPlaceCount { tool.add(Coordinate(x: Double(number) / 100, y: 0)) }
        #expect(tool.add(Self.helsinki) == false)
        #expect(tool.places.count == MeasuringTool.maximumPlaceCount)
    }

    @Test func `features are the shape, its segments and its positions, over the antimeridian too`() throws {
        let features = Self.tool(.length, [(179, 10), (-179, 10)]).features
        #expect(features.map { $0.properties["part"] } == ["shape", "segment", "place", "place"])
        let line = try #require(features.first?.geometry)
        #expect(line.kind == .lineString)
        #expect(line.coordinates.map(\.x) == [179, 181])
        let middle = try #require(features[1].geometry?.coordinates.first)
        #expect(abs(middle.x.magnitude - 180) < 1e-9)
        #expect(middle.y > 10)
        #expect(features[1].properties["measure"] == "219 km" && features[3].properties["number"] == .integer(2))
        let area = Self.tool(.area, [(0, 0), (1, 0), (0, 1)]).features
        #expect(area.first?.geometry?.kind == .polygon)
        #expect(area.count == 1 + 3 + 3)
    }

    @Test(arguments: [
        (0.4, "0 m"), (999.4, "999 m"), (999.6, "1.00 km"), (1_250, "1.25 km"), (123_456, "123 km"),
        (Double.nan, "?"),
    ])
    func `lengths are printed in a suitable unit`(meters: Double, text: String) {
        #expect(MeasuringTool.text(meters: meters).hasPrefix(text))
    }

    @Test(arguments: [(512, "512 m²"), (34_000, "3.40 ha"), (2_500_000, "2.50 km²"), (9.9e11, "990000 km²")])
    func `areas are printed in a suitable unit`(area: Double, text: String) {
        #expect(MeasuringTool.text(squareMeters: area) == text)
    }
}
