import Foundation
import PortolanGeo
import PortolanTransit
import Testing

@testable import PortolanRealtime

@Suite struct RealtimeReadingTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_200)

    @Test func `vehicles have a position, a line, a trip and a time`() throws {
        let message = try RealtimeMessage(bytes: Fixture.bytes("gtfs-realtime/vehicle-positions.pb"))
        let report = try #require(message.reports(now: now).first)
        #expect(report.id == "RHKL00201")
        #expect(report.label == "3")
        #expect(report.line == "1003")
        #expect(report.bearing == 87)
        #expect(report.trip?.trip == "1003_0_58897")
        #expect(report.trip?.direction == 0)
        #expect(report.stop == "314039820")
        #expect(report.time == Date(timeIntervalSince1970: 1_795_271_160))
        let place = try #require(report.place)
        // The format has single precision: some decimetres.
        #expect(abs(place.x - 24.942335) < 2e-6)
        #expect(abs(place.y - 60.170414) < 4e-6)
    }

    private func vehicle(_ change: (inout RealtimeMessage.VehiclePosition) -> Void) -> RealtimeMessage {
        var message = RealtimeMessage()
        message.header.timestamp = 1_795_271_160
        var vehicle = RealtimeMessage.VehiclePosition()
        change(&vehicle)
        message.vehicles = [.init(id: "entity", vehicle)]
        return message
    }

    @Test func `a missing time or identifier is taken from the message`() {
        let report = vehicle { _ in }.reports(now: now).first
        #expect(report?.id == "entity")
        #expect(report?.time == Date(timeIntervalSince1970: 1_795_271_160))
        var untimed = vehicle { _ in }
        untimed.header.timestamp = nil
        #expect(untimed.reports(now: now).first?.time == now)
    }

    @Test func `times in milliseconds are recognised`() {
        let report = vehicle { $0.timestamp = 1_795_271_158_500 }.reports(now: now).first
        #expect(report?.time == Date(timeIntervalSince1970: 1_795_271_158.5))
    }

    @Test(arguments: [(Float.nan, Float(24)), (91, 24), (0, 0), (60, .infinity), (60, 181)])
    func `impossible positions are left out`(latitude: Float, longitude: Float) {
        let message = vehicle { $0.position = .init(latitude: latitude, longitude: longitude) }
        #expect(message.reports(now: now).first?.place == nil)
    }

    @Test(arguments: [(Float(360), 0.0 as Double?), (-90, 270), (.nan, nil), (725, 5)])
    func `bearings are normalised to a full turn`(bearing: Float, expected: Double?) {
        let message = vehicle { vehicle in
            vehicle.position = .init(latitude: 60, longitude: 24)
            vehicle.position?.bearing = bearing
        }
        #expect(message.reports(now: now).first?.bearing == expected)
    }

    @Test func `trip updates have their changes by stop`() throws {
        let message = try RealtimeMessage(bytes: Fixture.bytes("gtfs-realtime/trip-updates.pb"))
        let update = try #require(message.updates.first)
        #expect(update.trip == TripReference(trip: "1003_0_58897", line: "1003"))
        #expect(
            update.stops == [
                .init(sequence: 5, stop: "314039820", arrival: .late(.seconds(60)), departure: .late(.seconds(60)))
            ])
    }

    @Test func `a copied trip differs from its original`() throws {
        let message = try RealtimeMessage(bytes: Fixture.bytes("gtfs-realtime/every-field.pb"))
        let update = try #require(message.updates.first)
        #expect(update.change == .added)
        #expect(update.trip.trip == "trip-2")
        #expect(update.trip.start == 600)
        #expect(update.trip.day == ServiceDay(year: 2026, month: 11, day: 24))
        #expect(update.stops.map(\.change) == [.scheduled, .skipped, .unknown, .scheduled])
        // A time of no moment gives way to how late it is.
        #expect(update.stops.first?.arrival == .late(.seconds(-2_147_483_648)))
    }

    @Test func `trips that do not run are cancelled, stops without data unknown`() {
        var message = RealtimeMessage()
        for (relationship, change) in [
            (RealtimeMessage.TripDescriptor.Relationship.canceled, TripUpdate.Change.canceled), (.deleted, .canceled),
            (.new, .added), (.unscheduled, .scheduled), (.replacement, .scheduled),
        ] {
            var update = RealtimeMessage.TripUpdate()
            update.trip = .init()
            update.trip?.relationship = relationship
            message.trips = [.init(id: "1", update)]
            #expect(message.updates.first?.change == change)
        }
    }

    @Test func `alerts have targets, periods and texts`() throws {
        let message = try RealtimeMessage(bytes: Fixture.bytes("gtfs-realtime/service-alerts.pb"))
        let disruption = try #require(message.disruptions.first)
        #expect(disruption.targets == [.init(line: "1009")])
        #expect(disruption.effect == .detour)
        #expect(disruption.cause == "CONSTRUCTION")
        #expect(disruption.holds(at: Date(timeIntervalSince1970: 1_795_271_160)))
        #expect(!disruption.holds(at: Date(timeIntervalSince1970: 1_795_274_760)))
        #expect(Disruption.text(disruption.title, in: ["fi-FI"]) == "Linja 9 poikkeusreitillä")
        #expect(Disruption.text(disruption.title, in: ["fr"]) == "Line 9 diverted")
    }

    @Test func `reports, trips and alerts survive writing and reading`() throws {
        let time = Date(timeIntervalSince1970: 1_795_271_160)
        var report = VehicleReport(id: "1", time: time, place: Coordinate(longitude: 24.9375, latitude: 60.25))
        (report.line, report.label, report.bearing, report.speed, report.stop) = ("1009", "9", 45, 5.5, "s")
        report.trip = TripReference(
            trip: "t", line: "1009", direction: 1, day: ServiceDay(year: 2026, month: 11, day: 23), start: 90_900)
        let update = TripUpdate(
            trip: TripReference(trip: "t"), change: .canceled,
            stops: [.init(sequence: 1, change: .skipped), .init(stop: "s", arrival: .at(time))], delay: .seconds(-30),
            vehicle: "1", time: time)
        var notice = Disruption(id: "n")
        notice.periods = [.init(from: time)]
        notice.targets = [.init(line: "1009", direction: 1, trip: TripReference(line: "1009"))]
        (notice.title, notice.cause, notice.effect, notice.severity) = (
            ["": "a", "fi": "b"], "STRIKE", .other, .severe
        )
        let sent = RealtimeMessage(vehicles: [report], trips: [update], disruptions: [notice], time: time)
        let read = try RealtimeMessage(bytes: sent.bytes)
        #expect(read.reports(now: now) == [report])
        #expect(read.updates == [update])
        notice.id = "alert-n"
        #expect(read.disruptions == [notice])
    }
}
