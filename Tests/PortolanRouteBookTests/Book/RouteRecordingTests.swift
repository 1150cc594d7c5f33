import Foundation
import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanRouteBook
import TestHelpers
import Testing

@Suite struct RouteRecordingTests {
    private let folder: TemporaryFolder
    private var book: RouteBook { RouteBook(folder: folder.path + "/book") }

    init() throws { folder = try TemporaryFolder() }

    /// A walk north with a fix each second, and a pause of five minutes after a number of fixes.
    private static func fixes(_ count: Int, pauseAfter pause: Int = .max) -> [PositionFix] {
        (0..<count).map { number in
            let seconds = 1_767_268_800 + number + (number >= pause ? 300 : 0), step = Double(number)
            let place = Coordinate(x: 24.5, y: 60 + step * 0.0001)
            return PositionFix(
                place: place, time: Date(timeIntervalSince1970: TimeInterval(seconds)), accuracy: 5,
                altitude: 10 + step / 4)
        }
    }

    private var recordings: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: book.folder + "/.recordings")
                .filter { $0.hasSuffix(".gpx") }.map { book.folder + "/.recordings/" + $0 }
        }
    }

    @Test func `a recording becomes a route with segments, altitudes and times`() throws {
        let recording = try book.record(named: "Here & <there>")
        for fix in Self.fixes(25, pauseAfter: 12) { #expect(try recording.add(fix)) }
        // Fixes that are older than the last one, or without a position, are ignored.
        #expect(try !recording.add(Self.fixes(1)[0]))
        let summary = try #require(try recording.finish())
        #expect(summary.name == "Here & <there>")
        #expect(summary.file == "route.gpx")
        let route = try book.route(summary.id), line = try #require(route.collection.features.first)
        #expect(line.geometry?.parts.map(\.count) == [12, 13])
        #expect(line.geometry?.altitudes.first == 10)
        #expect(line.geometry?.altitudes.last == 16)
        #expect(route.facts.elevation?.ascent == 6)
        // 23 steps of 11.14 m; the one across the pause does not count.
        #expect(abs((route.facts.kilometers ?? 0) - 0.2562) < 0.001)
        #expect(abs(recording.track.meters - 256.2) < 0.5)
        #expect(recording.track.fixCount == 25)
        #expect(try recordings.isEmpty)
    }

    @Test func `the file is a complete document after each ten fixes`() throws {
        let recording = try book.record(named: "Walk")
        for (number, fix) in Self.fixes(35).enumerated() {
            try recording.add(fix)
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: try #require(try recordings.first))))
            let read = try GPXFormat().read(bytes, limits: FeatureLimits())
            let count = read.features.first?.geometry?.coordinates.count ?? 0
            #expect(count == (number + 1) / 10 * 10)
        }
    }

    @Test func `each complete point of a truncated recording is recovered`() throws {
        let written = try {
            let recording = try book.record(named: "Cut")
            for fix in Self.fixes(20) { try recording.add(fix) }
            return [UInt8](try Data(contentsOf: URL(filePath: try #require(try recordings.first))))
        }()
        // It has no owner any more, since its process has ended.
        let path = try #require(try recordings.first)
        let ends = Array("</trkpt>\n".utf8)
        for length in stride(from: 0, through: written.count, by: 37) {
            let left = Array(written[..<length])
            try Data(left).write(to: URL(filePath: path))
            let points = left.indices.count { left[$0...].starts(with: ends) }
            let recovered = try book.recoverRecordings()
            if points > 1 {
                let route = try book.route(try #require(recovered.first).id)
                #expect(route.collection.features.first?.geometry?.coordinates.count == points)
                try book.remove(route.summary.id)
            } else {
                #expect(recovered.isEmpty)
            }
            #expect(try recordings.isEmpty)
        }
    }

    @Test func `an active recording is not recovered, and one of a single fix is discarded`() throws {
        let recording = try book.record(named: "Mine")
        for fix in Self.fixes(11) { try recording.add(fix) }
        #expect(try book.recoverRecordings().isEmpty)
        #expect(try recordings.count == 1)
        #expect(try recording.finish() != nil)
        let single = try book.record(named: "One")
        try single.add(Self.fixes(1)[0])
        #expect(try single.finish() == nil)
        #expect(try recordings.isEmpty && book.routes().routes.map(\.name) == ["Mine"])
    }
}
