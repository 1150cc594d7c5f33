import Portolan
import PortolanCLI
import Testing

@Suite struct HeaderFieldTests {
    @Test(
        arguments: [
            ("A: b", .userNamed, "A", "b"), ("A:b:c", .userNamed, "A", "b:c"), ("A: ", .userNamed, "A", ""),
            ("A: b|c", .userNamed, "A", "b|c"), ("Example.org|A: b", .one("example.org"), "A", "b"),
            ("[::1]|A: b", .one("[::1]"), "A", "b"), ("*|A: b", .all, "A", "b"), ("*|A: *|b", .all, "A", "*|b"),
        ] as [(String, RendererConfiguration.HostHeader.Hosts, String, String)])
    func `a header option applies to one host, to the hosts that the user names, or to all`(
        text: String, hosts: RendererConfiguration.HostHeader.Hosts, name: String, value: String
    ) throws {
        let read = try HeaderField.read(text)
        #expect(read.hosts == hosts)
        #expect(read.header.name == name)
        #expect(read.header.value == value)
    }

    @Test(arguments: ["", ":", "A", ": b", "|A: b", "h:80|A: b", "A b: c", "A: b\r\nX: y", "h|A"])
    func `invalid header options are rejected`(text: String) {
        #expect(throws: CommandFailure.self) { try HeaderField.read(text) }
    }
}

@Suite struct AllowedHostTests {
    @Test(arguments: ["localhost", "LOCALHOST", "10.0.0.7", "[::1]", "*.corp.example", "gis"])
    func `an allowed host is a name, an address or a wildcard`(text: String) throws {
        #expect(try AllowedHost.read(text) == text.lowercased())
    }

    @Test(arguments: ["", "*", "*.", "http://h/", "h:80", "h/x", "a b", "u@h", "*h"])
    func `an invalid allowed host is rejected`(text: String) {
        #expect(throws: CommandFailure.self) { try AllowedHost.read(text) }
    }
}

@Suite struct CacheFolderTests {
    @Test func `the cache folder follows XDG_CACHE_HOME and HOME`() {
        #expect(CacheFolder.standard(in: ["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/portolan")
        #expect(CacheFolder.standard(in: ["XDG_CACHE_HOME": "c"]) == nil && CacheFolder.standard(in: [:]) == nil)
        #expect(CacheFolder.standard(in: ["XDG_CACHE_HOME": "", "HOME": "/h"])?.hasPrefix("/h/") == true)
    }
}
