import PortolanWeb
import Testing

@Suite struct AddressPolicyTests {
    private static func document(_ host: String, _ network: IPAddress.Network? = nil) -> NamedURL.Origin {
        .document(NamedURL.RemoteDocument(host: host, network: network, root: host))
    }

    private static let far = document("maps.example", .global)

    /// Each spelling of a place that no document from afar leads to.
    static let forbidden = [
        "http://localhost/x", "http://LOCALHOST:80/x", "http://localhost./x", "http://a.localhost/x",
        "http://127.0.0.1/x",
        "http://127.1/x", "http://0177.0.0.1/x", "http://2130706433/x", "http://0x7f000001/x", "http://127.0.0.1./x",
        "http://0.0.0.0/x", "http://0/x", "http://[::1]/x", "http://[::]/x", "http://[::ffff:127.0.0.1]/x",
        "http://[0:0:0:0:0:ffff:7f00:1]:8080/x", "http://u:p@127.0.0.1/x", "http://maps.example@127.0.0.1/x",
        "http://10.1.2.3/x", "http://172.16.0.1/x", "http://192.168.0.1:81/x", "http://[fc00::1]/x",
        "http://[fd12::1]/x",
        "http://100.64.0.1/x", "http://169.254.169.254/latest/meta-data/", "http://169.254.43518/x",
        "http://[fe80::1]/x",
        "http://[::ffff:169.254.169.254]/x", "http://[64:ff9b::a9fe:a9fe]/x", "http://[2002:a9fe:a9fe::]/x",
        "http://224.0.0.1/x", "http://255.255.255.255/x", "http://[ff02::1]/x", "http://198.18.0.1/x",
        "http://printer/x",
        "http://geoserver:8080/x", "http://nas.local/x", "http://db.internal/x", "http://router.home.arpa/x",
        "http://[::1%25lo]/x",
        "http://[zz]/x", "HTTP://127.0.0.1/x", "file:///etc/passwd", "FILE:///etc/passwd",
        "file://localhost/etc/passwd",
        "mbtiles:///a.mbtiles", "gpkg:///a.gpkg", "ftp://maps.example/x", "gopher://maps.example/x", "unix:///run/x",
        "redis://maps.example/0", "javascript:1", "/etc/passwd", "", "http:///x", "http://", "//maps.example/x",
        "http:/maps.example/x", "\u{0}file:///etc/passwd", " file:///etc/passwd", "file:/etc/passwd",
    ]

    @Test(arguments: forbidden)
    func `a remote document may not refer to local or private addresses`(url: String) {
        let address = NamedURL(url, namedBy: Self.far)
        #expect(AddressPolicy.standard.refusal(of: address) != nil)
        #expect(AddressPolicy.standard.refusal(of: NamedURL(url, namedBy: Self.document("maps.example"))) != nil)
        // The local user is allowed to.
        #expect(AddressPolicy.standard.refusal(of: NamedURL(url, namedBy: .user)) == nil)
    }

    @Test(arguments: [
        "http://maps.example/x", "https://other.example:8443/x?y", "http://8.8.8.8/x", "http://[2606:4700::1111]/x",
        "data:image/png;base64,AAAA", "http://10.example/x", "https://xn--mnchen-3ya.example/",
    ])
    func `a remote document may refer to public addresses`(url: String) {
        #expect(AddressPolicy.standard.refusal(of: NamedURL(url, namedBy: Self.far)) == nil)
    }

    // (where the document came from, where it may lead)
    @Test(arguments: [
        (IPAddress.Network.loopback, [IPAddress.Network.global, .loopback, .privateUse, .carrier]),
        (.privateUse, [.global, .privateUse, .carrier]), (.carrier, [.global, .privateUse, .carrier]),
        (.linkLocal, [.global, .linkLocal]), (.reserved, [.global, .reserved]), (.global, [.global]),
        (.unspecified, [.global, .unspecified]), (.multicast, [.global, .multicast]),
    ])
    func `a document may refer to addresses of its own network`(
        own: IPAddress.Network, free: [IPAddress.Network]
    ) throws {
        let places: [IPAddress.Network: String] = [
            .global: "8.8.8.8", .loopback: "127.0.0.1", .privateUse: "10.0.0.1", .carrier: "100.64.0.1",
            .linkLocal: "169.254.0.1", .unspecified: "0.0.0.0", .multicast: "224.0.0.1", .reserved: "198.18.0.1",
        ]
        for network in IPAddress.Network.allCases {
            let place = try #require(places[network]), origin = Self.document("maps.example", own)
            let address = try #require(IPAddress(host: place))
            let isFree = free.contains(network)
            #expect(
                (AddressPolicy.standard.refusal(of: NamedURL("http://\(place)/", namedBy: origin)) == nil) == isFree)
            #expect(
                (AddressPolicy.standard.refusal(of: address, host: "any.example", namedBy: origin) == nil) == isFree)
        }
    }

    @Test func `a document of a local server may refer to neighbouring hosts by name`() {
        for host in ["localhost", "127.0.0.1", "[::1]"] {
            for url in ["http://localhost:8080/wms", "http://127.0.0.1:1/", "http://10.0.0.1/", "http://geoserver/"] {
                #expect(AddressPolicy.standard.refusal(of: NamedURL(url, namedBy: Self.document(host))) == nil)
            }
            let secrets = NamedURL("http://169.254.169.254/", namedBy: Self.document(host))
            #expect(AddressPolicy.standard.refusal(of: secrets) != nil)
        }
    }

    @Test func `the address of a document's host is checked again on connection`() throws {
        let origin = Self.document("maps.example", .global), policy = AddressPolicy.standard
        #expect(policy.refusal(of: NamedURL("http://maps.example/x", namedBy: origin)) == nil)
        #expect(policy.looksAtConnections(to: "maps.example", namedBy: origin))
        let home = try #require(IPAddress(host: "127.0.0.1")), same = try #require(IPAddress(host: "8.8.4.4"))
        #expect(policy.refusal(of: home, host: "maps.example", namedBy: origin) != nil)
        #expect(policy.refusal(of: same, host: "maps.example", namedBy: origin) == nil)
        // Behind a proxy its address is unknown; another host is checked anyway.
        let unseen = Self.document("maps.example")
        #expect(!policy.looksAtConnections(to: "maps.example", namedBy: unseen))
        #expect(policy.looksAtConnections(to: "other.example", namedBy: unseen))
        #expect(policy.refusal(of: home, host: "other.example", namedBy: unseen) != nil)
        #expect(!policy.looksAtConnections(to: "other.example", namedBy: .user))
    }

    @Test func `a file may refer to files and hosts but not to cloud metadata addresses`() throws {
        let file = NamedURL.Origin.file(within: "/d")
        for url in ["file:///d/a.png", "http://localhost/", "http://10.0.0.1/", "https://maps.example/", "data:,x"] {
            #expect(AddressPolicy.standard.refusal(of: NamedURL(url, namedBy: file)) == nil)
        }
        for url in ["http://169.254.169.254/", "http://0.0.0.0/", "http://[fe80::1]/", "mbtiles:///a", "ftp://h/"] {
            #expect(AddressPolicy.standard.refusal(of: NamedURL(url, namedBy: file)) != nil)
        }
        let secrets = try #require(IPAddress(host: "169.254.169.254"))
        #expect(AddressPolicy.standard.refusal(of: secrets, host: "nice.example", namedBy: file) != nil)
    }

    @Test(arguments: [
        ("file:///d/e/a.png", true), ("file:///d/e/f/a.png", true), ("file://localhost/d/e/a.png", true),
        ("file:///d/e/f/../a.png", true), ("file:///shared/icons/a.png", true), ("file:///d/a.png", false),
        ("file:///d/e/../a.png", false), ("file:///d/e/%2e%2e/a.png", false), ("file:///d/e/f/..%2F..%2Fa.png", false),
        ("file:///d/eve/a.png", false), ("file:///etc/passwd", false), ("file:///", false),
        ("file:///shared/../etc/passwd", false), ("FILE:///etc/passwd", false), ("file:relative", false),
    ])
    func `a file may refer to files in its folder, its subfolders and allowed folders`(url: String, isFree: Bool) {
        let policy = AddressPolicy(allowedFolders: ["/shared"])
        #expect((policy.refusal(of: NamedURL(url, namedBy: .file(within: "/d/e"))) == nil) == isFree)
        #expect(policy.refusal(of: NamedURL(url, namedBy: Self.far)) != nil)
        #expect(policy.refusal(of: NamedURL(url, namedBy: .user)) == nil)
    }

    @Test(arguments: [
        ("localhost", "http://localhost:8080/", true), ("LocalHost", "http://localhost./", true),
        ("10.0.0.7", "http://10.0.0.7/", true), ("10.0.0.7", "http://10.0.0.8/", false),
        ("*.corp.example", "http://gis.corp.example/", true), ("*.corp", "http://gis.corp/", true),
        ("*.local", "http://nas.local/", true), ("*.local", "http://local/", false), ("[::1]", "http://[::1]/", true),
        ("localhost", "file:///etc/passwd", false), ("localhost", "mbtiles://localhost/a", false),
    ])
    func `a remote document may refer to allowed hosts only`(host: String, url: String, isFree: Bool) {
        let policy = AddressPolicy(allowedHosts: [host.lowercased()])
        #expect((policy.refusal(of: NamedURL(url, namedBy: Self.far)) == nil) == isFree)
    }

    @Test func `an allowed host may have a private address`() throws {
        let policy = AddressPolicy(allowedHosts: ["gis.example"])
        #expect(policy.allowsPrivateAddresses(for: "GIS.example."))
        #expect(!policy.looksAtConnections(to: "gis.example", namedBy: Self.far))
        let home = try #require(IPAddress(host: "127.0.0.1"))
        #expect(policy.refusal(of: home, host: "gis.example", namedBy: Self.far) == nil)
    }

    @Test func `a refusal names the address and its origin`() throws {
        func words(_ url: String) -> String? {
            AddressPolicy.standard.refusal(of: NamedURL(url, namedBy: Self.far))?.description
        }
        #expect(words("file:///etc/passwd") == "a document from maps.example may not refer to a file: URL")
        #expect(
            words("http://10.0.0.1/")
                == "a document from maps.example may not refer to 10.0.0.1, a private network; to permit this, allow the host"
        )
        let found = try #require(IPAddress(host: "127.0.0.1"))
        #expect(
            AddressPolicy.standard.refusal(of: found, host: "x.example", namedBy: Self.far)?.description
                == "a document from maps.example may not refer to x.example (127.0.0.1), this machine; to permit this, allow "
                + "the host")
    }
}

@Suite struct AddressOriginTests {
    @Test func `addresses in a document are attributed to the document, not to the user`() {
        let asked: NamedURL = "http://maps.example/caps"
        let contents = NamedURL.Origin(contentsOf: "http://cdn.example/caps", network: .global, askedFor: asked)
        #expect(
            contents == .document(NamedURL.RemoteDocument(host: "cdn.example", network: .global, root: "maps.example")))
        // What that leads to keeps the user's word as its root.
        let next = NamedURL.Origin(
            contentsOf: "http://third.example/", askedFor: NamedURL("http://third.example/", namedBy: contents))
        #expect(next == .document(NamedURL.RemoteDocument(host: "third.example", root: "maps.example")))
        #expect(NamedURL.Origin(contentsOf: "file:///a/b.json") == .file(within: "/a"))
        // What a file names keeps to the folder of that file.
        let below = NamedURL("file:///a/b/c/d.kml", namedBy: .file(within: "/a"))
        #expect(NamedURL.Origin(contentsOf: below.text, askedFor: below) == .file(within: "/a"))
        let fromFile = NamedURL.Origin(
            contentsOf: "http://h.example/", askedFor: NamedURL("http://h.example/", namedBy: .file(within: "/")))
        #expect(fromFile == .document(NamedURL.RemoteDocument(host: "h.example")))
        #expect(NamedURL.Origin(contentsOf: "data:,x", askedFor: NamedURL("data:,x", namedBy: contents)) == contents)
    }

    @Test func `the user's settings are only sent to hosts that the user names`() {
        let origin = NamedURL.Origin.document(NamedURL.RemoteDocument(host: "cdn.example", root: "maps.example"))
        #expect(origin.isUserNamed(host: "maps.example"))
        #expect(!origin.isUserNamed(host: "cdn.example"))
        #expect(
            NamedURL.Origin.user.isUserNamed(host: "any.example")
                && !NamedURL.Origin.file(within: "/").isUserNamed(host: "any.example"))
    }

    @Test(arguments: [
        ("https://icons.example.org/a.png", true), ("https://a.maps.example/a.png", true),
        ("https://other.example.org/a.png", false), ("https://192.0.2.1/a.png", false),
        ("http://localhost/a.png", false),
        ("https://maps.example/a.png", false),
    ])
    func `a limited policy allows its hosts alone, also those of a document's own host`(url: String, isAllowed: Bool) {
        var policy = AddressPolicy(allowedHosts: ["icons.example.org", "*.maps.example"])
        policy.isLimitedToAllowedHosts = true
        for host in ["icons.example.org", "other.example.org", "localhost"] {
            let origin = NamedURL.Origin.document(NamedURL.RemoteDocument(host: host))
            #expect((policy.refusal(of: NamedURL(url, namedBy: origin)) == nil) == isAllowed)
        }
    }
}
