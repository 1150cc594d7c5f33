import PortolanFetch
import PortolanWeb
import TestHelpers
import Testing

@Suite struct StoreKeyTests {
    static func key(_ url: String, _ headers: [(String, String)] = []) -> StoreKey? {
        StoreKey(HTTPRequest(to: url, headers: headers.map { HTTPHeader(name: $0.0, value: $0.1) }))
    }

    @Test(arguments: ["HTTP://A.example:80/x?y=1#part", "http://a.example/x?y=1", "http://A.EXAMPLE/x?y=1#"])
    func `spellings of one URL have one key`(url: String) {
        #expect(Self.key(url) == Self.key("http://a.example/x?y=1"))
    }

    @Test func `whatever may change the response changes the key`() {
        let all = [
            Self.key("http://a.example/x"), Self.key("https://a.example/x"), Self.key("http://a.example:8080/x"),
            Self.key("http://a.example/X"), Self.key("http://a.example/x?"), Self.key("http://a.example/x?k=1"),
            Self.key("http://me:pw@a.example/x"), Self.key("http://a.example/x", [("Accept-Language", "fi")]),
            Self.key("http://a.example/x", [("Accept-Language", "sv")]),
            Self.key("http://a.example/x", [("Authorization", "Bearer 1")]),
        ]
        #expect(Set(all).count == all.count)
        #expect(!all.contains(nil))
    }

    @Test func `a POST request has no key`() {
        #expect(StoreKey(HTTPRequest(to: "http://a.example/x", body: HTTPRequest.Body(bytes: [1]))) == nil)
    }

    @Test func `irrelevant header fields, and the order and case of others, do not change the key`() {
        let plain = Self.key("http://a.example/x", [("A", "1"), ("B", "2")])
        let other = Self.key(
            "http://a.example/x", [("b", "2"), ("User-Agent", "me"), ("a", "1"), ("If-None-Match", "\"x\"")])
        #expect(plain == other)
    }

    @Test(arguments: [
        Credential.basic(name: "me", password: "pw"), .bearer(token: "1"),
        .header(HTTPHeader(name: "X-Key", value: "1")),
        .query(name: "key", value: "1"),
    ])
    func `a response for one user is not found by another`(credential: Credential) throws {
        let request = HTTPRequest(to: "http://a.example/x")
        let mine = try #require(StoreKey(request, credential: credential))
        #expect(mine != StoreKey(request))
        #expect(mine != StoreKey(request, credential: .bearer(token: "2")))
        #expect(mine == StoreKey(request, credential: credential))
    }

    @Test(arguments: ["data:,x", "file:///a", "mbtiles:///a", "x", "", "http:///x"])
    func `only web URLs have keys`(url: String) {
        #expect(Self.key(url) == nil)
    }

    static let address = "https://t.example/maps/wms?map=/a/b&LAYERS=x&BBOX=1,2"

    @Test(arguments: [
        ("https://t.example", true), ("https://t.example/", true), ("HTTPS://T.example:443/maps", true),
        ("https://t.example/maps/wms", true), ("https://t.example/maps/wms?", true),
        ("https://t.example/maps/wms?map=/a/b&LAYERS=x", true), ("https://t.example/maps/wms?map=/a/b&LAYERS=x&", true),
        (address, true), ("https://t.example/map", false), ("http://t.example", false),
        ("https://t.example/maps/wms?map=/a/b&LAYERS=xy", false), ("https://other.example", false),
    ])
    func `a URL is found by its prefixes`(prefix: String, isFound: Bool) throws {
        let hashes = StoreKey.prefixHashes(of: Self.address)
        let wanted = try #require(StoreKey.prefixHash(prefix))
        #expect(hashes.count % 8 == 0)
        #expect(wanted.count == 8)
        let isThere = stride(from: 0, to: hashes.count, by: 8).contains { Array(hashes[$0..<$0 + 8]) == wanted }
        #expect(isThere == isFound)
    }
}

@Suite struct SHA256Tests {
    /// The examples of FIPS 180-2, appendix B, and lengths about a block, by `sha256sum`.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `SHA-256 hashes equal known values`(text: String, hash: String) {
        let hex = SHA256.hash(Array(text.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        #expect(hex.joined() == hash)
    }
}
