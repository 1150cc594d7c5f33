import PortolanWeb
import PortolanXML
import Testing

@Suite struct XMLMenderTests {
    /// A slip: the document, the text of its element `b`, a clause of the warning, and the line it names.
    struct Slip: Sendable, CustomStringConvertible {
        let bytes: [UInt8]
        let text: String
        let warning: String
        let line: Int

        init(_ document: String, _ text: String, _ warning: String, line: Int = 2) {
            self.init(Array(document.utf8), text, warning, line: line)
        }

        init(_ bytes: [UInt8], _ text: String, _ warning: String, line: Int = 2) {
            self.bytes = bytes
            self.text = text
            self.warning = warning
            self.line = line
        }

        var description: String { String(decoding: bytes, as: UTF8.self) }
    }

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    private static func latin(_ bytes: [UInt8], declaration: String = XMLMenderTests.declaration) -> [UInt8] {
        Array((declaration + "<a><b>").utf8) + bytes + Array("</b></a>".utf8)
    }

    static let slips: [Slip] = [
        // Bytes that are not UTF-8.
        Slip(latin([0x47, 0xE4, 0x75]), "Gäu", "byte 0xE4 is not UTF-8"),
        Slip(latin([0x47, 0xE4, 0x75], declaration: "\n"), "Gäu", "byte 0xE4"),
        Slip(latin([0x47, 0xE4, 0x75], declaration: "<?xml version='1.0'?>\n"), "Gäu", "byte 0xE4"),
        Slip(latin([0xA9, 0x20, 0xE9, 0xE8]), "© éè", "the first of 3"),
        Slip(latin([0x93, 0x80, 0x94, 0x92]), "“€”’", "Windows-1252"),
        Slip(latin([0xC3, 0xA4, 0xE4]), "ää", "byte 0xE4"),
        Slip(latin([0xF0, 0x9F]), "ðŸ", "byte 0xF0"),
        Slip(latin([0xED, 0xA0, 0x80]), "\u{FFFD}", "does not allow"),
        Slip(
            latin([0x47, 0xE4], declaration: "<?xml version='1.0' encoding='US-ASCII'?>\n"), "Gä", "byte 0xE4"),
        // Characters that XML does not allow.
        Slip("<a>\n<b>A\u{0B}B</b></a>", "A B", "does not allow this character"),
        Slip("<a>\n<b>A\u{1}B\u{2}</b></a>", "A\u{FFFD}B\u{FFFD}", "the first of 2"),
        Slip("<a>\n<b>A&#x1F;B</b></a>", "A\u{FFFD}B", "does not allow this character"),
        Slip("<a>\n<b>A&#0;B&#55296;&#99999999999;</b></a>", "A\u{FFFD}B\u{FFFD}\u{FFFD}", "the first of 3"),
        Slip("<a>\n<b><![CDATA[A\u{1}]]></b></a>", "A\u{FFFD}", "does not allow this character"),
        Slip("<a>\n<!-- \u{1} --><b>A</b></a>", "A", "does not allow this character"),
        Slip("<a>\n<b>A\u{FFFE}</b></a>", "A\u{FFFD}", "does not allow this character"),
        // Ampersands and brackets.
        Slip("<a>\n<b>Research & Development</b></a>", "Research & Development", "should be '&amp;'"),
        Slip("<a>\n<b>AT&T; R&D &</b></a>", "AT&T; R&D &", "the first of 3"),
        Slip("<a>\n<b>&#; &#x; &#xyz; &;</b></a>", "&#; &#x; &#xyz; &;", "the first of 4"),
        Slip("<a>\n<b>x?a=1&copy=2&amp;c=3&d</b></a>", "x?a=1&copy=2&c=3&d", "the first of 2"),
        Slip("<a>\n<b>1 < 2 <= 3</b></a>", "1 < 2 <= 3", "should be escaped"),
        Slip("<a>\n<b>x[y[0]]>1</b></a>", "x[y[0]]>1", "should be escaped"),
        // Entities of HTML.
        Slip("<a>\n<b>A&nbsp;B</b></a>", "A\u{A0}B", "'&nbsp;' is not an XML entity"),
        Slip("<a>\n<b>&Auml;&ouml;&copy;&euro;&ndash;&hellip;&Omega;</b></a>", "Äö©€–…Ω", "'&Auml;'"),
        Slip("<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/x'><a>\n<b>&eacute;&lt;</b></a>", "é<", "'&eacute;'"),
        Slip("<!DOCTYPE a [<!ELEMENT b EMPTY> <!-- ' -->]><a>\n<b>&eacute;</b></a>", "é", "'&eacute;'"),
        // Comments.
        Slip("<a>\n<!-- x -- y --><b>A</b></a>", "A", "'--'"),
        // Before and after.
        Slip(
            "\(declaration)<a><b>A</b></a>\n<!-- page in 0.2 s -->\n<br/>Warning: mysql_close()\n", "A",
            "after the end",
            line: 4),
        Slip("<a>\n<b>A</b></a>\0\0", "A", "after the end"),
        Slip("<a>\n<b>A</b></a></a>", "A", "after the end"),
        Slip("<br />\n<b>Warning</b>: in a.php<br />\n\(declaration)<a><b>A</b></a>", "A", "before the XML", line: 1),
        Slip("Notice: Undefined index\n\(declaration)<a><b>A</b></a>", "A", "before the XML", line: 1),
        Slip("<p><b>Notice</b>\n\(declaration)<a><b>A</b></a>", "A", "before the XML", line: 1),
        Slip("x\n<a><b>A</b></a>", "A", "before the XML", line: 1),
        Slip("<?xml version='1.0'?>\n<?xml version='1.0'?>\n<a><b>A</b></a>", "A", "before the XML", line: 1),
    ]

    @Test(arguments: slips)
    func `a common markup error is repaired and reported with its line`(slip: Slip) throws {
        let tree = try XMLReader().tree(of: slip.bytes)
        #expect(tree.root.name == "a")
        #expect(tree.root.text(of: "b") == slip.text)
        let repairs = tree.warnings.filter { $0.effect == .repaired }
        #expect(repairs.contains { $0.message.contains(slip.warning) }, "\(tree.warnings)")
        #expect(repairs.first?.place?.line == slip.line)
        #expect(repairs.first?.code == .markup)
    }

    @Test(arguments: slips)
    func `repaired documents keep their line numbers`(slip: Slip) throws {
        let element = try #require(try XMLReader().tree(of: slip.bytes).root.child("b"))
        let lines = slip.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let expected = lines.firstIndex { $0.firstRange(of: Array("<b>A".utf8)) != nil } ?? 1
        #expect(element.line == expected + 1)
    }

    @Test func `URLs with unescaped ampersands keep their parameters`() throws {
        let tree = try XMLReader().tree(of: Array("<a h='http://x/?a=1&b=2&amp;c=3&' k=\"a<b&lt;'&quot;\"/>".utf8))
        #expect(tree.root.attribute("h") == "http://x/?a=1&b=2&c=3&")
        #expect(tree.root.attribute("k") == "a<b<'\"")
    }

    @Test func `the position of an error is its byte offset`() throws {
        let text = "<?xml version='1.0'?>\n<a><b>x</b>\n<b>ä & ö</b></a>"
        let place = try #require(try XMLReader().tree(of: Array(text.utf8)).warnings.first?.place)
        #expect(place.line == 3)
        #expect(place.byteOffset == Array(text.utf8).firstIndex(of: UInt8(ascii: "&")))
    }

    @Test func `a repaired document keeps its declared encoding`() throws {
        let head = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a><b>R&D ".utf8)
        let tree = try XMLReader().tree(of: head + [0xE4, 0x26, 0x6E, 0x62, 0x73, 0x70, 0x3B] + Array("</b></a>".utf8))
        #expect(tree.root.text(of: "b") == "R&D ä\u{A0}")
    }

    @Test func `an unpaired UTF-16 surrogate becomes U+FFFD`() throws {
        var units = Array("<a><b>x</b></a>".utf16)
        units.insert(0xD800, at: 7)
        for isOdd in [false, true] {
            var bytes: [UInt8] = [0xFE, 0xFF]
            for unit in units { bytes += [UInt8(unit >> 8), UInt8(unit & 255)] }
            if isOdd { bytes.append(0x20) }
            let tree = try XMLReader().tree(of: bytes)
            #expect(tree.root.text(of: "b") == "x\u{FFFD}")
            #expect(tree.warnings.contains { $0.effect == .repaired })
        }
    }

    @Test func `a well-formed document is read as it is`() throws {
        let text = "<?xml version='1.0'?><!-- c --><a><b>x &amp; y</b><!-- d --></a><!-- e --><?f g?>\n"
        #expect(try XMLReader().tree(of: Array(text.utf8)).warnings.isEmpty)
    }

    // MARK: What stays refused

    @Test(arguments: [
        "<a><b>x</b>", "<a><b>x</a></b>", "<a b=c/>", "<a b='1' b='2'/>", "<a>\n<b>x & y</b><c></a>",
        "words & <b>more</b> of them",
        "<p>Not found<br>sorry</p>", "<a", "<>", "& < > &nbsp;", "<!-- <a/> ", "<![CDATA[<a/>", "</a>", "<br><br>",
    ])
    func `irreparable documents are an error`(text: String) {
        #expect(throws: XMLError.self) { try XMLReader().tree(of: Array(text.utf8)) }
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY l 'lol'><!ENTITY m '&l;&l;'>]><a>&m; & &nbsp;</a>",
        "<!DOCTYPE a [<!ENTITY l SYSTEM 'file:///etc/passwd'>]><a>&l; &</a>",
        "<!DOCTYPE a [<!ENTITY nbsp SYSTEM 'file:///etc/passwd'>]><a>&nbsp;</a>",
        "<!DOCTYPE a [<!ENTITY l 'x'>]><a b='&l;&'/>",
        "x <!DOCTYPE a [<!ENTITY l 'x'>]>\n<a>\u{1}&l;                                        </a>",
        "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/x'><a>&own; &</a>",
        "<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/x'> %p; ]><a>&</a>",
    ])
    func `declared entities are refused whatever else is repaired`(text: String) throws {
        let error = #expect(throws: XMLError.self) { try XMLReader().tree(of: Array(text.utf8)) }
        guard case .entity? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `the error of an irreparable document has the original line number`() {
        let error = #expect(throws: XMLError.self) {
            try XMLReader().tree(of: Array("<x/>\n<?xml version='1.0'?>\n<a>\n&\n<b></a>\n".utf8))
        }
        #expect(error?.line == 5)
    }

    @Test func `documents that repairs enlarge beyond the limit are refused`() {
        let bytes = Array(("<a>" + String(repeating: "&", count: 1000) + "</a>").utf8)
        #expect(throws: XMLError.self) { try XMLReader(limits: XMLLimits(byteCount: 2000)).tree(of: bytes) }
        #expect((try? XMLReader().tree(of: bytes))?.root.text.count == 1000)
    }

    /// Each is a document of a megabyte whose cost would show within the test's time if it grew with the square of the length.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "&", "<", "<br/>", "<b>", "</b>", "<!--", "<![CDATA[", "<!DOCTYPE ", "<?xml ?>", "<?x", "<a b='", "]]>",
            "&nbsp;",
            "\u{1}", "<a/>x", "<!-- - -->", "\n<x/>\n", "<!DOCTYPE a [", "<!DOCTYPE a ['", "<!-",
        ])
    func `the cost of repairing is linear`(piece: String) {
        let count = 1_000_000 / piece.utf8.count
        let middle = Array(String(repeating: piece, count: count).utf8)
        for bytes in [middle, Array("<r>".utf8) + middle + Array("</r>".utf8), middle + Array("<r>&</r>".utf8)] {
            _ = try? XMLReader().tree(of: bytes)
        }
    }

    @Test func `fragments are read leniently from the beginning`() throws {
        final class Recorder: XMLHandler {
            var names: [String] = []
            func startElement(_ tag: XMLStartTag) { names.append(tag.name) }
            func text(_ utf8: Span<UInt8>) {}
            func endElement() {}
        }
        let reader = XMLReader()
        var recorder = Recorder()
        let warnings = try reader.readLeniently(Array("<a><b/><c>&</c></a>".utf8)) { bytes throws(XMLError) in
            recorder = Recorder()
            return try reader.read(bytes, into: recorder)
        }
        #expect(recorder.names == ["a", "b", "c"])
        #expect(warnings.map(\.effect) == [.repaired])
    }
}
