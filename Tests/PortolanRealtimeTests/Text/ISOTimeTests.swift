import Foundation
import PortolanTransit
import Testing

@testable import PortolanRealtime

@Suite struct ISOTimeTests {
    @Test(arguments: [
        ("2026-11-23T14:24:00Z", 1_795_443_840.0), ("2026-11-23T16:24:00+02:00", 1_795_443_840),
        ("2026-11-23T16:24:00.250+0200", 1_795_443_840.25), ("2026-11-23 14:24", 1_795_443_840),
        ("1970-01-01T00:00:00", 0), ("1969-12-31T24:00:00Z", 0), ("1970-01-01T00:00:00-01", 3600),
    ])
    func `moments are read`(text: String, seconds: Double) {
        #expect(ISOTime.date(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "", "2026", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-11-23T25:00:00Z", "2026-11-23T10:00:00Q",
        "2026-11-23T10:00:00+99:00", "99999-01-01T00:00:00Z", "２０２６-11-23T10:00:00Z", "2026-11-23T10:00:00Zx",
    ])
    func `what is no moment is none`(text: String) { #expect(ISOTime.date(text) == nil) }

    @Test(arguments: [
        ("PT30S", 30.0), ("-PT30S", -30), ("PT1M30.5S", 90.5), ("P1DT1H", 90_000), ("P1W", 604_800), ("PT0S", 0),
    ])
    func `lengths of time are read`(text: String, seconds: Double) {
        #expect(ISOTime.duration(text) == .seconds(seconds))
    }

    @Test(arguments: ["", "P", "PT", "P1M", "P1Y", "PT1.5H", "PT99999999999S", "30", "PTS"])
    func `what is no length of time is none`(text: String) { #expect(ISOTime.duration(text) == nil) }

    @Test(arguments: [("25:15:00", 90_900), ("8:05", 29_100), ("1624", 59_040), ("00:00:59", 59)])
    func `times of a service day are read`(text: String, seconds: Int) { #expect(ISOTime.clock(text) == seconds) }

    @Test(arguments: ["", "16:60", "1660", "abc", "16:24:", "-1:00", "999:00"])
    func `what is no time of a day is none`(text: String) { #expect(ISOTime.clock(text) == nil) }

    @Test func `days are read with and without marks`() {
        #expect(ISOTime.day("20261123") == ServiceDay(year: 2026, month: 11, day: 23))
        #expect(ISOTime.day("2026-11-23") == ServiceDay(year: 2026, month: 11, day: 23))
        #expect(ISOTime.day("2026-1123") == nil)
        #expect(ISOTime.day("20260231") == nil)
    }

    @Test func `moments are written as they are read`() {
        #expect(ISOTime.text(Date(timeIntervalSince1970: 1_795_443_840)) == "2026-11-23T14:24:00Z")
        #expect(ISOTime.text(Date(timeIntervalSince1970: -1)) == "1969-12-31T23:59:59Z")
        #expect(ISOTime.text(.distantFuture) == "4001-01-01T00:00:00Z")
        #expect(ISOTime.text(Date(timeIntervalSince1970: .infinity)) == nil)
    }

    @Test(arguments: [
        ("1.5", 1.5 as Double?), (" -7 ", -7), ("1e3", 1000), ("nan", nil), ("inf", nil), ("0x10", nil), ("1,5", nil),
        ("", nil), ("1e999", nil),
    ])
    func `numbers are plain`(text: String, number: Double?) { #expect(PlainNumber.double(text) == number) }
}
