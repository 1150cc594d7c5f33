import PortolanWeb
import Testing

@testable import PortolanXML

@Suite struct XMLCutDocumentTests {
    @Test(
        arguments: [
            ("<a><b/><c x=\"1", "<a><b/></a>"), ("<a><b/><c x=\"1\"", "<a><b/></a>"),
            ("<a><b/><c>12", "<a><b/><c></c></a>"),
            ("<a><b/><c>1,2 3,4 5", "<a><b/><c>1,2 3,4</c></a>"), ("<a><b/><!-- half", "<a><b/></a>"),
            ("<a><b/><![CDATA[half", "<a><b/></a>"),
            ("<a>\n<b>x</b>\n<c><d>y</d></c", "<a>\n<b>x</b>\n<c><d>y</d></c></a>"),
            ("<?xml version='1.0'?><n:a><n:b/>", "<?xml version='1.0'?><n:a><n:b/></n:a>"), ("<a><b/><", "<a><b/></a>"),
            ("<a><b>1,2 3,4 5", "<a><b>1,2 3,4</b></a>"),
        ])
    func `open elements of a truncated document are closed`(text: String, closed: String) throws {
        let cut = try #require(XMLCutDocument(closing: Array(text.utf8)))
        #expect(String(decoding: cut.bytes, as: UTF8.self) == closed)
        #expect(cut.warning.effect == .omitted)
    }

    @Test(arguments: ["<a><b/></a>", "<a", "<a>", "<a><b>", "<a><b></a>", "", "text", "<a><b/></a><c>", "<a>1 < 2<b/>"])
    func `complete or unusable documents are not closed`(text: String) {
        #expect(XMLCutDocument(closing: Array(text.utf8)) == nil)
    }

    @Test func `elements deeper than a limit are not closed`() {
        let text = String(repeating: "<a>", count: 300) + "<b/>"
        #expect(XMLCutDocument(closing: Array(text.utf8)) == nil)
    }
}
