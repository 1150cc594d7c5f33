import Foundation
import PortolanGeo
import PortolanTransit
import Testing

@testable import PortolanRealtime

/// A report at a second of a test.
func report(
    _ id: String, at seconds: Double, _ longitude: Double? = nil, _ latitude: Double? = nil, line: String? = nil
) -> VehicleReport {
    var report = VehicleReport(id: id, time: Date(timeIntervalSince1970: seconds))
    if let longitude, let latitude { report.place = Coordinate(longitude: longitude, latitude: latitude) }
    report.line = line
    return report
}

func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

@Suite struct FleetTests {
    @Test func `only new or changed vehicles are reported`() {
        var fleet = Fleet()
        let first = fleet.apply(
            .reports([report("a", at: 1, 24.9, 60.1), report("b", at: 1, 24.8, 60.1)]), now: time(1))
        #expect(first.changed.map(\.id) == ["a", "b"])
        let second = fleet.apply(
            .reports([report("a", at: 2, 24.9, 60.1), report("b", at: 2, 24.81, 60.1)]), now: time(2))
        #expect(second.changed.map(\.id) == ["b"])
        #expect(second.heard.map(\.id) == ["a"])
        // The same once more is nothing new.
        #expect(fleet.apply(.reports([report("a", at: 2, 24.9, 60.1)]), now: time(3)).heard.isEmpty)
        #expect(fleet.vehicles["a"]?.time == time(2), "it was heard of, all the same")
    }

    @Test func `reports that go back in time are ignored`() {
        var fleet = Fleet()
        _ = fleet.apply(.reports([report("a", at: 10, 24.9, 60.1)]), now: time(10))
        #expect(fleet.apply(.reports([report("a", at: 9, 24.8, 60.1)]), now: time(11)).isEmpty)
        #expect(fleet.apply(.snapshot([report("b", at: 5)], time: time(12)), now: time(12)).gone == ["a"])
        #expect(fleet.apply(.snapshot([], time: time(11)), now: time(13)).isEmpty)
        #expect(fleet.vehicles.count == 1)
    }

    @Test func `a clock that is ahead does not silence a vehicle`() {
        var fleet = Fleet()
        _ = fleet.apply(.reports([report("a", at: 100_000, 24.9, 60.1)]), now: time(10))
        #expect(fleet.vehicles["a"]?.time == time(10))
        #expect(!fleet.apply(.reports([report("a", at: 11, 24.8, 60.1)]), now: time(11)).isEmpty)
        _ = fleet.apply(.snapshot([], time: time(1e9)), now: time(12))
        #expect(fleet.apply(.snapshot([report("c", at: 99)], time: time(99)), now: time(99)).changed.count == 1)
    }

    @Test func `missing fields keep their last values`() {
        var fleet = Fleet()
        var full = report("a", at: 1, 24.9, 60.1, line: "1009")
        (full.label, full.headsign, full.delay, full.stop, full.mode) = ("9", "Pasila", .seconds(60), "s", .tram)
        _ = fleet.apply(.reports([full]), now: time(1))
        let change = fleet.apply(.reports([report("a", at: 2, 24.9, 60.2)]), now: time(2))
        full.time = time(2)
        full.place = Coordinate(longitude: 24.9, latitude: 60.2)
        full.bearing = 0
        #expect(change.changed == [full])
    }

    @Test func `fields of another trip are not kept`() {
        var fleet = Fleet()
        var before = report("a", at: 1, 24.9, 60.1, line: "1009")
        (before.label, before.headsign, before.delay, before.mode) = ("9", "Pasila", .seconds(60), .tram)
        _ = fleet.apply(.reports([before]), now: time(1))
        _ = fleet.apply(.reports([report("a", at: 2, line: "1004")]), now: time(2))
        let after = fleet.vehicles["a"]
        #expect(after?.line == "1004")
        #expect(after?.label == nil)
        #expect(after?.headsign == nil)
        #expect(after?.delay == nil)
        #expect(after?.mode == .tram)
        #expect(after?.place == before.place)
    }

    @Test(arguments: [
        (24.94, 60.18, 0.0), (24.95, 60.17, 90), (24.94, 60.16, 180), (24.93, 60.17, 270), (24.95, 60.17497, 45),
    ])
    func `a missing bearing is derived from the movement`(longitude: Double, latitude: Double, bearing: Double) {
        var fleet = Fleet()
        _ = fleet.apply(.reports([report("a", at: 1, 24.94, 60.17)]), now: time(1))
        _ = fleet.apply(.reports([report("a", at: 2, longitude, latitude)]), now: time(2))
        #expect(fleet.vehicles["a"]?.bearing.map { abs($0 - bearing) < 0.2 } == true)
        // It stands still: the bearing stays.
        _ = fleet.apply(.reports([report("a", at: 3, longitude, latitude + 1e-6)]), now: time(3))
        #expect(fleet.vehicles["a"]?.bearing.map { abs($0 - bearing) < 0.2 } == true)
    }

    @Test func `bearings hold across the 180th meridian, and reported ones take precedence`() {
        var fleet = Fleet()
        _ = fleet.apply(.reports([report("a", at: 1, 179.999, 10)]), now: time(1))
        _ = fleet.apply(.reports([report("a", at: 2, -179.999, 10)]), now: time(2))
        #expect(fleet.vehicles["a"]?.bearing == 90)
        var told = report("a", at: 3, -179.9, 10)
        told.bearing = 12
        _ = fleet.apply(.reports([told]), now: time(3))
        #expect(fleet.vehicles["a"]?.bearing == 12)
    }

    @Test func `silent vehicles are stale after 90 seconds and forgotten after 15 minutes`() {
        var fleet = Fleet()
        _ = fleet.apply(.reports([report("b", at: 0), report("a", at: 0)]), now: time(0))
        _ = fleet.apply(.reports([report("c", at: 500)]), now: time(500))
        #expect(!fleet.isStale(report("a", at: 0), now: time(90)))
        #expect(fleet.isStale(report("a", at: 0), now: time(91)))
        #expect(fleet.forget(now: time(900)).isEmpty)
        #expect(fleet.forget(now: time(901)).gone == ["a", "b"])
        #expect(fleet.apply(.reports([report("a", at: 0)]), now: time(901)).isEmpty, "it is not taken up again")
    }

    @Test func `vehicles missing in a snapshot are gone, unless they were reported since`() {
        var fleet = Fleet()
        _ = fleet.apply(.reports([report("a", at: 1), report("b", at: 5)]), now: time(5))
        let change = fleet.apply(.snapshot([report("c", at: 2)], time: time(3)), now: time(5))
        #expect(change.gone == ["a"])
        #expect(change.changed.map(\.id) == ["c"])
        #expect(fleet.snapshot.map(\.id) == ["b", "c"])
        #expect(fleet.apply(.gone(["b", "c", "x"], since: time(2)), now: time(6)).gone == ["c"])
    }

    @Test func `no more vehicles than the limit are kept`() {
        var settings = Fleet.Settings()
        settings.vehicleLimit = 10
        var fleet = Fleet(settings: settings)
        _ = fleet.apply(.reports((0..<100).map { report("\($0)", at: 1) }), now: time(1))
        #expect(fleet.vehicles.count == 10)
    }

    @Test func `a vehicle without a delay has that of its trip`() {
        var fleet = Fleet()
        let stops: [TripUpdate.StopTime] = [
            .init(sequence: 1, stop: "s1", arrival: .late(.seconds(30))), .init(sequence: 3, stop: "s3"),
            .init(sequence: 4, stop: "s4", departure: .late(.seconds(90))),
        ]
        let update = TripUpdate(trip: TripReference(trip: "t"), stops: stops, delay: .seconds(5))
        #expect(fleet.apply(.trips([update], time: time(1)), now: time(1)).isOfTrips)
        #expect(fleet.apply(.trips([update], time: time(2)), now: time(2)).isEmpty)
        #expect(fleet.apply(.trips([], time: time(1)), now: time(2)).isEmpty)
        for (stop, delay) in [("s1", 30), ("s3", 30), ("s4", 90), ("elsewhere", 5)] {
            var vehicle = report("a", at: 1)
            (vehicle.trip, vehicle.stop) = (TripReference(trip: "t"), stop)
            #expect(fleet.delay(of: vehicle) == .seconds(delay))
            vehicle.delay = .seconds(-1)
            #expect(fleet.delay(of: vehicle) == .seconds(-1))
        }
        #expect(fleet.delay(of: report("a", at: 1)) == nil)
    }

    @Test func `alerts and states are reported when they change`() {
        var fleet = Fleet()
        let notice = Disruption(id: "1")
        #expect(fleet.apply(.disruptions([notice]), now: time(1)).isOfDisruptions)
        #expect(fleet.apply(.disruptions([notice]), now: time(2)).isEmpty)
        #expect(fleet.apply(.state(.live), now: time(1)).state == .live)
        #expect(fleet.apply(.state(.live), now: time(1)).isEmpty)
    }
}
