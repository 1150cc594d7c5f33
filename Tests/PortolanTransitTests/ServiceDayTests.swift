import Testing

@testable import PortolanTransit

@Suite struct ServiceDayTests {
    @Test(arguments: [
        (1970, 1, 1, 0, 3), (2000, 2, 29, 11_016, 1), (2016, 11, 16, 17_121, 2), (2026, 11, 23, 20_780, 0),
        (1, 1, 1, -719_162, 0),
    ])
    func `days are counted from 1970 and have a weekday`(year: Int, month: Int, day: Int, days: Int, weekday: Int) {
        let made = ServiceDay(year: year, month: month, day: day)
        #expect(made?.daysSince1970 == days)
        #expect(made?.weekday == weekday)
        #expect(made.map { [$0.date.year, $0.date.month, $0.date.day] } == [year, month, day])
    }

    @Test(arguments: [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (0, 1, 1), (2024, 1, 0)])
    func `invalid days are refused`(year: Int, month: Int, day: Int) {
        #expect(ServiceDay(year: year, month: month, day: day) == nil)
    }

    @Test func `a day is written in ISO 8601 format`() {
        #expect(ServiceDay(year: 987, month: 6, day: 5)?.description == "0987-06-05")
    }
}
