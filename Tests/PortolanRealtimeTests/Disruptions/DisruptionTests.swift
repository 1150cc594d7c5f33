import Foundation
import PortolanTransit
import Testing

@testable import PortolanRealtime

@Suite struct PoikkeusinfoReaderTests {
    private func notices(_ text: String? = nil) throws -> [Disruption] {
        let zone = try #require(TimeZone(identifier: "Europe/Helsinki"))
        let bytes = try text.map { Array($0.utf8) } ?? Fixture.bytes("disruptions/notices.xml")
        return try PoikkeusinfoReader(zone: zone).disruptions(bytes)
    }

    @Test func `MT-D3 MT-F11 notices in effect are read with their lines and languages`() throws {
        let notices = try notices()
        #expect(notices.map(\.id) == ["11", "13"], "one is in effect no longer")
        let notice = try #require(notices.first)
        #expect(notice.targets == [.init(line: "1009", direction: 0), .init(line: "65A")])
        #expect(notice.text.count == 3 && Disruption.text(notice.text, in: ["en"]) == "Line 9 is diverted.")
        #expect(notice.periods.first?.from == ISOTime.date("2026-11-23T16:00:00+02:00"))
        #expect(notice.holds(at: try #require(ISOTime.date("2026-11-23T15:59:00Z"))))
        #expect(notices.last?.targets.isEmpty == true && Disruption.text(notices[1].text, in: []) != nil)
    }

    @Test func `MT-D3 times in summer are an hour further from UTC`() throws {
        let text =
            #"<DISRUPTIONS><DISRUPTION><VALIDITY from="2026-07-01T12:00:00" to="2026-07-01T12:00:00+01:00"/></DISRUPTION></DISRUPTIONS>"#
        let period = try #require(try notices(text).first?.periods.first)
        #expect(
            period.from == ISOTime.date("2026-07-01T09:00:00Z") && period.to == ISOTime.date("2026-07-01T11:00:00Z"))
    }

    @Test(arguments: ["", "<a/>", "<DISRUPTIONS>", "{}"]) func `what is no list of notices is an error`(text: String) {
        #expect(throws: FeedFault.self) { try notices(text) }
    }
}

@Suite struct DisruptionHitsTests {
    private func notice(_ targets: Disruption.Target...) -> Disruption {
        var notice = Disruption(id: "1")
        notice.targets = targets
        return notice
    }

    @Test func `MT-F11 a notice hits the lines that it names, in their direction`() {
        let oneWay = notice(.init(line: "9", direction: 0))
        #expect(oneWay.hits(line: "9") && oneWay.hits(line: "9", direction: 0) && !oneWay.hits(line: "9", direction: 1))
        #expect(!oneWay.hits(line: "4") && notice().hits(line: "4"))
        #expect(!notice(.init(line: "9", stop: "s")).hits(line: "9"))
        #expect(!notice(.init(line: "9", trip: TripReference(trip: "t"))).hits(line: "9"))
    }

    @Test func `MT-F11 a notice hits stops, for those who go by its line`() {
        let stop = notice(.init(line: "9", stop: "s"))
        #expect(stop.hits(stop: "s") && stop.hits(stop: "s", lines: ["9"]) && !stop.hits(stop: "s", lines: ["4"]))
        #expect(!stop.hits(stop: "t") && notice(.init(stop: "s")).hits(stop: "s", lines: ["4"]))
    }

    @Test func `a notice hits vehicles by line, trip or stop`() {
        var vehicle = report("a", at: 1, line: "9")
        (vehicle.trip, vehicle.stop) = (TripReference(trip: "t", direction: 1), "s")
        #expect(notice(.init(line: "9")).hits(vehicle) && notice(.init(trip: TripReference(trip: "t"))).hits(vehicle))
        #expect(notice(.init(stop: "s")).hits(vehicle) && !notice(.init(line: "9", direction: 0)).hits(vehicle))
        #expect(!notice(.init(line: "4")).hits(vehicle))
    }

    @Test func `MT-F11 the banner tells what holds now, what matters most first`() throws {
        var nine = notice(.init(line: "1009")), all = notice(), later = notice(), four = notice(.init(line: "1004"))
        (nine.title, nine.severity) = (["en": "Line diverted", "fi": "Poikkeusreitti"], .warning)
        (all.id, all.text, all.severity) = ("2", ["": "Snow"], .severe)
        (later.id, later.periods) = ("3", [.init(from: time(100))])
        (four.id, four.title) = ("4", ["": "Other"])
        let banner = try #require(
            DisruptionBanner(
                of: [nine, all, later, four], at: time(1), lines: ["1009"], names: ["1009": "9"], in: .finnish))
        #expect(banner.ids == ["2", "1"] && banner.severity == .severe)
        #expect(banner.texts == ["Kaikki linjat: Snow", "Linjat 9: Poikkeusreitti"])
        #expect(DisruptionBanner(of: [later], at: time(1), in: .english) == nil)
        #expect(DisruptionBanner(of: [nine], at: time(1), read: ["1"], in: .english) == nil)
    }

    @Test func `a notice about an agency or a mode hits lines of which that is known`() {
        let agency = notice(.init(agency: "HSL")), trams = notice(.init(mode: .tram))
        #expect(
            agency.hits(line: "9", agency: "HSL") && !agency.hits(line: "9", agency: "VR") && !agency.hits(line: "9"))
        #expect(trams.hits(line: "9", mode: .tram) && !trams.hits(line: "9", mode: .bus) && !trams.hits(line: "9"))
        var vehicle = report("a", at: 1, line: "9")
        vehicle.mode = .tram
        #expect(trams.hits(vehicle))
    }

    @Test(arguments: [
        Disruption.Target(agency: "HSL"), .init(trip: TripReference(trip: "t")), .init(mode: .tram), .init(stop: "s"),
    ])
    func `only a notice that names nothing is about all lines`(target: Disruption.Target) {
        var notice = notice(target)
        notice.title = ["": "Late"]
        #expect(DisruptionBanner(of: [notice], at: time(1), in: .english)?.texts == ["Late"])
    }

    @Test func `the mode of a notice of GTFS Realtime is kept`() {
        var alert = RealtimeMessage.Alert(), selector = RealtimeMessage.Selector()
        selector.routeType = 0
        alert.targets = [selector]
        #expect(Disruption(id: "1", alert).targets == [.init(mode: .tram)])
    }
}
