import Foundation
import Portolan
import TestHelpers
import Testing

@Suite struct NMEAReaderTests {
    static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    /// A sentence with its checksum, and its end of line.
    static func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(0, ^)
        return "$\(body)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true) + "\r\n"
    }

    private static func read(_ text: String) -> [NMEAReader.Item] { NMEAReader.read(text.utf8) }

    /// The sentences that are printed everywhere, by their makers' checksums; the places by pynmea2 1.19.
    @Test func `both sentences of a moment form one fix`() {
        let text = """
            $GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47
            $GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A
            """
        let fix = PositionFix(
            place: Coordinate(longitude: 11.516666666666667, latitude: 48.1173), time: Self.date(0), accuracy: 4.5,
            altitude: 545.4, speed: 22.4 * 1852 / 3600, course: 84.4)
        var dated = fix
        dated.time = Self.date(764_426_119)
        // The altitude came before the date did.
        #expect(Self.read(text) == [.fix(fix.at(45_319))])
        let lines = text.split(separator: "\n").map(String.init)
        #expect(Self.read("\(lines[1])\n\(lines[0])\n") == [.fix(dated)])
    }

    @Test func `south and west are negative, and any talker ID is read`() {
        let text = """
            $GNRMC,083559.50,A,3351.51840,S,15112.65470,W,0.13,309.62,120598,,,D*4C\r
            $GNGGA,083559.50,3351.51840,S,15112.65470,W,2,12,1.25,25.63,M,18.0,M,1.0,0000*62\r

            """
        guard case .fix(let fix) = Self.read(text).first else {
            Issue.record("no fix")
            return
        }
        #expect(fix.place == Coordinate(longitude: -151.21091166666668, latitude: -33.85864))
        #expect(fix.time == Self.date(894_962_159.5))
        #expect(fix.accuracy == 6.25 && fix.altitude == 25.63)
    }

    @Test func `the date advances at midnight`() {
        let text =
            Self.sentence("GPRMC,235959.90,A,6010.15000,N,02456.10000,E,10.0,359.9,311225,,,A")
            + Self.sentence("GPGGA,235959.90,6010.15000,N,02456.10000,E,1,05,2.0,11.0,M,,M,,")
            + Self.sentence("GPGGA,000000.10,6010.15100,N,02456.10100,E,1,05,2.0,11.0,M,,M,,")
        let times = Self.read(text).compactMap { if case .fix(let fix) = $0 { fix.time } else { nil } }
        #expect(times == [Self.date(1_767_225_599.9), Self.date(1_767_225_600.1)])
    }

    @Test func `a receiver that sends only one kind of sentence is not delayed`() {
        var reader = NMEAReader()
        var counts: [Int] = []
        for second in 10..<14 {
            let line = Self.sentence("GPRMC,1200\(second),A,4807.038,N,01131.000,E,1,1,230394,,")
            counts.append(reader.read(line.utf8).count)
        }
        // The first waits for another sentence, and comes with the second.
        #expect(counts == [0, 2, 1, 1])
        #expect(reader.finish().isEmpty)
    }

    @Test func `a receiver without satellites has no fix`() {
        let lost = Self.sentence("GPRMC,123520,V,,,,,,,230394,,,N") + Self.sentence("GPGGA,123521,,,,,0,00,,,M,,M,,")
        #expect(Self.read(lost) == [.noFix, .noFix])
        #expect(NMEAReader.Item.noFix.update == .failure(.unavailable))
    }

    @Test(arguments: [
        ("GPRMC,240000,A,4807.038,N,01131.000,E,1,1,230394,,", 1),
        ("GPRMC,12:519,A,4807.038,N,01131.000,E,1,1,230394,,", 1),
        ("GPRMC,123519,A,4867.038,N,01131.000,E,1,1,230394,,", 3),
        ("GPRMC,123519,A,9000.001,N,01131.000,E,1,1,230394,,", 3),
        ("GPRMC,123519,A,,N,01131.000,E,1,1,230394,,", 3), ("GPRMC,123519,A,4807.038,X,01131.000,E,1,1,230394,,", 4),
        ("GPRMC,123519,A,4807.038,N,1e1,E,1,1,230394,,", 5), ("GPRMC,123519,A,4807.038,N,18000.001,E,1,1,230394,,", 5),
        ("GPRMC,123519,A,4807.038,N,01131.000,E,nan,1,230394,,", 7),
        ("GPRMC,123519,A,4807.038,N,01131.000,E,1,361,230394,,", 8),
        ("GPRMC,123519,A,4807.038,N,01131.000,E,1,1,300294,,", 9),
        ("GPRMC,123519,A,4807.038,N,01131.000,E,1,1,001394,,", 9),
        ("GPRMC,123519,A", 3), ("GPRMC,,A,4807.038,N,01131.000,E,1,1,230394,,", 1),
        ("GPRMC,123519,A,4807.038,N,01131.000,E,1111111111111111111111111,1,230394,,", 7),
    ])
    func `an invalid field is reported with its line`(body: String, field: Int) {
        let text = Self.sentence("GPGSV,1,1,00") + Self.sentence(body)
        #expect(Self.read(text) == [.problem(NMEAReader.SentenceError(line: 2, code: .field(field, of: "RMC")))])
    }

    @Test(arguments: [
        ("$GPRMC,1*4G", NMEAReader.SentenceError.Code.noChecksum), ("$GPRMC,1*4", .noChecksum),
        ("$GPRMC,1", .noChecksum),
        ("$GPRMC,1*+4", .noChecksum), ("$GPRMC,1*00", .wrongChecksum(found: 0, computed: 0x56)),
    ])
    func `a sentence without a valid checksum is rejected`(line: String, code: NMEAReader.SentenceError.Code) {
        #expect(Self.read(line) == [.problem(NMEAReader.SentenceError(line: 1, code: code))])
        #expect(!NMEAReader.SentenceError(line: 1, code: code).description.isEmpty)
    }

    @Test func `an overlong line is an error, and later lines are still read`() {
        let good = Self.sentence("GPRMC,123519,A,4807.038,N,01131.000,E,1,1,230394,,")
        let text = String(repeating: "x", count: 1_000_000) + "\n\0\u{FF}$GP$GPRMC\n12:00 " + good
        let items = Self.read(text)
        #expect(items.count == 3)
        #expect(items.first == .problem(NMEAReader.SentenceError(line: 1, code: .lineTooLong)))
        guard case .fix = items.last else {
            Issue.record("no fix")
            return
        }
    }

    @Test func `bytes can arrive in chunks of any size`() {
        let text =
            Self.sentence("GPRMC,123519,A,4807.038,N,01131.000,E,1,1,230394,,") + "junk\r\n"
            + Self.sentence("GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,") + "$GPRMC*11"
        let whole = Self.read(text)
        for size in [1, 2, 7, 64] {
            var reader = NMEAReader(), items: [NMEAReader.Item] = [], rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                items += reader.read(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(items + reader.finish() == whole)
        }
    }

    @Test(arguments: 0..<4) func `random corruption of a log gives no invalid fix`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let log = Array(
            (0..<20).map { second in
                Self.sentence("GPRMC,1200\(10 + second),A,4807.038,N,01131.000,E,1,1,230394,,")
                    + Self.sentence("GPGGA,1200\(10 + second),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")
            }.joined().utf8)
        for _ in 0..<300 {
            var bytes = log
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            for item in NMEAReader.read(bytes) {
                guard case .fix(let fix) = item else { continue }
                #expect(abs(fix.place.x) <= 180 && abs(fix.place.y) <= 90)
            }
        }
    }
}

extension PositionFix {
    fileprivate func at(_ seconds: Double) -> PositionFix {
        var copy = self
        copy.time = Date(timeIntervalSince1970: seconds)
        return copy
    }
}
