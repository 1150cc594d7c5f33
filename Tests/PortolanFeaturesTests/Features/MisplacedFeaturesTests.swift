import PortolanFormats
import PortolanGeo
import PortolanWeb
import Testing

@testable import PortolanFeatures

/// Coordinates that cannot be degrees.
@Suite struct MisplacedFeaturesTests {
    private func collection(_ places: [(Double, Double)]) -> FeatureCollection {
        FeatureCollection(features: places.map { Feature(geometry: .point(Coordinate(x: $0.0, y: $0.1))) })
    }

    @Test(arguments: [(7.0, 95.0), (7, -999), (-9999, 5), (7, 1e30)])
    func `an out-of-range coordinate removes the geometry of its feature`(x: Double, y: Double) {
        var features = collection([(1, 1), (x, y), (2, 2)])
        features.leaveOutMisplaced(in: .crs84)
        #expect(features.features.map { $0.geometry == nil } == [false, true, false])
        #expect(features.warnings.map(\.effect) == [.omitted])
    }

    @Test func `a rounded pole is clamped to the pole, and metres are kept`() {
        var pole = collection([(1, 1), (2, 90.0000001), (3, -90.0000001)])
        pole.leaveOutMisplaced(in: .crs84)
        #expect(pole.features.map { $0.geometry?.coordinates[0].y } == [1, 90, -90])
        #expect(pole.warnings.isEmpty)
        var meters = collection([(1, 1), (500_000, 600_000), (500_001, 600_000)])
        meters.leaveOutMisplaced(in: .crs84)
        #expect(meters.features.allSatisfy { $0.geometry != nil })
        #expect(meters.warnings.isEmpty)
        var projected = collection([(1, 1), (2, 2), (3, 9000)])
        projected.leaveOutMisplaced(in: .webMercator)
        #expect(projected.features.allSatisfy { $0.geometry != nil })
    }

    @Test func `out-of-range points are left out of a point table`() {
        let table = PointTable(collection([(1, 1), (7, 95), (2, 2)])).leavingOutMisplaced()
        #expect(table.count == 2)
        #expect(table.warnings.map(\.effect) == [.omitted])
    }

    @Test(arguments: [
        (#"{"v":1e400}"#, 1, [MapWarning.Effect.repaired]), (#"{"v":-1e400,"w":[1e999]}"#, 1, [.repaired, .repaired]),
        (#"{"v":NaN}"#, 1, [.repaired]),
    ])
    func `JSON numbers that are too large do not reject the document`(
        properties: String, count: Int, effects: [MapWarning.Effect]
    ) throws {
        let text = #"{"type":"Feature","properties":\#(properties),"geometry":{"type":"Point","coordinates":[1,2]}}"#
        let read = try FeatureFormats.standard.read(Array(text.utf8))
        #expect(read.features.count == count)
        #expect(read.warnings.map(\.effect) == effects)
        #expect(try FeatureFormats.standard.read(GeoJSONWriter.write(read)).warnings.isEmpty)
    }

    @Test(arguments: [
        ("1e400,2", [MapWarning.Effect.omitted]), ("1,-1e400", [.omitted]), ("NaN,NaN", [.repaired]),
        ("Infinity,1", [.omitted]),
    ])
    func `a coordinate that is too large removes its position`(place: String, effects: [MapWarning.Effect]) throws {
        let text =
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[\#(place)]}},{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}]}"#
        let read = try FeatureFormats.standard.read(Array(text.utf8))
        #expect(read.features.count == 2 && read.features[1].geometry == .point(Coordinate(x: 1, y: 2)))
        #expect(read.warnings.map(\.effect) == effects)
    }
}
