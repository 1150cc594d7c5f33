import PortolanFeatures
import Testing

/// Where pictures come from.
struct IconSourceTests {
    @Test(arguments: [
        ("a.png", IconSource.file("a.png")), ("../x/a b.png", .file("../x/a b.png")), ("/a:b.png", .file("/a:b.png")),
        ("C:\\a.png", .file("C:\\a.png")), ("http://h/a.png", .url("http://h/a.png")), ("file:///a", .url("file:///a")),
        ("data:text/plain,a%20b", .data([0x61, 0x20, 0x62])), ("DATA:;BASE64,TWFu", .data([0x4D, 0x61, 0x6E])),
        ("data:image/png;base64,TWE=", .data([0x4D, 0x61])), ("data:x;base64,T%51", .data([0x4D])),
        ("data:x;base64,-_-_", .data([0xFB, 0xFF, 0xBF])), ("data:,", .data([])),
    ])
    func `a text is a path, an address or the picture itself`(text: String, source: IconSource) {
        #expect(IconSource(text) == source)
    }

    @Test(arguments: ["", "data:", "data:x;base64,A", "data:x;base64,T=Q=", "data:x;base64,*", "data:,%4", "data:,%zz"])
    func `what cannot be decoded is none`(text: String) {
        #expect(IconSource(text) == nil)
    }
}
