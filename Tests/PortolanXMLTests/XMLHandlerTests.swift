import PortolanWeb
import PortolanXML
import Testing

@Suite struct XMLHandlerTests {
    private final class Recorder: XMLHandler {
        var events: [String] = []
        var refused: String?

        func startElement(_ tag: XMLStartTag) throws(XMLError) {
            if tag.name == refused { throw XMLError(.refused("no \(tag.name)"), line: tag.line) }
            events.append("<\(tag.name)>")
        }

        func text(_ utf8: Span<UInt8>) {
            var bytes: [UInt8] = []
            for index in utf8.indices { bytes.append(utf8[index]) }
            events.append(String(decoding: bytes, as: UTF8.self))
        }

        func endElement() { events.append("</>") }
    }

    @Test func `events come in the order of the document`() throws {
        let recorder = Recorder()
        let warnings = try XMLReader().read(Array("<a>x<b>y</b></a>".utf8), into: recorder)
        #expect(recorder.events == ["<a>", "x", "<b>", "y", "</>", "</>"])
        #expect(warnings.isEmpty)
    }

    @Test func `an error thrown by the handler ends reading and is rethrown`() {
        let recorder = Recorder()
        recorder.refused = "b"
        #expect(throws: XMLError(.refused("no b"), line: 2)) {
            try XMLReader().read(Array("<a>\n<b/><c/></a>".utf8), into: recorder)
        }
        #expect(recorder.events == ["<a>", "\n"])
    }
}
