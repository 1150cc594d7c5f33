import Foundation
import PortolanTransit
import Testing

@testable import PortolanRealtime

@Suite struct DisruptionHitsTests {
    private func notice(_ targets: Disruption.Target...) -> Disruption {
        var notice = Disruption(id: "1")
        notice.targets = targets
        return notice
    }

    @Test func `an alert affects the lines that it names, in their direction`() {
        let oneWay = notice(.init(line: "9", direction: 0))
        #expect(oneWay.hits(line: "9"))
        #expect(oneWay.hits(line: "9", direction: 0))
        #expect(!oneWay.hits(line: "9", direction: 1))
        #expect(!oneWay.hits(line: "4"))
        #expect(notice().hits(line: "4"))
        #expect(!notice(.init(line: "9", stop: "s")).hits(line: "9"))
        #expect(!notice(.init(line: "9", trip: TripReference(trip: "t"))).hits(line: "9"))
    }

    @Test func `an alert affects stops, for riders of its line`() {
        let stop = notice(.init(line: "9", stop: "s"))
        #expect(stop.hits(stop: "s"))
        #expect(stop.hits(stop: "s", lines: ["9"]))
        #expect(!stop.hits(stop: "s", lines: ["4"]))
        #expect(!stop.hits(stop: "t"))
        #expect(notice(.init(stop: "s")).hits(stop: "s", lines: ["4"]))
    }

    @Test func `an alert affects vehicles by line, trip or stop`() {
        var vehicle = report("a", at: 1, line: "9")
        (vehicle.trip, vehicle.stop) = (TripReference(trip: "t", direction: 1), "s")
        #expect(notice(.init(line: "9")).hits(vehicle))
        #expect(notice(.init(trip: TripReference(trip: "t"))).hits(vehicle))
        #expect(notice(.init(stop: "s")).hits(vehicle))
        #expect(!notice(.init(line: "9", direction: 0)).hits(vehicle))
        #expect(!notice(.init(line: "4")).hits(vehicle))
    }

    @Test func `the banner shows the current alerts, the most severe first`() throws {
        var nine = notice(.init(line: "1009")), all = notice(), later = notice(), four = notice(.init(line: "1004"))
        (nine.title, nine.severity) = (["en": "Line diverted", "fi": "Poikkeusreitti"], .warning)
        (all.id, all.text, all.severity) = ("2", ["": "Snow"], .severe)
        (later.id, later.periods) = ("3", [.init(from: time(100))])
        (four.id, four.title) = ("4", ["": "Other"])
        let banner = try #require(
            DisruptionBanner(
                of: [nine, all, later, four], at: time(1), lines: ["1009"], names: ["1009": "9"], in: .finnish))
        #expect(banner.ids == ["2", "1"])
        #expect(banner.severity == .severe)
        #expect(banner.texts == ["Kaikki linjat: Snow", "Linjat 9: Poikkeusreitti"])
        #expect(DisruptionBanner(of: [later], at: time(1), in: .english) == nil)
        #expect(DisruptionBanner(of: [nine], at: time(1), read: ["1"], in: .english) == nil)
    }

    @Test func `an alert for an agency or a mode affects lines known to belong to it`() {
        let agency = notice(.init(agency: "HSL")), trams = notice(.init(mode: .tram))
        #expect(
            agency.hits(line: "9", agency: "HSL") && !agency.hits(line: "9", agency: "VR") && !agency.hits(line: "9"))
        #expect(trams.hits(line: "9", mode: .tram))
        #expect(!trams.hits(line: "9", mode: .bus))
        #expect(!trams.hits(line: "9"))
        var vehicle = report("a", at: 1, line: "9")
        vehicle.mode = .tram
        #expect(trams.hits(vehicle))
    }

    @Test(arguments: [
        Disruption.Target(agency: "HSL"), .init(trip: TripReference(trip: "t")), .init(mode: .tram), .init(stop: "s"),
    ])
    func `only an alert without targets is about all lines`(target: Disruption.Target) {
        var notice = notice(target)
        notice.title = ["": "Late"]
        #expect(DisruptionBanner(of: [notice], at: time(1), in: .english)?.texts == ["Late"])
    }

    @Test func `the mode of a GTFS Realtime alert is kept`() {
        var alert = RealtimeMessage.Alert(), selector = RealtimeMessage.Selector()
        selector.routeType = 0
        alert.targets = [selector]
        #expect(Disruption(id: "1", alert).targets == [.init(mode: .tram)])
    }
}
