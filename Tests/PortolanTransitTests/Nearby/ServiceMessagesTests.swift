import Foundation
import PortolanTransit
import Testing

@Suite struct ServiceMessagesTests {
    private let now = Date(timeIntervalSince1970: 1_795_427_000)

    private func notice(_ id: String, _ targets: [Disruption.Target], _ title: String = "Closed") -> Disruption {
        var notice = Disruption(id: id)
        notice.targets = targets
        notice.title = ["en": title, "es": "Cerrada"]
        return notice
    }

    @Test func `notices about nearby stops are shown once, and again if they change`() {
        var messages = ServiceMessages()
        let all = [
            notice("a", [.init(stop: "1:7")]), notice("b", [.init(stop: "1:99")]), notice("c", [.init(line: "9")]),
            notice("d", []), notice("e", [.init(line: "9", stop: "1:99")]),
            notice("f", [.init(line: "8", stop: "1:7")]),
            notice("g", [.init(trip: TripReference(trip: "t", line: "9"))]),
            notice("h", [.init(trip: TripReference(trip: "t"))]),
        ]
        let new = messages.new(among: all, stops: ["1:7"], lines: ["9"], at: now, in: ["es-CO"])
        #expect(new.map(\.id) == ["a", "c", "d", "g"])
        #expect(new.first?.stops == ["1:7"])
        #expect(new.first?.title == "Cerrada")
        #expect(messages.new(among: all, stops: ["1:7"], lines: ["9"], at: now, in: ["en"]).isEmpty)
        let changed = [notice("a", [.init(stop: "1:7")], "Open again")]
        #expect(messages.new(among: changed, stops: ["1:7"], at: now, in: ["en"]).map(\.title) == ["Open again"])
        #expect(messages.told.count == 1)
    }

    @Test func `the most severe notices come first, and inactive ones are not shown`() {
        var severe = notice("z", [])
        severe.severity = .severe
        var over = notice("y", [])
        over.periods = [.init(to: now)]
        var messages = ServiceMessages()
        let new = messages.new(among: [notice("a", []), over, severe], stops: [], at: now, in: [])
        #expect(new.map(\.id) == ["z", "a"])
    }
}
