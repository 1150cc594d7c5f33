import PortolanFeatures
import PortolanPlan
import Testing

/// The references of RFC 3986 section 5.2 as far as they are paths.
@Suite struct IconAddressTests {
    @Test(arguments: [
        ("a.png", "http://h/routes/r.json", "http://h/routes/a.png"),
        ("a.png", "http://h/routes/", "http://h/routes/a.png"),
        ("a.png", "http://h/r.json?x=/deep/path#/frag/ment", "http://h/a.png"),
        ("a.png", "http://h", "http://h/a.png"),
        ("a.png", "http://h?f=/x/y.json", "http://h/a.png"),
        ("/i/a.png", "http://h:81/routes/r.json?q", "http://h:81/i/a.png"),
        ("/i/a.png", "http://h?q=/x", "http://h/i/a.png"),
        ("i/a.png", "file:///data/r.json", "file:///data/i/a.png"),
        ("/i/a.png", "file:///data/r.json", "file:///i/a.png"),
        ("ä b#1?.png", "file:///d/r.json", "file:///d/%C3%A4%20b%231%3F.png"),
        ("100%.png", "file:///d/r.json", "file:///d/100%25.png"),
        ("marker.php?color=red&n=ä", "http://h/r.json", "http://h/marker.php?color=red&n=%C3%A4"),
        ("a%20b.png", "http://h/r.json", "http://h/a%20b.png"),
        ("//cdn.example/x.png", "https://h/r.json", "https://cdn.example/x.png"),
    ])
    func `a path is relative to the document that names it`(path: String, base: String, expected: String) {
        #expect(IconAddress.url(of: .file(path), relativeTo: base) == expected)
    }

    @Test func `without a document only absolute paths lead somewhere`() {
        #expect(IconAddress.url(of: .file("/i/a.png"), relativeTo: nil) == "file:///i/a.png")
        #expect(IconAddress.url(of: .file("a.png"), relativeTo: nil) == nil)
        #expect(IconAddress.url(of: .file("a.png"), relativeTo: "no url") == nil)
    }

    @Test(arguments: ["http://x/y.png", "data:image/png;base64,AAAA"])
    func `a URL stays as it is`(url: String) {
        #expect(IconAddress.url(of: .url(url), relativeTo: "http://h/r.json") == url)
    }

    @Test func `a document from a server names no local file`() {
        #expect(IconAddress.url(of: .url("file:///etc/badge.png"), relativeTo: "https://h/r.json") == nil)
        #expect(IconAddress.url(of: .url("FILE:///etc/badge.png"), relativeTo: "http://h/r.json") == nil)
        #expect(IconAddress.url(of: .url("file:///d/b.png"), relativeTo: "file:///d/r.json") == "file:///d/b.png")
        #expect(IconAddress.url(of: .url("file:///d/b.png"), relativeTo: nil) == "file:///d/b.png")
    }
}
