import Foundation
import PortolanFeatures
import PortolanGeo
import Testing

@testable import PortolanTransit

@Suite struct IsochroneTests {
    static func area(_ geometry: Geometry) -> Double { (try? GroundMeasure(geometry).area) ?? 0 }

    @Test(arguments: [50.0, 200, 1000, 5000])
    func `the outline of one disc has its area`(radius: Double) {
        let union = DiscUnion([.init(center: SampleTimetable.place(0, 0), radius: radius)], cell: 25)
        #expect(union.geometry.polygons.count == 1)
        #expect(abs(Self.area(union.geometry) / (.pi * radius * radius) - 1) < (radius < 100 ? 0.06 : 0.005))
    }

    @Test func `overlapping discs are merged`() {
        // Two of 1,000 m whose middles are 1,000 m apart.
        let union = DiscUnion(
            [0.0, 1000].map { .init(center: SampleTimetable.place($0, 0), radius: 1000) }, cell: 20)
        let lens = 2.0 * 1e6 * Double.pi / 3 - 1e6 * 3.0.squareRoot() / 2
        #expect(abs(Self.area(union.geometry) / (2e6 * .pi - lens) - 1) < 0.002)
        #expect(union.geometry.polygons.map(\.count) == [1])
    }

    @Test func `holes and islands inside them are kept`() {
        var discs = (0..<24).map { number -> DiscUnion.Disc in
            let angle = Double(number) / 12 * .pi
            return .init(center: SampleTimetable.place(2000 * cos(angle), 2000 * sin(angle)), radius: 600)
        }
        let ring = DiscUnion(discs, cell: 25).geometry
        #expect(ring.polygons.map(\.count) == [2])
        discs.append(.init(center: SampleTimetable.place(0, 0), radius: 300))
        discs.append(.init(center: SampleTimetable.place(9000, 0), radius: 300))
        let islands = DiscUnion(discs, cell: 25).geometry
        #expect(islands.polygons.map(\.count) == [2, 1, 1])
        #expect(abs(Self.area(islands) - Self.area(ring) - 2 * .pi * 300 * 300) < 3000)
    }

    @Test func `no discs give an empty geometry`() {
        #expect(DiscUnion([], cell: 25).geometry.isEmpty)
    }

    @Test func `huge areas use wider cells instead of more cells`() {
        let discs = [0.0, 900_000].map { DiscUnion.Disc(center: SampleTimetable.place($0, 0), radius: 20_000) }
        #expect(DiscUnion(discs, cell: 5).geometry.polygons.count == 2)
    }

    @Test func `the reachable area includes walking on from each stop`() throws {
        let sample = SampleTimetable(
            stops: [(0, 0), (5000, 0), (5200, 0)], trips: [.init("a", [(0, 28_800), (1, 29_100)])])
        let walking = Walking(speed: 1, factor: 1, reach: 1000, changeReach: 300)
        let planner = JourneyPlanner(sample.timetable(), walking: walking)
        let date = Date(timeIntervalSince1970: Double(sample.firstDay.daysSince1970 * 86_400 + 28_740))
        let reach = try planner.reach(from: .place(SampleTimetable.place(0, 30)), at: date, within: 900)
        #expect(reach.stops.map(\.stop) == [0, 1, 2])
        #expect(reach.stops.map(\.seconds) == [30, 360, 560])
        let areas = reach.areas(within: [300, 660])
        #expect(areas.features.map { $0.properties["seconds"]?.integerValue } == [660, 300])
        // 660 m around the start, 300 m around the stop; then 300 m around the start.
        let sizes = areas.features.map { $0.geometry.map(Self.area) ?? 0 }
        #expect(abs(sizes[0] / (.pi * (660.0 * 660 + 300 * 300)) - 1) < 0.005)
        #expect(abs(sizes[1] / (.pi * 300 * 300) - 1) < 0.005)
        #expect(!GeoJSONWriter.write(areas).isEmpty)
    }
}
