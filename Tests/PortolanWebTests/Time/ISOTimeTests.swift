import PortolanWeb
import Testing

@Suite struct ISOTimeTests {
    @Test(arguments: [
        ("2026-11-23T14:24:00Z", 1_795_443_840.0), ("2026-11-23T16:24:00+02:00", 1_795_443_840),
        ("2026-11-23T16:24:00.250+0200", 1_795_443_840.25), ("2026-11-23 14:24", 1_795_443_840),
        ("1970-01-01T00:00:00", 0), ("1969-12-31T24:00:00Z", 0), ("1970-01-01T00:00:00-01", 3600),
    ])
    func `ISO 8601 times are parsed`(text: String, seconds: Double) {
        #expect(ISOTime.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "2026", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-11-23T25:00:00Z", "2026-11-23T10:00:00Q",
        "2026-11-23T10:00:00+99:00", "99999-01-01T00:00:00Z", "２０２６-11-23T10:00:00Z", "2026-11-23T10:00:00Zx",
    ])
    func `invalid times give nil`(text: String) { #expect(ISOTime.seconds(text) == nil) }

    @Test(arguments: [
        ("PT30S", 30.0), ("-PT30S", -30), ("PT1M30.5S", 90.5), ("P1DT1H", 90_000), ("P1W", 604_800), ("PT0S", 0),
    ])
    func `durations are parsed`(text: String, seconds: Double) {
        #expect(ISOTime.duration(text) == .seconds(seconds))
    }

    @Test(arguments: ["", "P", "PT", "P1M", "P1Y", "PT1.5H", "PT99999999999S", "30", "PTS"])
    func `invalid durations give nil`(text: String) { #expect(ISOTime.duration(text) == nil) }

    @Test(arguments: [("25:15:00", 90_900), ("8:05", 29_100), ("1624", 59_040), ("00:00:59", 59)])
    func `times of a service day are parsed`(text: String, seconds: Int) { #expect(ISOTime.clock(text) == seconds) }

    @Test(arguments: ["", "16:60", "1660", "abc", "16:24:", "-1:00", "999:00"])
    func `invalid times of a day give nil`(text: String) { #expect(ISOTime.clock(text) == nil) }

    @Test func `dates are parsed with and without hyphens`() {
        #expect(ISOTime.day("20261123") == CivilTime.days(year: 2026, month: 11, day: 23))
        #expect(ISOTime.day("2026-11-23") == CivilTime.days(year: 2026, month: 11, day: 23))
        #expect(ISOTime.day("2026-1123") == nil)
        #expect(ISOTime.day("20260231") == nil)
    }

    @Test func `times are formatted in ISO 8601`() {
        #expect(ISOTime.text(1_795_443_840) == "2026-11-23T14:24:00Z")
        #expect(ISOTime.text(-1) == "1969-12-31T23:59:59Z")
        #expect(ISOTime.text(64_092_211_200) == "4001-01-01T00:00:00Z")
        #expect(ISOTime.text(.infinity) == nil)
    }

    @Test(arguments: [
        ("2026-11-23T08:00", 20_780 as Int?, 28_800.0, nil as Int?), ("08:00:30", nil, 28_830, nil),
        ("08:00+02:00", nil, 28_800, 7200), ("2026-11-23 08:00Z", 20_780, 28_800, 0),
    ])
    func `date and zone may be missing`(text: String, day: Int?, time: Double, offset: Int?) {
        let parts = ISOTime.parts(text)
        #expect(parts?.day == day)
        #expect(parts?.time == time)
        #expect(parts?.offset == offset)
    }
}
