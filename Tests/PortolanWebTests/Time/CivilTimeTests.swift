import Foundation
import Testing

@testable import PortolanWeb

@Suite struct CivilTimeTests {
    /// Each day of leap years and turns of centuries, by the calendar of Foundation.
    @Test(arguments: [1600, 1899, 1900, 1970, 2000, 2024, 2100, 9999])
    func `day numbers and dates agree with the Gregorian calendar`(year: Int) throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let first = try #require(calendar.date(from: DateComponents(year: year, month: 1, day: 1)))
        for day in 0..<366 {
            let date = first.addingTimeInterval(Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            guard let month = parts.month, let dayOfMonth = parts.day, let of = parts.year else { continue }
            let number = Int(date.timeIntervalSince1970 / 86_400)
            #expect(CivilTime.days(year: of, month: month, day: dayOfMonth) == number)
            #expect(CivilTime.date(number) == (of, month, dayOfMonth))
        }
        for month in 1...12 {
            let count = CivilTime.dayCount(ofMonth: month, year: year)
            let next = CivilTime.days(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
            #expect(CivilTime.days(year: year, month: month, day: count) + 1 == next)
        }
    }

    @Test(arguments: [(-719_162, 1, 1, 1), (-719_528, 0, 1, 1), (-719_529, -1, 12, 31), (2_932_896, 9999, 12, 31)])
    func `dates far in the past or future are converted to day numbers and back`(
        day: Int, year: Int, month: Int, dayOfMonth: Int
    ) {
        #expect(CivilTime.date(day) == (year, month, dayOfMonth))
        #expect(CivilTime.days(year: year, month: month, day: dayOfMonth) == day)
    }
}
