import PortolanXML
import Testing

/// The plain scanner reads the same as the system's parser.
@Suite struct XMLPlainScannerTests {
    private final class Recorder: XMLHandler {
        /// The tags and texts; texts that follow one another are one.
        private(set) var events: [String] = []
        private var text: [UInt8] = []

        func startElement(_ tag: XMLStartTag) {
            endText()
            var values = tag.attributes.map { "\($0.prefix)|\($0.name)=\($0.value)" }
            #if !Drivers
            // Foundation loses their order.
            values.sort()
            #endif
            events.append("\(tag.line) \(tag.prefix)|\(tag.name) \(tag.namespace ?? "-") \(values)")
        }

        func text(_ utf8: Span<UInt8>) {
            for index in utf8.indices { text.append(utf8[index]) }
        }

        func endElement() {
            endText()
            events.append("end")
        }

        private func endText() {
            if !text.isEmpty { events.append("'\(String(decoding: text, as: UTF8.self))'") }
            text = []
        }
    }

    /// The system parser's result for a document, or `nil` if it reports a fault or a warning.
    private func expected(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) -> [String]? {
        let recorder = Recorder()
        guard (try? XMLReader(limits: limits).read(bytes, into: recorder))?.isEmpty == true else { return nil }
        return recorder.events
    }

    private func plain(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) -> [String]? {
        let recorder = Recorder()
        return XMLReader(limits: limits).readPlain(bytes, into: recorder) ? recorder.events : nil
    }

    static let documents = [
        "<a/>", "<a></a>", "\n<a\n>x</a >\n", "<?xml version=\"1.0\"?><a/>",
        "<?xml version='1.0' encoding='utf-8' standalone=\"yes\"?>\n<!-- x -->\n<a>\n</a>\n<!-- y - z -->\n",
        "\u{FEFF}<a>é日😀&#233;&#x1F600;&amp;&lt;&gt;&quot;&apos;</a>",
        "<a b='1' c=\"it's\" d = 'x &amp; y &#10; &#38;lt;' e=''/>",
        "<a>1<b>2</b>3<b/>4<!-- 5 -->6<![CDATA[<7>&]]]>]]</a>",
        "<a>one\r\ntwo\r\n<b\r\nc='1'\r\n/>\r\n<![CDATA[three\r\nfour]]></a>\r\n", "<a><![CDATA[]]></a>",
        "<a>> ]] ></a>",
        "<g:a xmlns:g='http://www.opengis.net/gml' xmlns='urn:x:y'><b g:c='1' c='2'/><g:b xmlns='https://h/x#'><b/></g:b></g:a>",
        "<a p:b='1' xmlns:p='urn:p'><p:c/></a>", "<a><p:b xmlns:p='urn:1'/><p:b xmlns:p='urn:2'/></a>",
        "<aVeryLongNameOfAnElement><aVeryLongNameOfAnElemenT/></aVeryLongNameOfAnElement>",
        "<_.-9 a.b='' _='1'/>",
    ]

    @Test(arguments: documents)
    func `a plain document is read as by the system's parser`(_ text: String) throws {
        let events = try #require(plain(Array(text.utf8)))
        #expect(events == expected(Array(text.utf8)))
    }

    @Test(arguments: [
        "", "x", "<a>", "<a></b>", "<a/><b/>", "<a/>x", "<a b=c/>", "<a b='1' b='2'/>", "<a b='1'c='2'/>", "<a b='<'/>",
        "<a>&b;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&</a>", "<a>]]></a>", "<a>\u{1}</a>", "<a>\u{FFFE}</a>",
        "<!DOCTYPE a><a/>", "<?xml version='1.1'?><a/>", "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
        "<a><?p?></a>",
        "<p:a/>", "<a p:b='1'/>", "<a xml:lang='x y'/>", "<a xmlns='x'/>", "<a xmlns=''/>", "<a xmlns:b=''/>",
        "<a:b:c/>",
        "<a xmlns:p='urn:1' xmlns:q='urn:1' p:b='1' q:b='2'/>", "<a xmlns:p='urn:1' xmlns:p='urn:2'/>", "<é/>",
        "<a b='\n'/>",
        "<a>\r</a>", "<!-- -- --><a/>", "<!-- --->", "<![CDATA[x]]><a/>", "<a><![CDATA[x]]</a>", "&amp;<a/>", "<-a/>",
        "<a",
        "<a b", "<a b=", "<a b='", "<a/", "</a>", "<!", "<a><!-", "<a>&amp", "<xmlns/>", "<a xmlns='http://h:x/'/>",
    ])
    func `anything else is left to the system's parser`(_ text: String) {
        #expect(plain(Array(text.utf8)) == nil)
    }

    @Test func `invalid UTF-8 is left to the system's parser`() {
        let wrong: [[UInt8]] = [
            [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0xFF],
        ]
        for bytes in wrong {
            #expect(plain(Array("<a>".utf8) + bytes + Array("</a>".utf8)) == nil)
            #expect(plain(Array("<a b='".utf8) + bytes + Array("'/>".utf8)) == nil)
        }
    }

    @Test func `the limits are those of the system's parser`() {
        func limits(_ change: (inout XMLLimits) -> Void) -> XMLLimits {
            var limits = XMLLimits()
            change(&limits)
            return limits
        }
        let text = Array("<a xmlns:p='urn:p' xmlns:q='urn:q' b='1' c='2'><b><c/></b></a>".utf8)
        for (exact, small) in [
            (limits { $0.depth = 3 }, limits { $0.depth = 2 }),
            (limits { $0.elementCount = 3 }, limits { $0.elementCount = 2 }),
            (limits { $0.attributeCount = 2 }, limits { $0.attributeCount = 1 }),
            (limits { $0.namespaceCount = 2 }, limits { $0.namespaceCount = 1 }),
            (limits { $0.tagLength = 47 }, limits { $0.tagLength = 46 }),
            (limits { $0.byteCount = text.count }, limits { $0.byteCount = text.count - 1 }),
        ] {
            #expect(plain(text, limits: exact) == expected(text, limits: exact))
            #expect(plain(text, limits: exact) != nil)
            #expect(plain(text, limits: small) == nil)
            #expect(expected(text, limits: small) == nil)
        }
    }

    @Test func `a damaged document is read only if the system's parser gives the same events`() {
        var state: UInt64 = 7
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let marks = Array("<>&;'\"/=!-[]? \n\r:#x1aAé\u{1}".utf8)
        var readCount = 0
        for number in 0..<600 {
            var bytes = Array(Self.documents[number % Self.documents.count].utf8)
            for _ in 0...next(2) {
                let place = next(bytes.count)
                switch next(3) {
                case 0: bytes[place] = marks[next(marks.count)]
                case 1: bytes.insert(marks[next(marks.count)], at: place)
                default: if bytes.count > 1 { bytes.remove(at: place) }
                }
            }
            guard let events = plain(bytes) else { continue }
            readCount += 1
            #expect(events == expected(bytes), "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(readCount > 50)
    }
}
