import PortolanWeb
import Testing

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("image/svg+xml", "image/svg%2Bxml"), ("image/png", "image/png"), ("EPSG:4326", "EPSG:4326"), ("a,b", "a,b"),
        ("a b&c=d", "a%20b%26c%3Dd"), ("ñ", "%C3%B1"), ("100%", "100%25"), ("'x';#?", "%27x%27%3B%23%3F"),
        ("image/png; mode=8bit", "image/png%3B%20mode%3D8bit"), ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
    ])
    func `values are encoded and stay readable`(text: String, encoded: String) {
        #expect(PercentEncoding.value(text) == encoded)
    }

    @Test func `a comma in a list item is encoded`() {
        #expect(PercentEncoding.listItem("a,b") == "a%2Cb")
    }

    @Test(arguments: [
        ("http://h/a b", "http://h/a%20b"), ("http://h/%C3%b1", "http://h/%C3%b1"),
        ("http://h/100%", "http://h/100%25"),
        ("http://h/%zz?a=%4", "http://h/%25zz?a=%254"), ("%%41", "%25%41"),
        ("http://[::1]:80/a[1]?b[]=c", "http://[::1]:80/a%5B1%5D?b%5B%5D=c"), ("/[", "/%5B"), ("{x}", "%7Bx%7D"),
    ])
    func `invalid characters of a URL are encoded and valid escapes kept`(address: String, repaired: String) {
        #expect(PercentEncoding.repaired(address) == repaired)
    }

    @Test(arguments: [("a%20b", "a b"), ("%C3%a9", "é"), ("", ""), ("%", nil), ("%4", nil), ("%g1", nil)])
    func `escapes are decoded or refused`(text: String, decoded: String?) {
        #expect(PercentEncoding.decode(text.utf8) == decoded.map { Array($0.utf8) })
    }

    @Test func `each part of a URL keeps its allowed characters`() {
        let text = "a/ä?b#c,d%:"
        #expect(PercentEncoding.component(text) == "a%2F%C3%A4%3Fb%23c%2Cd%25%3A")
        #expect(PercentEncoding.pathPart("palette=blue/1") == "palette=blue%2F1")
        #expect(PercentEncoding.pathPart(text) == "a%2F%C3%A4%3Fb%23c,d%25:")
        #expect(PercentEncoding.path(text) == "a/%C3%A4%3Fb%23c,d%25:")
        #expect(PercentEncoding.nonASCII(text) == "a/%C3%A4?b#c,d%:")
    }
}
