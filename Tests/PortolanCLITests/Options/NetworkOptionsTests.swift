import Portolan
import PortolanCLI
import Testing

@Suite struct HeaderFieldTests {
    @Test(
        arguments: [
            ("A: b", nil, "A", "b"), ("A:b:c", nil, "A", "b:c"), ("A: ", nil, "A", ""), ("A: b|c", nil, "A", "b|c"),
            ("Example.org|A: b", "example.org", "A", "b"), ("[::1]|A: b", "[::1]", "A", "b"),
        ] as [(String, String?, String, String)])
    func `a field is for all hosts or one`(text: String, host: String?, name: String, value: String) throws {
        let read = try HeaderField.read(text)
        #expect(read.host == host)
        #expect(read.header.name == name)
        #expect(read.header.value == value)
    }

    @Test(arguments: ["", ":", "A", ": b", "|A: b", "h:80|A: b", "A b: c", "A: b\r\nX: y", "h|A"])
    func `these are refused`(text: String) {
        #expect(throws: CommandFailure.self) { try HeaderField.read(text) }
    }
}

@Suite struct CacheFolderTests {
    @Test func `the user's cache folder, where there is one`() {
        #expect(CacheFolder.standard(in: ["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/portolan")
        #expect(CacheFolder.standard(in: ["XDG_CACHE_HOME": "c"]) == nil && CacheFolder.standard(in: [:]) == nil)
        #expect(CacheFolder.standard(in: ["XDG_CACHE_HOME": "", "HOME": "/h"])?.hasPrefix("/h/") == true)
    }
}
