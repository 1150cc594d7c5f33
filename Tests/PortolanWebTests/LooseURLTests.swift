import PortolanWeb
import Testing

@Suite struct LooseURLTests {
    // The examples of RFC 3986, section 5.4.1, as far as they have no parameters of segments.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p#s"),
        ("g#s", "http://a/b/c/g#s"), ("../g", "http://a/b/g"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
        ("/../g", "http://a/g"), ("", "http://a/b/c/d;p"),
    ])
    func `references are resolved as in the standard's examples`(reference: String, whole: String) {
        #expect(LooseURL("http://a/b/c/d;p?q").resolving(reference) == whole)
    }

    @Test func `dot segments of file URLs are kept because folders can be links`() {
        #expect(LooseURL("file:///now/r.json").resolving("../i/a.png") == "file:///now/../i/a.png")
        #expect(LooseURL("FILE:///now/r.json").isFile)
    }

    @Test(arguments: [
        ("http://u:p@H:81/a/b?c/d#e", "http", "http://u:p@H:81", "/a/b"), ("https://h?q=/x", "https", "https://h", ""),
        ("https://h#/x", "https", "https://h", ""), ("a/b?c", nil, "", "a/b"), ("", nil, "", ""),
    ])
    func `a URL is split without normalisation`(text: String, scheme: String?, origin: String, path: String) {
        let base = LooseURL(text)
        #expect(base.scheme.map(String.init) == scheme)
        #expect(base.origin == origin)
        #expect(base.path == path)
    }
}
