import Foundation
import PortolanBeacons
import Testing

@Suite struct StopCodeTests {
    private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

    @Test(arguments: [
        ("qbus:stop:EC-Q-0123?v=1", "EC-Q-0123"), ("QBUS:STOP:7?v=1&x=2", "7"), ("qbus:stop:1:7521?v=1", "1:7521"),
        ("qbus:stop:La%20Y?v=1", nil), ("qbus:stop:%C3%91?v=1", "Ñ"), ("qbus:stop:a%2Fb?v=1", "a/b"),
    ])
    func `a stop code contains the identifier of its stop`(text: String, id: String?) throws {
        #expect((try? StopCode(text)) == id.map { .stop(id: $0) })
        if let id {
            let written = try #require(StopCode.stop(id: id).text())
            #expect(try StopCode(written) == .stop(id: id) && written.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test func `a beacon code is an HTTPS address with the identity of the beacon`() throws {
        let text = "https://qbus.example/stop/0123?uuid=\(Self.uuid)&major=7&minor=123"
        let identity = BeaconAdvertisement.Identity(
            uuid: try #require(UUID(uuidString: Self.uuid)), major: 7, minor: 123)
        #expect(try StopCode(text) == .beacon(identity))
        #expect(StopCode.beacon(identity).text(site: URL(string: "https://qbus.example/stop/0123")) == text)
        #expect(StopCode.beacon(identity).text() == nil)
        #expect(StopCode.beacon(identity).text(site: URL(string: "http://qbus.example/")) == nil)
    }

    @Test(arguments: [
        ("", StopCode.ParseError.otherCode), ("hello", .otherCode),
        ("http://qbus.example/?uuid=1&major=2&minor=3", .otherCode),
        ("https://example.org/", .otherCode), ("file:///etc/passwd", .otherCode), ("javascript:alert(1)", .otherCode),
        ("WIFI:T:WPA;S:x;P:y;;", .otherCode), ("qbus:line:9?v=1", .otherCode),
        ("qbus:stop:1?v=2", .unknownVersion("2")), ("qbus:stop:1", .malformed("missing version")),
        ("qbus:stop:1?v=1&v=1", .malformed("missing version, or several versions")),
        ("qbus:stop:?v=1", .malformed("missing stop identifier")),
        ("qbus:stop:%zz?v=1", .malformed("missing stop identifier")),
        ("qbus:stop:a%00?v=1", .malformed("missing stop identifier")),
        ("qbus:stop:\(String(repeating: "a", count: 65))?v=1", .malformed("missing stop identifier")),
        ("https:stop?uuid=\(uuid)&major=1&minor=2", .malformed("invalid URL")),
        (
            "https://a.example/?uuid=\(uuid)&major=65536&minor=2",
            .malformed("expected one UUID, one major and one minor")
        ),
        (
            "https://a.example/?uuid=\(uuid)&major=1&minor=2&minor=3",
            .malformed("expected one UUID, one major and one minor")
        ),
        ("qbus:stop:\(String(repeating: "a", count: 3000))?v=1", .tooLong(limit: 2048)),
    ])
    func `other codes are rejected with an error for their kind`(text: String, error: StopCode.ParseError) {
        #expect(throws: error) { try StopCode(text) }
    }

    @Test func `no code is written for an invalid identifier`() {
        #expect(StopCode.stop(id: "").text() == nil)
        #expect(StopCode.stop(id: "La Y").text() == nil)
    }
}
