import Foundation
import Portolan
import PortolanCity
import PortolanPaint
import PortolanTransit
import Testing

@Suite struct DisruptionNoticeTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static func disruption(
        _ id: String, _ title: [String: String], _ severity: Disruption.Severity = .unknown,
        _ effect: Disruption.Effect = .unknown, from: Double = -60, to: Double = 60
    ) -> Disruption {
        var disruption = Disruption(id: id)
        disruption.title = title
        disruption.severity = severity
        disruption.effect = effect
        disruption.periods = [.init(from: now.addingTimeInterval(from), to: now.addingTimeInterval(to))]
        return disruption
    }

    @Test func `the most severe alert is shown with the number of others`() {
        let notice = Furniture.Notice(
            [
                Self.disruption("1", ["en": "Lift out of order"], .information),
                Self.disruption("2", ["en": "Line 9 is diverted", "fi": "Linja 9 poikkeaa"], .warning),
                Self.disruption("3", ["en": "Line 4 is late"], .warning),
            ], at: Self.now, languages: ["fi-FI", "en"])
        #expect(notice == Furniture.Notice("Linja 9 poikkeaa  (+2)", level: .warning))
    }

    @Test func `past, future and empty alerts are not shown`() {
        let disruptions = [
            Self.disruption("1", ["en": "Over"], from: -60, to: 0), Self.disruption("2", ["en": "Later"], from: 1),
            Self.disruption("3", ["en": ""]),
        ]
        #expect(Furniture.Notice(disruptions, at: Self.now) == nil)
    }

    @Test(arguments: [
        (Disruption.Severity.severe, Disruption.Effect.detour, Furniture.Notice.Level.severe),
        (.unknown, .noService, .severe),
        (.unknown, .detour, .warning), (.information, .noService, .information), (.unknown, .noEffect, .information),
    ])
    func `the level of a notice follows the severity and effect of the alert`(
        severity: Disruption.Severity, effect: Disruption.Effect, level: Furniture.Notice.Level
    ) {
        let disruption = Self.disruption("1", ["": "No trams"], severity, effect)
        #expect(Furniture.Notice([disruption], at: Self.now)?.level == level)
    }
}
