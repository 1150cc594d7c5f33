import PortolanGeo
import Testing

@testable import PortolanTransit

/// Suggestions over lines that have stops in order and no timetable, as Q-Bus had them.
@Suite struct RideGuideTests {
    func stop(_ name: String, _ x: Double, _ y: Double) -> RideGuide.Line.Stop {
        RideGuide.Line.Stop(id: name, name: name, place: SampleTimetable.place(x, y))
    }

    var walking: Walking { Walking(speed: 1, factor: 1, reach: 500, changeReach: 200) }

    /// A line to the east and back, another to the north from its fourth stop.
    var lines: [RideGuide.Line] {
        let east = (0..<6).map { stop("E\($0)", Double($0) * 1000, 0) }
        let north = [stop("N0", 3000, 100)] + (1..<4).map { stop("N\($0)", 3000, Double($0) * 1000) }
        return [
            RideGuide.Line(name: "9", headsign: "Kamppi", stops: east, seconds: Array(repeating: 120, count: 5)),
            RideGuide.Line(
                name: "9", headsign: "Harbour", stops: east.reversed(), seconds: Array(repeating: 120, count: 5)),
            RideGuide.Line(name: "N", headsign: "North", mode: .tram, stops: north),
        ]
    }

    @Test func `a suggestion boards a line before it alights`() throws {
        let guide = RideGuide(lines, walking: walking)
        let there = guide.suggestions(from: SampleTimetable.place(0, 200), to: SampleTimetable.place(5000, -120))
        let back = guide.suggestions(from: SampleTimetable.place(5000, -120), to: SampleTimetable.place(0, 200))
        #expect(there.map { RideGuide.Words.english.text($0) } == ["walk 200 m → 9 Kamppi, 5 stops → walk 120 m"])
        #expect(back.map { RideGuide.Words.spanish.text($0) } == ["camina 120 m → 9 Harbour, 5 paradas → camina 200 m"])
        let first = try #require(there.first)
        // The middle of the places lies a little north of the stop: a degree is longer there by less than a millionth.
        #expect(first.seconds == 200 + 5 * 120 + 120)
        #expect(first.rides.map(\.isEstimate) == [false])
    }

    @Test func `changes are suggested only if allowed`() throws {
        let guide = RideGuide(lines, walking: walking)
        let from = SampleTimetable.place(0, 0), to = SampleTimetable.place(3000, 3000)
        #expect(guide.suggestions(from: from, to: to).isEmpty)
        let cards = guide.suggestions(from: from, to: to, maximumTransfers: 1).map { RideGuide.Words.english.text($0) }
        #expect(cards.first == "9 Kamppi, 3 stops → walk 100 m → N North, 3 stops")
    }

    @Test func `times without a timetable are estimated from the distance`() throws {
        let guide = RideGuide(lines, walking: walking)
        let card = try #require(
            guide.suggestions(from: SampleTimetable.place(3000, 100), to: SampleTimetable.place(3000, 3000)).first)
        #expect(card.rides.map(\.isEstimate) == [true])
        // 2,900 m times 1.3 at 5.5 m/s.
        #expect(abs(card.seconds - 685) <= 2)
    }

    @Test func `the best stop of a line is chosen, not the first one near the start`() throws {
        let near = SampleTimetable.place(900, 0)
        let card = try #require(
            RideGuide(lines, walking: walking).suggestions(from: near, to: SampleTimetable.place(4000, 0)).first)
        #expect(RideGuide.Words.english.text(card) == "walk 100 m → 9 Kamppi, 3 stops")
    }

    @Test func `stops without boarding or alighting are not suggested`() {
        var closed = lines
        closed[0].stops[0].boards = false
        closed[0].stops[5].alights = false
        let guide = RideGuide(closed, walking: walking)
        #expect(guide.suggestions(from: SampleTimetable.place(0, 0), to: SampleTimetable.place(4000, 0)).isEmpty)
        #expect(guide.suggestions(from: SampleTimetable.place(1000, 0), to: SampleTimetable.place(5000, 0)).isEmpty)
        #expect(guide.suggestions(from: SampleTimetable.place(1000, 0), to: SampleTimetable.place(4000, 0)).count == 1)
    }

    @Test func `lines from a timetable have travel times`() {
        let sample = SampleTimetable(
            stops: [(0, 0), (1000, 0), (2000, 0)], trips: [.init("a", [(0, 0), (1, 60), (2, 300)])])
        let lines = sample.timetable().orderedLines
        #expect(lines.map(\.seconds) == [[60, 240]])
        #expect(lines.map(\.headsign) == ["Stop 2"])
    }

    @Test(arguments: [
        (4.0, "walk 0 m"), (994, "walk 990 m"), (996, "walk 1 km"), (1234, "walk 1.2 km"), (9960, "walk 10 km"),
    ])
    func `walking distances are rounded for display`(meters: Double, words: String) {
        let suggestion = RideGuide.Suggestion(legs: [.walk(meters: meters, seconds: 1)])
        #expect(RideGuide.Words.english.text(suggestion) == words)
    }
}
