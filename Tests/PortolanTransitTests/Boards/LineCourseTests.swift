import PortolanGeo
import Testing

@testable import PortolanTransit

@Suite struct LineCourseTests {
    @Test func `a line without a shape goes from stop to stop`() throws {
        let courses = try FeedSample.feed().timetable.courses(ofLine: 0)
        let course = try #require(courses.first)
        #expect(courses.count == 1)
        #expect(course.stops == [0, 1, 2])
        #expect(course.tripCount == 2)
        #expect(course.direction == 0)
        #expect(course.headsign == "Hakaniemi")
        #expect(!course.isShaped)
        #expect(course.path.count == 3)
        #expect(course.path[1] == Coordinate(x: 24.931, y: 60.169))
    }

    @Test func `courses of a synthetic feed have its shapes and trip counts`() throws {
        let timetable = try TransitFeed(at: FeedSample.fixture).timetable
        for line in timetable.lines.indices {
            let courses = timetable.courses(ofLine: line)
            #expect(!courses.isEmpty)
            #expect(courses.allSatisfy { $0.isShaped && $0.stops.count > 1 })
            #expect(
                courses.reduce(0) { $0 + $1.tripCount }
                    == timetable.patterns.filter { Int($0.line) == line }.reduce(0) { $0 + $1.trips.count })
        }
    }
}

@Suite struct TransitSearchTests {
    @Test(arguments: [
        ("toolo", [TransitSearch.Match.line(0), .stop(0)]), ("TÖÖLÖ", [.line(0), .stop(0)]), ("kam", [.stop(1)]),
        ("s3", [.stop(2)]), ("9", [.line(0)]), ("sornainen", [.stop(3)]), ("", []), ("xyz", []),
        ("hakaniemi", [.stop(2), .line(0)]),
    ])
    func `search ignores accents and case`(text: String, expected: [TransitSearch.Match]) throws {
        let found = TransitSearch(try FeedSample.feed().timetable).matches(text)
        #expect(Set(found) == Set(expected) && found.count == expected.count, "\(found)")
        if text == "hakaniemi" { #expect(found == expected) }
    }
}
