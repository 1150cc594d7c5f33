import Foundation
import PortolanGeo
import PortolanTransit
import PortolanZip

extension FuzzKind {
    /// Feeds of GTFS Schedule: archives, and texts in which each file follows a line "== NAME", whose rows no checksum guards.
    static let gtfs = FuzzKind(
        name: "gtfs", grammar: .words, corpus: ["Tests/Fuzz/Corpus/gtfs/*"], largest: 1 << 14,
        memory: Bound(any: 8 << 20, each: 2000), time: Bound(any: 200_000_000, each: 100_000), read: readFeed)

    /// Snapshots of timetables, as they are and with the length and the checksum that they should have.
    static let timetableSnapshot = FuzzKind(
        name: "timetable-snapshot", grammar: .words, corpus: ["Tests/Fuzz/Corpus/timetable-snapshot/*"],
        largest: 1 << 14, memory: Bound(any: 8 << 20, each: 2000), time: Bound(any: 200_000_000, each: 100_000),
        read: readSnapshot)

    /// Guides of routes and stops in KML; what follows the document is the list of cooperatives.
    static let guide = FuzzKind(
        name: "guide", grammar: .xml, corpus: ["Tests/Fuzz/Corpus/guide/*"], largest: 1 << 15,
        memory: Bound(any: 4 << 20, each: 1000), time: Bound(any: 100_000_000, each: 100_000), read: readGuide)

    /// A Monday of the feeds, and noon of it.
    private static let today = ServiceDay(daysSince1970: 20_780)
    private static let noon = Date(timeIntervalSince1970: 1_795_428_000)
    private static let town = Coordinate(x: 24.93, y: 60.17)

    private static func readFeed(_ bytes: [UInt8]) throws -> Outcome {
        // Usual limits are those of whole countries: here they are such that what one byte asks for can be paid.
        var limits = TransitFeed.Limits()
        limits.byteCount = 1 << 20
        limits.frequencyTripCount = 1000
        limits.stopTimeCount = 10_000
        limits.serviceDayCount = 1 << 22
        let feed: TransitFeed
        do throws(TransitFeed.ReadError) {
            feed =
                bytes.starts(with: "PK".utf8)
                ? try TransitFeed(archive: bytes, name: "a.zip", limits: limits)
                : try TransitFeed(files: files(bytes), limits: limits)
        } catch { return try refused(error.description) }
        for problem in feed.problems.kept.prefix(20) {
            guard problem.line >= 0 else { throw Violation("a problem at line \(problem.line)") }
            _ = try refused(problem.description)
        }
        for problem in feed.inspected(on: today).kept.prefix(20) { _ = try refused(problem.description) }
        let again: Timetable
        do throws(Timetable.SnapshotError) {
            again = try Timetable.Snapshot(Timetable.Snapshot(feed.timetable).bytes).timetable
        } catch { throw Violation("a snapshot that cannot be read again: \(error)") }
        guard again == feed.timetable else { throw Violation("a snapshot is not what it was made of") }
        return .value("\(try ride(feed.timetable)) \(magnitude(feed.problems.count))")
    }

    private static func files(_ bytes: [UInt8]) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:], name: String?
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.starts(with: "== ".utf8) {
                name = String(decoding: line.dropFirst(3), as: UTF8.self)
            } else if let name {
                files[name, default: []] += line + [0x0A]
            }
        }
        return files
    }

    private static func readSnapshot(_ bytes: [UInt8]) throws -> Outcome {
        var words = "", mended = bytes
        let head = 24
        if bytes.count >= head {
            let sum = CRC32.checksum(of: bytes.dropFirst(head)), length = UInt64(bytes.count - head)
            for place in 0..<4 { mended[12 + place] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * place)) }
            for place in 0..<8 { mended[16 + place] = UInt8(truncatingIfNeeded: length >> UInt64(8 * place)) }
        }
        for file in [bytes, mended] {
            let snapshot: Timetable.Snapshot?
            do throws(Timetable.SnapshotError) { snapshot = try Timetable.Snapshot(file, name: "a") } catch {
                words += try refused(error.description).signature
                snapshot = nil
            }
            guard let snapshot else { continue }
            words += try ride(snapshot.timetable)
            guard (try? Timetable.Snapshot(snapshot.bytes))?.bytes == snapshot.bytes else {
                throw Violation("a snapshot that is written otherwise than it was read")
            }
        }
        return .value(words)
    }

    /// Asks a timetable for all that there is: nothing of it may lead beyond it.
    private static func ride(_ timetable: Timetable) throws -> String {
        let board = StopBoard(timetable), search = TransitSearch(timetable)
        _ = (search.matches("a"), board.stops(near: town, within: 2000))
        var words = "\(magnitude(timetable.stops.count)) \(magnitude(timetable.tripCount)) "
        for line in timetable.lines.indices.prefix(3) { _ = timetable.courses(ofLine: line) }
        for stop in timetable.stops.indices.prefix(3) {
            let calls = board.departures(from: stop, after: noon, within: 86_400, limit: 20)
            _ = (board.arrivals(at: stop, after: noon), board.lines(atStop: stop), timetable.timeZone(ofStop: stop))
            for call in calls where !call.scheduled.timeIntervalSince1970.isFinite {
                throw Violation("a departure at no time")
            }
            words += calls.isEmpty ? "-" : "d"
        }
        let planner = JourneyPlanner(timetable)
        let last = max(0, timetable.stops.count - 1)
        for time in [JourneyPlanner.Query.Time.departing(noon), .arriving(noon + 46_800)] {
            let journeys: [Journey]
            do throws(JourneyPlanner.QueryError) {
                journeys = try planner.journeys(JourneyPlanner.Query(from: .stop(0), to: .stop(last), time: time))
            } catch {
                words += try refused(error.description).signature.prefix(12)
                continue
            }
            for journey in journeys where journey.arrival < journey.departure {
                throw Violation("a journey that ends before it begins: \(journey)")
            }
            words += "j\(journeys.count)"
        }
        do throws(JourneyPlanner.QueryError) {
            _ = try planner.profile(
                JourneyPlanner.Query(from: .stop(0), to: .stop(last), time: .departing(noon)), seconds: 3600)
            _ = try planner.reach(from: .stop(0), at: noon, within: 1800).areas(within: [600], cell: 200)
        } catch { words += try refused(error.description).signature.prefix(12) }
        return words
    }

    private static func readGuide(_ bytes: [UInt8]) throws -> Outcome {
        var kml = bytes, list: [UInt8]?
        if let end = bytes.firstRange(of: Array("</kml>".utf8))?.upperBound, end < bytes.count {
            (kml, list) = (Array(bytes[..<end]), Array(bytes[end...]))
        }
        let guide: BusGuide
        do throws(BusGuide.ParseError) { guide = try BusGuide(kml: kml, cooperatives: list) } catch {
            return try refused(error.description)
        }
        for problem in guide.problems { _ = try refused(problem) }
        for route in guide.routes {
            guard route.length > 0, route.length < .infinity, route.stops.count == route.measures.count,
                zip(route.measures, route.measures.dropFirst()).allSatisfy({ $0 <= $1 })
            else { throw Violation("a route that goes nowhere: \(route.id)") }
        }
        for stop in guide.stops.indices.prefix(20) {
            guard guide.stop(id: guide.stops[stop].id) == stop else { throw Violation("a stop that is not found") }
            _ = guide.routes(at: stop)
        }
        let found = guide.search("a"), near = guide.stops(near: town, within: 1000)
        let rides = guide.suggestions(
            from: guide.stops.first?.place ?? town, to: guide.stops.last?.place ?? town, maximumTransfers: 1)
        guard rides.allSatisfy({ $0.seconds >= 0 }) else { throw Violation("a ride of less than no time") }
        return .value(
            "\(magnitude(guide.routes.count)) \(magnitude(guide.stops.count)) \(magnitude(guide.cooperatives.count)) "
                + "\(magnitude(found.count)) \(magnitude(near.count)) \(magnitude(rides.count))")
    }
}
