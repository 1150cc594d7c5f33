import Foundation
import PortolanGeo
import PortolanRouting
import Testing

@testable import PortolanTransit

@Suite struct TransitRoutesTests {
    var sample: SampleTimetable {
        var sample = SampleTimetable(stops: [(0, 0), (1000, 0), (2000, 0)])
        for time in stride(from: 28_800, through: 32_400, by: 600) {
            sample.trips.append(.init("E\(time)", line: 0, [(0, time), (1, time + 120), (2, time + 240)]))
            sample.trips.append(.init("W\(time)", line: 1, [(2, time), (1, time + 120), (0, time + 240)]))
        }
        return sample
    }

    func routes() throws -> TransitRoutes {
        let date = Date(timeIntervalSince1970: Double(sample.firstDay.daysSince1970 * 86_400 + 28_700))
        return TransitRoutes(
            JourneyPlanner(sample.timetable(), walking: Walking(speed: 1, factor: 1, reach: 300)), departure: date)
    }

    @Test func `each leg starts where and when the previous one ended`() throws {
        let places = [(0.0, 40.0), (2000, 50), (0, 40)].map { SampleTimetable.place($0.0, $0.1) }
        let answer = try routes().route(through: places, mode: .transit)
        // 28,700 to 29,040 and 50 m on foot; then the vehicle of 29,400, there at 29,640, and 40 m.
        #expect(answer.legs.map(\.duration) == [390, 590])
        #expect(
            answer.legs.map { $0.steps.map(\.manoeuvre.kind) }
                == Array(repeating: [.depart, .board, .alight, .arrive], count: 2))
        #expect(answer.legs[0].steps.map(\.duration).reduce(0, +) == 390)
        let stops = sample.timetable().stops.map(\.name)
        #expect(answer.legs[0].steps.map(\.reference) == [nil, stops[0], stops[2], nil])
        #expect(answer.legs[0].steps[0].manoeuvre.bearingAfter != nil)
        #expect(answer.legs[0].path.first == places[0])
        #expect(answer.legs[0].path.last == places[1])
        #expect(abs(answer.legs[0].distance - 2090) < 1)
    }

    @Test func `a matrix has the durations between places`() throws {
        let places = [(0.0, 0.0), (2000, 0)].map { SampleTimetable.place($0.0, $0.1) }
        let matrix = try routes().matrix(of: places, mode: .transit).matrix
        #expect(matrix.duration(from: 0, to: 1) == 340)
        #expect(matrix.duration(from: 1, to: 0) == 340)
    }

    @Test func `other travel modes and places far from stops are refused`() throws {
        let routes = try routes()
        let near = SampleTimetable.place(0, 0), far = SampleTimetable.place(90_000, 0)
        #expect(throws: RoutingError.self) { try routes.route(through: [near, near], mode: .car) }
        #expect(throws: RoutingError.noRoad(place: 1, meters: nil)) {
            try routes.route(through: [near, far], mode: .transit)
        }
    }

    @Test func `a shape is cut to the trip, even if it passes a point twice`() throws {
        // Out along a street and back, then on to the north: the second stop is on the way back.
        let line = [(0.0, 0.0), (1000, 0), (1000, 20), (0, 20), (0, 1000)].map { SampleTimetable.place($0.0, $0.1) }
        let stops = [(900.0, 30.0), (100, 25), (5, 800)].map { SampleTimetable.place($0.0, $0.1) }
        let path = try #require(ShapeCut(line, [SampleTimetable.place(0, 0)] + stops)).path
        #expect(path.count == 5)
        let back = try #require(ShapeCut(line, [stops[0], stops[1]])).path
        let length = zip(back, back.dropFirst()).reduce(0) { $0 + NearMeters.between($1.0, $1.1) }
        #expect(abs(length - 800) < 5)
        #expect(ShapeCut([line[0]], stops) == nil)
    }
}
