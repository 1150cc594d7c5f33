import Foundation
import TestHelpers
import Testing

@testable import PortolanTransit

/// Feeds with bytes that are wrong: each is read or refused, and what is read leads nowhere.
@Suite struct BrokenFeedTests {
    private static let files = FeedSample.bytes([
        "calendar_dates.txt": "service_id,date,exception_type\nweek,20261225,2\nrest,20261225,1\n",
        "frequencies.txt": "trip_id,start_time,end_time,headway_secs,exact_times\nt1,06:00:00,09:00:00,1800,1\n",
        "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nw,60.18,24.92,1\nw,60.17,24.93,2\n",
        "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\ns1,s2,2,180\n",
        "feed_info.txt": "feed_publisher_name,feed_start_date\n\"A \"\"B\"\"\",20260101\n",
    ])

    @Test func `content above the size limit and paths that are not files are refused`() throws {
        let folder = try TemporaryFolder()
        try folder.write([UInt8](repeating: 0, count: 2000), to: "feed.zip")
        let path = folder.path + "/feed.zip", link = folder.path + "/link.zip"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        var limits = TransitFeed.Limits()
        for file in [path, link] {
            limits.byteCount = 1999
            #expect(throws: TransitFeed.ReadError.limitExceeded(file: file, line: 0, what: "exceeds 1999 bytes")) {
                try TransitFeed(at: file, limits: limits)
            }
            limits.byteCount = 2000
            let error = #expect(throws: TransitFeed.ReadError.self) { try TransitFeed(at: file, limits: limits) }
            guard case .archive? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(throws: TransitFeed.ReadError.unreadable(file: "/dev/zero", what: "this is not a regular file")) {
            try TransitFeed(at: "/dev/zero")
        }
    }

    @Test func `a symbolic link to a folder is followed`() throws {
        let folder = try TemporaryFolder()
        try SampleFeed.write(to: folder.path + "/feed")
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/feed")
        #expect(try TransitFeed(at: link).timetable.tripCount == 2)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `corrupted files never cause indices outside the timetable`(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var limits = TransitFeed.Limits()
        limits.frequencyTripCount = 1000
        limits.dayCount = 4000
        let names = Self.files.keys.sorted()
        let bytes: [UInt8] = Array("\",\n\r 09:-.xX\0".utf8) + [0xFF, 0xC3, 0xEF, 0xBB, 0xBF]
        for _ in 0..<150 {
            var files = Self.files
            for _ in 0...Int.random(in: 0..<4, using: &chance) {
                let name = names.randomElement(using: &chance) ?? ""
                var file = files[name] ?? []
                guard !file.isEmpty else { continue }
                let place = Int.random(in: file.indices, using: &chance)
                switch Int.random(in: 0..<5, using: &chance) {
                case 0: file[place] = bytes.randomElement(using: &chance) ?? 0
                case 1: file.insert(bytes.randomElement(using: &chance) ?? 0, at: place)
                case 2: file.remove(at: place)
                case 3: file.removeSubrange(place...)
                default: file += file[place...]
                }
                files[name] = file
            }
            guard let feed = try? TransitFeed(files: files, limits: limits) else { continue }
            #expect(feed.timetable.inconsistency == nil)
            #expect(feed.problems.kept.allSatisfy { $0.line >= 0 && !$0.detail.isEmpty })
            _ = feed.inspected(on: ServiceDay(daysSince1970: 20_780))
        }
    }

    @Test(arguments: ["\u{1B}[2J", "\r\n", "\0", "\u{7F}"])
    func `control characters in a feed do not reach error messages`(odd: String) throws {
        let value = "\"a\(odd)b\""
        let feed = try FeedSample.feed([
            "agency.txt": "agency_name,agency_timezone\nA,\(value)\n",
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,A,\(value),24.9\ns2,B,60,24.9\n",
            "stop_times.txt":
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\(value),8:00:00,\(value),s1,1\n",
        ])
        let words = feed.problems.kept.map(\.description)
        #expect(words.count >= 3)
        #expect(!words.joined().utf8.contains { $0 < 0x20 || $0 == 0x7F })
    }
}
