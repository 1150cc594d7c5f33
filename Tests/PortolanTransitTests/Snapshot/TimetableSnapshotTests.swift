import Foundation
import TestHelpers
import Testing

@testable import PortolanTransit

@Suite struct TimetableSnapshotTests {
    /// A timetable with something of everything.
    private static func full() throws -> Timetable {
        try FeedSample.feed([
            "feed_info.txt":
                "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date\nCity,https://c.example,fi,20260101\n",
            "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\ns1,s2,2,180\ns2,s1,3,\n",
            "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nv,1,2,2\nw,5,6,1\nw,7,8.125,9\n",
            "trips.txt":
                "route_id,service_id,trip_id,trip_headsign,direction_id,shape_id,block_id\nr9,week,t1,Hakaniemi,0,w,b\nr9,rest,t2,,,,\n",
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt2,6:00:00,8:00:00,1800\n",
            "stops.txt":
                "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,a,60,24,,S\ns2,b,60.1,24.1,,\ns3,c,,,,\nS,d,60,24,1,\n",
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type
            t1,08:00:00,08:00:00,s1,10,,
            t1,08:10:00,08:11:00,s2,20,elsewhere,1
            t1,08:20:00,08:20:00,s3,30,,
            t2,09:00:00,09:00:00,s1,1,,
            t2,09:20:00,09:20:00,s3,3,,

            """,
        ]).timetable
    }

    @Test func `a timetable is unchanged after writing and reading`() throws {
        let timetable = try Self.full()
        var source = Timetable.Snapshot.Source()
        source.entityTag = "\"a1\""
        source.lastModified = "Mon, 23 Nov 2026 08:00:00 GMT"
        source.url = "https://city.example/gtfs.zip"
        (source.problemCount, source.lossCount) = (3, 2)
        let bytes = Timetable.Snapshot(timetable, source: source).bytes
        let back = try Timetable.Snapshot(bytes)
        #expect(back.source == source)
        #expect(back.timetable == timetable)
        #expect(back.bytes == bytes)
        #expect(!timetable.stopHeadsigns.isEmpty)
        #expect(timetable.trips.headways.contains(1800))
        let empty = try Timetable.Snapshot(Timetable.Snapshot(Timetable()).bytes)
        #expect(empty.timetable == Timetable())
    }

    @Test func `a synthetic feed of Helsinki is unchanged after writing to and reading from a file`() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/helsinki.timetable"
        let timetable = try TransitFeed(at: FeedSample.fixture).timetable
        try Timetable.Snapshot(timetable).write(to: path)
        #expect(try Timetable.Snapshot(at: path).timetable == timetable)
        #expect(folder.files == ["helsinki.timetable"])
        #expect(throws: Timetable.SnapshotError.unreadable(file: path + "x")) { try Timetable.Snapshot(at: path + "x") }
        #expect(throws: Timetable.SnapshotError.unwritable(file: folder.path + "/no/x")) {
            try Timetable.Snapshot(timetable).write(to: folder.path + "/no/x")
        }
    }

    @Test func `foreign files, other versions and truncated files are refused`() throws {
        let bytes = Timetable.Snapshot(try Self.full()).bytes
        #expect(throws: Timetable.SnapshotError.foreign(file: "a")) { try Timetable.Snapshot([], name: "a") }
        #expect(throws: Timetable.SnapshotError.foreign(file: "a")) {
            try Timetable.Snapshot(Array("PK".utf8) + bytes, name: "a")
        }
        var other = bytes
        other[8] = 9
        #expect(throws: Timetable.SnapshotError.otherVersion(file: "a", version: 9)) {
            try Timetable.Snapshot(other, name: "a")
        }
        for count in stride(from: 0, to: bytes.count, by: 97) {
            #expect(throws: Timetable.SnapshotError.self) { try Timetable.Snapshot(Array(bytes[..<count])) }
        }
    }

    @Test func `a flipped bit anywhere is detected`() throws {
        let bytes = Timetable.Snapshot(try Self.full()).bytes
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 4
            #expect(throws: Timetable.SnapshotError.self) { try Timetable.Snapshot(other) }
        }
    }

    @Test(
        arguments: [
            { $0.stops[0].parent = -2 }, { $0.stops[0].parent = 9_999 }, { $0.lines[0].agency = -2 },
            { $0.patterns[0].line = -1 }, { $0.departures[0] = 9_000_000 }, { $0.arrivals[1] = -9_000_000 },
            { $0.departures[1] -= 86_400 },
        ] as [@Sendable (inout Timetable) -> Void])
    func `references outside a table, or back in time, are detected`(
        _ damage: @Sendable (inout Timetable) -> Void
    ) throws {
        var timetable = try Self.full()
        #expect(timetable.inconsistency == nil)
        damage(&timetable)
        #expect(timetable.inconsistency != nil)
    }

    @Test(arguments: ["backwards.bin", "large.bin"])
    func `a trip that arrives before it departs is invalid`(file: String) throws {
        let corpus =
            #filePath.split(separator: "/Tests/PortolanTransitTests/")[0] + "/Tests/Fuzz/Corpus/timetable-snapshot/"
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: corpus + file)))
        Self.mend(&bytes)
        #expect(throws: Timetable.SnapshotError.damaged(file: "a", byte: 24, what: "times are not in order")) {
            try Timetable.Snapshot(bytes, name: "a")
        }
    }

    /// Puts the checksum right.
    private static func mend(_ bytes: inout [UInt8]) {
        let sum = CRC32Sample.checksum(of: bytes[24...])
        for byte in 0..<4 { bytes[12 + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * byte)) }
    }

    /// With the checksum put right, as one would who means harm: each value wrong in turn is refused, or does no harm.
    @Test func `a manipulated file with a valid checksum is refused or harmless`() throws {
        let bytes = Timetable.Snapshot(try Self.full()).bytes
        var readCount = 0, refusedCount = 0
        for place in 24..<bytes.count {
            for value in [place / 4 % 2 == 0 ? 0xFF : 0x7F, bytes[place] &+ 1] as [UInt8] {
                var other = bytes
                other[place] = value
                Self.mend(&other)
                guard let snapshot = try? Timetable.Snapshot(other) else {
                    refusedCount += 1
                    continue
                }
                readCount += 1
                let timetable = snapshot.timetable, board = StopBoard(timetable)
                for stop in timetable.stops.indices {
                    _ = board.departures(from: stop, after: Date(timeIntervalSince1970: 1_795_384_800), within: 86_400)
                }
                for line in timetable.lines.indices { _ = timetable.courses(ofLine: line) }
            }
        }
        // Letters of names may be any; numbers of rows may not.
        #expect(readCount > 0)
        #expect(refusedCount > 0)
    }
}

/// The checksum by its definition (ISO 3309), bit after bit.
private enum CRC32Sample {
    static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
        return ~sum
    }
}
