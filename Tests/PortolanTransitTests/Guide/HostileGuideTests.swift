import Foundation
import PortolanFetch
import PortolanGeo
import PortolanTransit
import PortolanWeb
import TestHelpers
import Testing

/// Guides and answers of services with changed, lost and repeated bytes: a value or a typed error comes of each.
@Suite struct HostileGuideTests {
    private static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.removeSubrange(place...)
            case 3: bytes.insert(contentsOf: bytes[place...].prefix(60), at: place)
            default: bytes.replaceSubrange(place..<min(place + 4, bytes.count), with: Array("-9e99".utf8))
            }
        }
        return bytes
    }

    @Test(arguments: 0..<8)
    func `corrupted guides are refused or stay consistent`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let kml = try GuideSample.bytes("routes.kml"), list = try GuideSample.bytes("cooperatives.json")
        for _ in 0..<10 {
            let guide: BusGuide
            do throws(BusGuide.ParseError) {
                guide = try BusGuide(
                    kml: Self.mutated(kml, &generator),
                    cooperatives: seed % 2 == 0 ? list : Self.mutated(list, &generator))
            } catch {
                #expect(!"\(error)".isEmpty)
                #expect("\(error)".utf8.allSatisfy { $0 >= 0x20 })
                continue
            }
            for route in guide.routes {
                #expect(
                    route.stops.count == route.measures.count && route.stops.allSatisfy(guide.stops.indices.contains))
                #expect(zip(route.measures, route.measures.dropFirst()).allSatisfy { $0 <= $1 })
            }
            let places = guide.stops.map(\.place)
            if let first = places.first, let last = places.last {
                _ = guide.suggestions(from: first, to: last, maximumTransfers: 1)
                _ = guide.stops(near: first, within: 1e7)
            }
            _ = guide.search("a")
        }
    }

    @Test(arguments: 0..<10)
    func `corrupted OpenTripPlanner responses are read or refused`(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let noon = Date(timeIntervalSince1970: 1_795_427_000), center = OpenTripPlannerAnswers.bogota
        let stops2 = OpenTripPlannerAnswers.stops2([("1:a", 10), ("1:b", 20)], next: "p")
        for _ in 0..<20 {
            for (text, isFirst, isStops) in [
                (OpenTripPlannerAnswers.stops1, true, true), (OpenTripPlannerAnswers.times1, true, false),
                (stops2, false, true), (OpenTripPlannerAnswers.times2, false, false),
            ] {
                let body = String(decoding: Self.mutated(Array(text.utf8), &generator), as: UTF8.self)
                let fetcher = OpenTripPlannerAnswers.fetcher(OpenTripPlannerAnswers.always(body))
                let finder: any StopFinder =
                    isFirst
                    ? OpenTripPlanner1Stops("http://a.example", fetcher: fetcher)
                    : OpenTripPlanner2Stops("http://a.example", fetcher: fetcher)
                do throws(StopFinderError) {
                    if isStops {
                        let found = try await finder.stops(near: center, within: 1000)
                        #expect(found.stops.allSatisfy { $0.meters >= 0 && abs($0.place.y) <= 90 && !$0.id.isEmpty })
                    } else {
                        let arrivals = try await finder.arrivals(at: "1:7", from: noon, limit: 10)
                        #expect(arrivals.allSatisfy { abs($0.time.timeIntervalSince1970) < 2e11 })
                    }
                } catch { #expect(!"\(error)".isEmpty && "\(error)".utf8.allSatisfy { $0 >= 0x20 }) }
            }
        }
    }
}
