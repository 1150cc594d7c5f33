import PortolanWeb
import PortolanXML
import Testing

@Suite struct XMLReaderTests {
    private func tree(_ text: String, limits: XMLLimits = XMLLimits()) throws(XMLError) -> XMLTree {
        try XMLReader(limits: limits).tree(of: Array(text.utf8))
    }

    private func failure(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) -> XMLError? {
        do {
            _ = try XMLReader(limits: limits).tree(of: bytes)
            return nil
        } catch {
            return error
        }
    }

    private func failure(_ text: String) -> XMLError? { failure(Array(text.utf8)) }

    private static func many(_ count: Int, separator: String = " ", _ piece: (Int) -> String) -> String {
        (0..<count).map(piece).joined(separator: separator)
    }

    private static let costlyDocuments: [String] = {
        var documents: [String] = []
        documents.append("<a b='" + String(repeating: "x", count: 10_000_000) + "'/>")
        documents.append("<a " + many(200_000) { "a\($0)=''" } + "/>")
        documents.append("<a" + String(repeating: " ", count: 100_000) + "/>")
        documents.append("<" + String(repeating: "a", count: 100_000) + "/>")
        documents.append("<!DOCTYPE a [" + String(repeating: "<!ELEMENT b EMPTY>", count: 10_000) + "]><a/>")
        documents.append("<!DOCTYPE a [<!--" + String(repeating: " x ", count: 100_000) + "--> ]><a/>")
        documents.append("<a>" + many(20_000, separator: "") { "<b c='\($0)'>" } + "</a>")
        documents.append("<a " + many(1001) { "a\($0)=''" } + "/>")
        documents.append(
            many(190) { level in "<a " + many(10) { "xmlns:p\(level)-\($0)='u'" } + ">" })
        #if Drivers
        // Otherwise no default values are added.
        documents.append("<!DOCTYPE a [<!ATTLIST a " + many(40) { "b\($0) CDATA 'x'" } + ">]><a/>")
        let long = String(repeating: "x", count: 60_000)
        documents.append(
            "<!DOCTYPE a [<!ATTLIST b c CDATA '\(long)'>]><a>" + String(repeating: "<b/>", count: 100_000) + "</a>")
        #endif
        return documents
    }()

    // MARK: What is read

    @Test func `elements, attributes, text, CDATA sections and references are read`() throws {
        let root = try tree(
            "<?xml version='1.0'?>\n<a x='1' y=\"&lt;&#65;&quot;\"> t &amp; <b/>u<!-- c --><![CDATA[<raw>&]]> </a>"
        ).root
        #expect(root.name == "a")
        #expect(root.attributes == [XMLAttribute(name: "x", value: "1"), XMLAttribute(name: "y", value: "<A\"")])
        #expect(root.children.map(\.name) == ["b"])
        #expect(root.text == "t & u<raw>&")
        #expect(root.line == 2)
    }

    /// Addresses in capabilities are full of them: cut at the first one, a link leads elsewhere.
    @Test func `all escapes of an ampersand in an attribute are decoded once`() throws {
        let root = try tree("<a x='h?a=1&amp;b=2&amp;c' y='&#38;&#x26;' z='&amp;#38;' w='&amp;amp;'/>").root
        #expect(root.attributes.map(\.value) == ["h?a=1&b=2&c", "&&", "&#38;", "&amp;"])
    }

    /// The prolog of WMS 1.0.0 documents and, for INSPIRE, of 1.1.1.
    @Test func `declarations of parameter entities and many default values are skipped`() throws {
        let many = (0..<60).map { "<!ELEMENT e\($0) EMPTY><!ATTLIST e\($0) x CDATA #FIXED 'y' z (0 | 1) '0'>" }
        let root = try tree(
            "<!DOCTYPE a [<!ENTITY % Known ' b | c '><!ELEMENT b EMPTY>\(many.joined())]><a><e7/><b/></a>"
        ).root
        #expect(root.children.map(\.name) == ["e7", "b"])
        let values = Set((root.child("e7")?.attributes ?? []).map { "\($0.name)=\($0.value)" })
        #expect(values.isSubset(of: ["x=y", "z=0"]))
    }

    @Test(arguments: [
        "<!ATTLIST a b (x | x) 'x'>", "<!NOTATION n SYSTEM 'n'><!ATTLIST a b NOTATION (n | n) #IMPLIED>",
        "<!ELEMENT a (b, b)><!ELEMENT a (b)>", "<!ATTLIST a b CDATA 'x' b CDATA 'y'>", "<!ATTLIST a b ID 'x'>",
        "<!ATTLIST a xml:space (wrong) 'wrong'>", "<!ATTLIST a b (x | y) 'z'>", "<!ELEMENT a (#PCDATA | b | b)*>",
    ])
    func `contradictory declarations are harmless`(_ declaration: String) throws {
        let root = try tree("<!DOCTYPE a [\(declaration)]><a>text</a>").root
        #expect(root.name == "a")
        #expect(root.text == "text")
    }

    #if Drivers
    @Test func `a value that is declared twice is a warning`() throws {
        let tree = try tree("<!DOCTYPE a [<!ATTLIST a b (x | x) 'x'>]><a/>")
        #expect(tree.warnings.contains { $0.description.contains("x duplicated") })
    }
    #endif

    @Test(arguments: ["%p;", "<!ENTITY % q '<!ENTITY r \"s\">'> %q;", "%p; %p;"])
    func `the use of a parameter entity is refused`(use: String) {
        let error = failure("<!DOCTYPE a [<!ENTITY % p ' b '> \(use)]><a/>")
        guard case .entity(let name)? = error?.reason else {
            Issue.record("\(error?.description ?? "read")")
            return
        }
        #expect(name.hasPrefix("%"))
    }

    @Test func `an element is found in another case if none matches exactly`() throws {
        let root = try tree("<a><Title>x</Title><title>y</title><LAYER/><layer/></a>").root
        #expect(root.text(of: "Title") == "x")
        #expect(root.text(of: "title") == "y")
        let either: [XMLElement] = root.children("Layer"), exact: [XMLElement] = root.children("layer")
        #expect(either.map(\.name) == ["LAYER", "layer"])
        #expect(exact.map(\.name) == ["layer"])
        #expect(root.child("Lager") == nil)
    }

    @Test func `namespaces are distinguished and ignored`() throws {
        let root = try tree("<p:a xmlns:p='urn:p' xmlns='urn:d'><b p:c='1'/></p:a>").root
        #expect(root.prefix == "p")
        #expect(root.namespace == "urn:p")
        #expect(root.child("b")?.namespace == "urn:d")
        #expect(root.child("b")?.attribute("c") == "1")
        #expect(root.child("b")?.attributes.first?.prefix == "p")
    }

    @Test func `a prefix that is not declared is a warning`() throws {
        let tree = try tree("<a>\n<xlink:b xlink:href='u'/></a>")
        #expect(tree.root.child("b")?.prefix == "xlink")
        #expect(tree.root.child("b")?.attribute("href") == "u")
        #expect(tree.root.child("b")?.namespace == nil)
        // Foundation on Linux does not hand it over.
        #if Drivers
        #expect(tree.warnings.contains { $0.description.hasPrefix("line 2") && $0.description.contains("xlink") })
        #endif
    }

    @Test func `a byte order mark and white space before the declaration keep line numbers right`() throws {
        let tree = try XMLReader().tree(
            of: [0xEF, 0xBB, 0xBF] + Array("\r\n \n<?xml version='1.0'?>\n<a>\n<b/></a>".utf8))
        #expect(tree.root.child("b")?.line == 5)
    }

    @Test(arguments: ["ISO-8859-1", "iso-8859-15", "windows-1252"])
    func `Latin text is decoded`(encoding: String) throws {
        let head = Array("<?xml version=\"1.0\" encoding=\"\(encoding)\"?><a b='".utf8)
        let bytes = head + [0xF1, 0x27, 0x3E, 0xC1, 0xE9] + Array("</a>".utf8)
        let root = try XMLReader().tree(of: bytes).root
        #expect(root.text == "Áé")
        #expect(root.attribute("b") == "ñ")
    }

    @Test func `long Latin documents are decoded throughout`() throws {
        var bytes = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8)
        for _ in 0..<20_000 { bytes += Array("<b>".utf8) + [0xF1] + Array("</b>\n".utf8) }
        let root = try XMLReader().tree(of: bytes + Array("</a>".utf8)).root
        #expect(root.children.count == 20_000)
        #expect(root.children.allSatisfy { $0.text == "ñ" })
    }

    @Test(arguments: [true, false], [true, false])
    func `UTF-16 is decoded in both byte orders, with and without a byte order mark`(isBig: Bool, hasMark: Bool) throws
    {
        let text = (hasMark ? "\u{FEFF}" : "") + "<?xml version='1.0' encoding='UTF-16'?>\n<a b='ñ'>日本 😀</a>"
        let bytes = text.utf16.flatMap {
            isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
        }
        let root = try XMLReader().tree(of: bytes).root
        #expect(root.text == "日本 😀")
        #expect(root.attribute("b") == "ñ")
        #expect(root.line == 2)
    }

    @Test func `UTF-8 bytes declared as UTF-16 are read with a warning`() throws {
        let tree = try tree("<?xml version='1.0' encoding='utf-16'?><a>ñ</a>")
        #expect(tree.root.text == "ñ")
        #expect(tree.warnings.count == 1)
    }

    @Test func `a document type declaration is ignored and its address never opened`() throws {
        let root = try tree(
            """
            <?xml version="1.0"?>
            <!DOCTYPE WMT_MS_Capabilities SYSTEM "http://127.0.0.1:1/never.dtd" [
             <!-- it isn't read -->
             <!ELEMENT VendorSpecificCapabilities (TileSet*) >
             <!ENTITY unused "x">
             ]>  <!-- end -->
            <WMT_MS_Capabilities version="1.1.1"><a>b</a></WMT_MS_Capabilities>
            """
        ).root
        #expect(root.text(of: "a") == "b")
    }

    @Test func `a valid document of 12 MB is read whole`() throws {
        let row =
            "<Placemark id=\"p\"><name>Straße &amp; ñ</name><coordinates>1.5,2.5 3.5,4.5</coordinates></Placemark>\n"
        let count = 12_000_000 / row.utf8.count + 1
        let text = "<kml>" + String(repeating: row, count: count) + "</kml>"
        let root = try tree(text).root
        #expect(root.children.count == count)
        #expect(root.children("Placemark").last?.text(of: "name") == "Straße & ñ")
    }

    @Test func `comments and text longer than the tag limit are read`() throws {
        let long = String(repeating: "x", count: 200_000)
        let root = try tree("<!--\(long)--><?pi \(long)?><a>\(long)<![CDATA[\(long)>]]></a>").root
        #expect(root.text.utf8.count == 400_001)
    }

    @Test func `attribute names match in any case only on request`() throws {
        let root = try tree("<a><TileSet/><tileset X='1'/></a>").root
        #expect(root.child("tileset")?.attribute("x") == nil)
        #expect(root.child("tileset")?.attribute("x", ignoringCase: true) == "1")
    }

    // MARK: What is refused

    @Test(arguments: ["", "  \n ", "\u{FEFF}"])
    func `an empty document is an error`(text: String) {
        #expect(failure(text)?.reason == .empty)
    }

    @Test(arguments: [
        "plain words",
        "<a><b></a>",
        "<a>",
        "<a b=c/>",
        "<a b='1' b='2'/>",
        "<a",
        "{\"a\": 1}", "<>", "<a><![CDATA[x</a>", "<!-- x", "<?xml version='1.0'?>", "<!DOCTYPE a [",
    ])
    func `a document that is not well-formed is an error with its line`(text: String) {
        let error = failure("\n\n" + text)
        guard case .notWellFormed? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.line == 3)
    }

    @Test func `an error has the line where it occurs`() {
        #expect(failure("<a>\n<b>\n</c>\n</a>")?.line == 3)
        let error = failure("<Abstract>\nCached <direct</Abstract>")
        #expect(error?.line == 2)
        #expect(error?.column != nil)
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY l \"lol\"><!ENTITY m \"&l;&l;&l;&l;\"><!ENTITY n \"&m;&m;&m;&m;\">]><a>&n;</a>",
        "<!DOCTYPE a [<!ENTITY l SYSTEM \"file:///etc/passwd\">]><a>&l;</a>",
        "<!DOCTYPE a [<!ENTITY l SYSTEM \"http://127.0.0.1:1/x\">]><a b='1'>&l;</a>",
        "<!DOCTYPE a [<!ENTITY l \"x\">]><a b='&l;'/>",
        "<!DOCTYPE a [<!ENTITY % p SYSTEM \"http://127.0.0.1:1/x\"> %p; ]><a/>",
        "<!DOCTYPE a SYSTEM \"http://127.0.0.1:1/x\"><a>&own;</a>",
    ])
    func `entities are never expanded`(text: String) {
        guard case .entity? = failure(text)?.reason else {
            Issue.record("\(String(describing: failure(text)))")
            return
        }
    }

    @Test func `an entity of a million characters used often is refused at once`() {
        let text = "<!DOCTYPE a [<!ENTITY l \"" + String(repeating: "x", count: 60_000) + "\">]><a>"
        #expect(failure(text + String(repeating: "&l;", count: 100_000) + "</a>")?.reason == .entity("l"))
    }

    @Test func `a million levels are refused at the limit`() {
        let error = failure(Array(String(repeating: "<a>\n", count: 1_000_000).utf8))
        #expect(error?.reason == .limit("elements are nested deeper than 200"))
        #expect(error?.line == 201)
    }

    @Test(arguments: costlyDocuments)
    func `too expensive documents are refused`(text: String) {
        guard case .limit? = failure(text)?.reason else {
            Issue.record("\(String(describing: failure(text)))")
            return
        }
    }

    @Test func `attributes are counted before a long tag is parsed`() {
        let text = "<a>\n<b " + Self.many(100_000) { "a\($0)=''" } + "/></a>"
        let error = failure(Array(text.utf8), limits: XMLLimits(tagLength: 4 << 20))
        #expect(error?.reason == .limit("a tag has more than 2000 attributes"))
        #expect(error?.line == 2)
    }

    @Test func `more elements or bytes than allowed are refused`() {
        let bytes = Array(("<a>" + String(repeating: "<b/>", count: 100) + "</a>").utf8)
        #expect(failure(bytes, limits: XMLLimits(elementCount: 101)) == nil)
        #expect(failure(bytes, limits: XMLLimits(elementCount: 100)) != nil)
        #expect(failure(bytes, limits: XMLLimits(byteCount: bytes.count)) == nil)
        #expect(failure(bytes, limits: XMLLimits(byteCount: bytes.count - 1)) != nil)
    }

    @Test func `encodings whose markup is not ASCII are refused`() {
        #expect(failure("<?xml version='1.0' encoding='ISO-2022-JP'?><a/>")?.reason == .encoding("ISO-2022-JP"))
        #expect(failure("<?xml version='1.0' encoding='UTF-7'?><a/>")?.reason == .encoding("UTF-7"))
        #expect(failure([0, 0, 0, 0x3C, 0, 0, 0, 0x61])?.reason == .encoding("UTF-32"))
        #expect(failure([0xFE, 0xFF, 0x00]) != nil)
    }

    @Test func `bytes invalid in the encoding are an error if nothing is repaired`() {
        #expect(throws: XMLError.self) {
            try XMLReader().wellFormedTree(of: Array("<a>".utf8) + [0xF1, 0x20] + Array("</a>".utf8))
        }
    }

    @Test func `random bytes do not make the reader crash or hang`() {
        let seed = Array(
            "<?xml version='1.0'?><!DOCTYPE a [<!ELEMENT a ANY>]><a b='1'><!-- c --><p:c>&lt;<![CDATA[x]]></p:c></a>"
                .utf8)
        var state: UInt64 = 42
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var outcomes = Set<Bool>()
        for _ in 0..<3000 {
            var bytes = seed
            for _ in 0...random(4) { bytes[random(bytes.count)] = UInt8(random(256)) }
            if random(3) == 0 { bytes.removeSubrange(random(bytes.count)...) }
            outcomes.insert(failure(bytes) == nil)
        }
        #expect(outcomes == [true, false])
    }
}
