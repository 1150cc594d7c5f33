import PortolanServices
import Testing

@Suite struct ServiceURLTests {
    @Test(arguments: [
        ("http://h/wms", "http://h/wms?A=1"),
        ("http://h/wms?", "http://h/wms?A=1"),
        ("http://h/wms?&", "http://h/wms?A=1"),
        ("http://h/wms?map=x", "http://h/wms?map=x&A=1"), ("http://h/wms?map=x&", "http://h/wms?map=x&A=1"),
        ("http://h/wms&", "http://h/wms?A=1"), ("http://h/wms?map=x?", "http://h/wms?map=x&A=1"),
        (" http://h/wms#top ", "http://h/wms?A=1"), ("http://h/a b?m=ñ", "http://h/a%20b?m=%C3%B1&A=1"),
        ("http://h/wms?m=%C3%B1", "http://h/wms?m=%C3%B1&A=1"), ("http://h/wms?a=old&b=2", "http://h/wms?b=2&A=1"),
        ("http://h?x=http://g/y", "http://h?x=http://g/y&A=1"),
    ])
    func `parameters are appended with the right separator`(base: String, url: String) {
        #expect(ServiceURL(base).url(with: [("A", "1")], dropping: []) == url)
    }

    @Test(arguments: [
        ("http://h/wms?", "https://h/base", "https://h/wms"),
        ("http://h:80/wms?a=1", "https://h/base", "https://h/wms?a=1"),
        ("http://h/wms", "https://h:8443/b", "https://h:8443/wms"),
        ("http://other/wms", "https://h/b", "http://other/wms"),
        ("http://h:8080/wms", "https://h/b", "https://h:8080/wms"), ("http://h/wms", "http://h/b", "http://h/wms"),
        ("https://h/wms", "http://h/b", "https://h/wms"),
    ])
    func `an http address on the host of an https service becomes https`(advertised: String, base: String, url: String)
    {
        #expect(ServiceURL(advertised).upgraded(like: ServiceURL(base)).text == url)
    }

    @Test(arguments: [
        "http://h", "http://h:/x", "http://h:65535", "https://user:pw@h:1/x?y", "http://[::1]:80/",
        "http://[fe80::1.2.3.4]",
        "http://%C3%B1/",
    ])
    func `a URL with a valid host is absolute`(text: String) {
        #expect(ServiceURL(text).isAbsolute)
    }

    @Test(arguments: [
        "http://", "http:///x", "http://h:-1/x", "http://h:65536/", "http://h:80:80/", "http://h:x/", "http://[/",
        "http://[]/",
        "http://[::1/", "http://[::1]x/", "http://[h]/", "http://a]b/", "http://:80/", "http://[::]\\@h/",
        "http://a@b@h/", "//h/x", "h/x", "",
    ])
    func `a URL without a valid host is not absolute`(text: String) {
        #expect(!ServiceURL(text).isAbsolute)
    }

    @Test(arguments: [
        ("http://user:pw@Host:81/x", "http", "host"),
        ("https://[::1]:80/", "https", "[::1]"),
        ("HTTP://h", "http", "h"),
        ("relative/path", "", ""), ("", "", ""),
    ])
    func `scheme and host are parsed and lowercased`(text: String, scheme: String, host: String) {
        #expect(ServiceURL(text).scheme == scheme)
        #expect(ServiceURL(text).host == host)
    }

    /// RFC 3986, section 5.4.1, as far as it is about HTTP, without the slash that is left out at ends.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c"), ("./", "http://a/b/c"), ("..", "http://a/b"), ("../g", "http://a/b/g"),
        ("../..", "http://a"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("g/./h", "http://a/b/c/g/h"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("/", "http://a"),
        ("//cdn.example/x", "http://cdn.example/x"), ("//[::1]/x", "http://[::1]/x"), ("http://g/x/", "http://g/x"),
        ("relief:EPSG900913", "http://a/b/c/relief:EPSG900913"), ("g?u=http://x/y", "http://a/b/c/g?u=http://x/y"),
    ])
    func `relative references are resolved as in RFC 3986`(reference: String, url: String) {
        #expect(ServiceURL("http://a/b/c/d;p?q").resolving(reference) == url)
    }

    @Test func `a reference without a scheme keeps https`() {
        #expect(ServiceURL("https://base/tms/").resolving("//cdn.example/x") == "https://cdn.example/x")
        #expect(ServiceURL("https://base").resolving("?a=b") == "https://base?a=b")
    }
}
