import Foundation
import TestHelpers

@testable import PortolanTransit

/// A small feed of two lines, whose files tests replace.
enum FeedSample {
    static let files = SampleFeed.files

    /// The feed with some files replaced; `nil` removes one.
    static func feed(
        _ others: [String: String?] = [:], limits: TransitFeed.Limits = TransitFeed.Limits()
    ) throws -> TransitFeed {
        try TransitFeed(files: bytes(others), limits: limits)
    }

    static func bytes(_ others: [String: String?] = [:]) -> [String: [UInt8]] {
        var files = files
        for (name, text) in others { files[name] = text }
        return files.mapValues { Array($0.utf8) }
    }

    static let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../../Fixtures/helsinki/transit/feed.zip").standardizedFileURL.path

    /// Where feeds lie that are not part of the package: `kuopio-2016-gtfs.zip` and `sample-feed-1.zip`.
    static let folder = ProcessInfo.processInfo.environment["PORTOLAN_GTFS"] ?? ""

    static func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + name) }
}

extension Timetable {
    /// Arrivals and departures of a trip at its stops.
    func stopTimes(of id: String) -> [[Int32]] {
        runs(of: id).first ?? []
    }

    /// Arrivals and departures in turn, of all runs of a trip.
    func runs(of id: String) -> [[[Int32]]] {
        trips.services.indices.filter { trips.ids[$0] == id }.map { trip in
            let pattern = patterns[Int(trips.patterns[trip])]
            return pattern.stops.indices.map { stop in
                let place = timeIndex(trip: trip, stop: stop - pattern.stops.lowerBound, in: pattern)
                return [arrivals[place], departures[place]]
            }
        }
    }

    /// The identifiers of the stops of a trip.
    func stopIDs(of id: String) -> [String] {
        guard let trip = trips.services.indices.first(where: { trips.ids[$0] == id }) else { return [] }
        return patternStops[patterns[Int(trips.patterns[trip])].stops].map { stops[Int($0)].id }
    }
}
