import PortolanFeatures
import Testing

/// Where pictures come from.
struct IconSourceTests {
    @Test(arguments: [
        ("a.png", IconSource.file("a.png")), ("../x/a b.png", .file("../x/a b.png")), ("/a:b.png", .file("/a:b.png")),
        ("C:\\a.png", .file("C:\\a.png")), ("http://h/a.png", .url("http://h/a.png")), ("file:///a", .url("file:///a")),
        ("data:text/plain,a%20b", .url("data:text/plain,a%20b")), ("DATA:;BASE64,TWFu", .url("DATA:;BASE64,TWFu")),
    ])
    func `a text is a path or an address, with data among the addresses`(text: String, source: IconSource) {
        #expect(IconSource(text) == source)
    }

    @Test func `an empty text is none`() {
        #expect(IconSource("") == nil)
    }
}
