import PortolanServices
import PortolanWeb
import Testing

@Suite struct MarkupTextTests {
    @Test(arguments: [
        (#"<a href="https://a.example/x?y=1&amp;z">© A</a> | B"#, "© A | B", ["© A https://a.example/x?y=1&z"]),
        ("<A class=x HREF = 'http://a.example'> © A  and\nB </A>", "© A and B", ["© A and B http://a.example"]),
        ("<a href=https://a.example/>A</a>, <b>C</b>", "A , C", ["A https://a.example/"]),
        (
            #"<a href="https://a.example">A<a href="https://b.example">B</a>"#, "A B",
            ["A https://a.example", "B https://b.example"]
        ),
        // Only pages on the web, with a text.
        (#"<a href="javascript:alert(1)">A</a> <a href="/terms">B</a> <a href="https://c.example"></a>"#, "A B", []),
        (#"<a href="https://a.example/ b">A</a> <a>B</a> <abbr href="https://b.example">C</abbr>"#, "A B C", []),
        (#"<a href="https://a.example">never closed"#, "never closed", []),
        ("<a href", "<a href", []),
    ])
    func `links of anchors are kept with their texts`(markup: String, summary: String, links: [String]) {
        let text = MarkupText(markup)
        #expect(text.summary == summary)
        #expect(text.links.map { "\($0.text) \($0.address)" } == links)
    }

    @Test(arguments: [
        ("© A (https://a.example/terms).", ["https://a.example/terms"]),
        ("http://a.example, see B", ["http://a.example"]),
        ("www.a.example", []), ("ftp://a.example https://", []),
    ])
    func `addresses that are written out lead to themselves`(text: String, addresses: [String]) {
        #expect(AttributionLink.written(in: text).map(\.address) == addresses)
        #expect(AttributionLink.written(in: text).map(\.text) == addresses)
    }
}
