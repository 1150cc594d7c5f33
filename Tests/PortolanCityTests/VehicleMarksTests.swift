import Foundation
import Portolan
import PortolanCity
import PortolanGeo
import PortolanRealtime
import PortolanTransit
import Testing

@Suite struct VehicleMarksTests {
    static let noon = Date(timeIntervalSince1970: 1_795_271_160)

    static func report(_ change: (inout VehicleReport) -> Void = { _ in }) -> VehicleReport {
        var report = VehicleReport(id: "RHKL00201", time: noon, place: Coordinate(x: 24.941, y: 60.168))
        report.line = "1009"
        change(&report)
        return report
    }

    static var marks: VehicleMarks {
        var marks = VehicleMarks()
        marks.lines = ["1009": Timetable.Line(id: "1009", shortName: "9", mode: .tram)]
        return marks
    }

    @Test func `a vehicle has the symbol of its mode and the name of its line`() throws {
        let object = try #require(Self.marks.object(of: Self.report { $0.bearing = 323 }))
        #expect(object.kind == "tram")
        #expect(object.label == "9")
        #expect(object.shape == "1009")
        #expect(object.fix.course == 323)
        #expect(object.fix.place == Coordinate(x: 24.941, y: 60.168))
    }

    @Test func `the mode and label of a report override those of the line`() throws {
        let object = try #require(
            Self.marks.object(
                of: Self.report {
                    $0.label = "9B"; $0.mode = .bus
                }))
        #expect(object.kind == "bus")
        #expect(object.label == "9B")
    }

    @Test(arguments: [(30, ""), (61, " +1"), (200, " +3"), (-130, " −2"), (-20, ""), (100_000, "")])
    func `delays of a minute and more are shown in minutes`(seconds: Int, text: String) throws {
        let object = try #require(Self.marks.object(of: Self.report { $0.delay = .seconds(seconds) }))
        #expect(object.properties["late"] == .string(text))
        #expect(object.properties["delay"] == .number(Double(seconds)))
    }

    @Test func `a delay from a trip update is shown at its vehicle`() throws {
        var report = Self.report(), fleet = Fleet()
        report.trip = TripReference(trip: "t1")
        _ = fleet.apply(.snapshot([report], time: Self.noon), now: Self.noon)
        let update = TripUpdate(trip: TripReference(trip: "t1"), delay: .seconds(150))
        let change = fleet.apply(.trips([update], time: Self.noon), now: Self.noon)
        let updates = Self.marks.updates(of: change, in: fleet, at: Self.noon)
        guard case .upsert(let object)? = updates.first else { throw CancellationError() }
        #expect(object.properties["late"] == .string(" +3"))
        #expect(updates.count == 1)
    }

    @Test func `a vehicle without a position is not drawn`() {
        #expect(Self.marks.updates(of: [Self.report { $0.place = nil }]).isEmpty)
    }

    @Test func `a vehicle of an unknown line is labelled with the line identifier`() throws {
        let object = try #require(VehicleMarks().object(of: Self.report()))
        #expect(object.kind == "other")
        #expect(object.label == "1009")
    }
}
