import PortolanBeacons
import Testing

@Suite struct BeaconLogTests {
    private static let name = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/7/123"

    private static let log = """
        # A walk past a stop.
        0 radio unknown
        0.5 radio on
        1 beacon \(name) -59 -90
        2 data 0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e00007007bc5 -50

        2.5 data 02011a0aff4c0010050318abcdef -40
        {"time": 3, "beacon": "\(name)", "power": -59, "strength": -50}
        {"time": 4, "data": "1aff4c000215e2c56db5dffb48d2b060d0f5a71096e00007007bc5", "strength": -48}\r
        {"time": 5, "radio": "off"}
        """

    @Test func `a log of text lines, JSON objects or both is replayed by its own timestamps`() throws {
        let log = try BeaconLog(bytes: Array(Self.log.utf8), from: "walk.log")
        let identity = try #require(BeaconAdvertisement.Identity(Self.name))
        #expect(log.entries.count == 7)
        let told = log.replayed()
        #expect(told.map(\.time) == [0, 0.5, 3, 3, 5, 5, 5])
        #expect(
            told.map(\.event).dropFirst(3) == [
                .nearest(identity), .radio(.off), .left(identity, .radio), .nearest(nil),
            ])
        #expect(try BeaconLog(bytes: Array(log.text.utf8), from: "again") == log)
    }

    @Test func `beacons time out at the end of a log`() throws {
        let log = try BeaconLog(bytes: Array("7 beacon \(Self.name) -59 -50".utf8), from: "a")
        #expect(log.replayed().map(\.time) == [7, 7, 18, 18])
        #expect(try BeaconLog(bytes: [], from: "a").replayed().isEmpty)
    }

    @Test(arguments: [
        ("nan radio on", "invalid time"), ("1 radio loud", "unknown radio state"),
        ("1 beacon x -59 -50", "missing UUID, major or minor"), ("1 beacon \(name) 500 -50", "invalid measured power"),
        ("1 beacon \(name) -59 -5000", "invalid signal strength"),
        ("1 data 0g -50", "the data must be hexadecimal digits"),
        ("1 data 020 -50", "the data must be hexadecimal digits"),
        ("1 data 0201061aff4c000215 -50", "the data: unexpected end after 9 bytes"),
        ("now radio on", "missing time at the beginning"), ("1", "missing time at the beginning"),
        ("1 sun shines", "no beacon, data or radio event"), ("{", "expected an object with a time and an event"),
        (#"{"time": "1"}"#, "expected an object with a time and an event"),
        (#"{"time": 1}"#, "missing UUID, major or minor"), (#"{"time": 1e300, "radio": "on"}"#, "invalid time"),
        (String(repeating: "[", count: 9000), "exceeds 8192 bytes"),
    ])
    func `an invalid line is reported with its number`(line: String, what: String) {
        #expect(throws: BeaconError.malformedLog(file: "a.log", line: 2, what: what)) {
            try BeaconLog(bytes: Array("# first\n\(line)\n".utf8), from: "a.log")
        }
    }

    @Test(arguments: ["", "a/1/2", "\(name)/1", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/65536/1", "//"])
    func `an identity with an invalid part is rejected`(text: String) {
        #expect(BeaconAdvertisement.Identity(text) == nil)
        #expect(BeaconAdvertisement.Identity(Self.name)?.description == Self.name)
    }
}
