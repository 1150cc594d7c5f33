#if Text
import Foundation
import Portolan
import PortolanFeatures
import PortolanProtobuf
import PortolanServerCore
import PortolanText
import TestHelpers
import Testing

/// Ranges of glyphs that are made from fonts.
@Suite struct FontsEndpointTests {
    /// A glyph of a range, read from the fields of the message.
    private struct Glyph: WireMessage, Hashable {
        var numbers: [Int: Int] = [:]
        var bitmap = 0

        mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
            if field.number == 2 { bitmap = field.end - field.start } else { numbers[field.number] = field.int64 }
        }

        func write(to writer: inout WireWriter) {}
    }

    private struct Stack: WireMessage {
        var name = "", range = "", glyphs: [Glyph] = []

        mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
            switch field.number {
            case 1: name = reader.text(field) ?? ""
            case 2: range = reader.text(field) ?? ""
            case 3: try reader.append(field, to: &glyphs)
            default: break
            }
        }

        func write(to writer: inout WireWriter) {}

        subscript(scalar: Unicode.Scalar) -> Glyph? { glyphs.first { $0.numbers[1] == Int(scalar.value) } }
    }

    private static func stack(_ response: ServerResponse) throws -> Stack {
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        #expect(response[header: "Content-Type"] == "application/x-protobuf")
        var reader = WireReader(response.body, elementLimit: 1000), stack = Stack()
        let field = try #require(try reader.next())
        #expect(field.number == 1)
        try reader.read(field, into: &stack)
        #expect(try reader.next() == nil)
        return stack
    }

    /// A server with two fonts in files, and the map `town` with a style.
    private func sample(
        text: String = #""text-font": ["DejaVu Sans Bold"], "#, more: String = "", files: [String: [UInt8]] = [:]
    ) async throws -> SampleServer {
        let sample = try await SampleServer()
        let style = """
            {"version": 8, "sources": {"square": {"type": "geojson", "data": "square.geojson"}}, \(more) "layers": [
            {"id": "name", "type": "symbol", "source": "square", "layout": {\(text)"text-field": "A"}}]}
            """
        try sample.folder.write(Array(style.utf8), to: "town.json")
        for (name, bytes) in files { try sample.folder.write(bytes, to: name) }
        var configuration = RendererConfiguration()
        configuration.fontFiles = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "PortolanTestDevanagari.ttf"].map {
            "\(SampleServer.fixtures)/fonts/\($0)"
        }
        configuration.usesSystemFonts = false
        sample.server.replace(
            try await MapBook.open(
                [MapSource(name: "town", layers: ["style:\(sample.folder.path)/town.json"])],
                configuration: configuration))
        return sample
    }

    @Test func `a range has the glyphs of its font, in the order of characters`() async throws {
        let stack = try Self.stack(await sample().get("/fonts/DejaVu%20Sans%20Bold/0-255.pbf"))
        #expect(stack.name == "DejaVu Sans Bold")
        #expect(stack.range == "0-255")
        #expect(stack.glyphs.compactMap { $0.numbers[1] } == Array(0x20...0x7E) + Array(0xA0...0xFF))
        // Of A: 18 × 18 pixels of ink and three of margin, 5 below the ascender, which zigzag encoding makes 9.
        let letter = try #require(stack["A"])
        #expect(letter.numbers == [1: 65, 3: 18, 4: 18, 5: 0, 6: 9, 7: 18])
        #expect(letter.bitmap == 24 * 24)
        #expect(stack[" "]?.bitmap == 0)
    }

    @Test func `the first font of a stack that has a character gives it`() async throws {
        let sample = try await sample()
        let latin = try Self.stack(await sample.get("/fonts/DejaVu%20Sans%20Bold,DejaVu%20Sans/0-255.pbf"))
        let bold = try Self.stack(await sample.get("/fonts/DejaVu%20Sans%20Bold/0-255.pbf"))
        #expect(latin["A"]?.numbers == bold["A"]?.numbers)
        let hindi = try #require(
            try Self.json(await sample.get("/fonts.json")).arrayValue?.compactMap(\.stringValue).last)
        let path = hindi.replacing(" ", with: "%20")
        let own = try Self.stack(await sample.get("/fonts/\(path)/2304-2559.pbf"))
        #expect(!own.glyphs.isEmpty)
        let both = try Self.stack(await sample.get("/fonts/DejaVu%20Sans,Nowhere,\(path)/2304-2559.pbf"))
        #expect(both.glyphs == own.glyphs)
        #expect(both.name == "DejaVu Sans,Nowhere,\(hindi)")
    }

    @Test func `glyph files of a style are combined with fonts`() async throws {
        // A stack with one glyph: id 33, 7 wide and 0 high, advance 99.
        let glyph: [UInt8] = [8, 33, 24, 7, 32, 0, 40, 0, 48, 0, 56, 99]
        let stack: [UInt8] = [10, 3] + Array("Ink".utf8) + [26, UInt8(glyph.count)] + glyph
        let file: [UInt8] = [10, UInt8(stack.count)] + stack
        let sample = try await sample(
            more: #""glyphs": "{fontstack} {range}.pbf","#, files: ["Ink 0-255.pbf": file])
        #expect(await sample.get("/fonts/Ink/0-255.pbf").body == file)
        let both = try Self.stack(await sample.get("/fonts/Ink,DejaVu%20Sans/0-255.pbf"))
        #expect(both["!"]?.numbers[7] == 99)
        #expect(both["A"]?.numbers[7] == 16)
    }

    @Test func `a range without characters of the font is empty, and a font without a file is not found`() async throws
    {
        let sample = try await sample()
        #expect(try Self.stack(await sample.get("/fonts/DejaVu%20Sans/19968-20223.pbf")).glyphs.isEmpty)
        #expect(try Self.stack(await sample.get("/fonts/DejaVu%20Sans/1113856-1114111.pbf")).glyphs.isEmpty)
        let missing = await sample.get("/fonts/Comic%20Neue/0-255.pbf")
        #expect(missing.status == 404)
        let many = Array(repeating: "a", count: 17).joined(separator: ",")
        #expect(await sample.get("/fonts/\(many)/0-255.pbf").status == 400)
        #expect(await sample.get("/fonts/DejaVu%20Sans/1114112-1114367.pbf").status == 400)
    }

    @Test func `a font that only a style names is replaced, with a warning`() async throws {
        let sample = try await sample(text: #""text-font": ["Comic Neue Bold"], "#)
        let response = await sample.get("/fonts/Comic%20Neue%20Bold/0-255.pbf")
        #expect(response[header: "Portolan-Warning"]?.contains("Comic Neue Bold") == true)
        #expect(try Self.stack(response)["A"]?.numbers[7] == 18)
    }

    @Test func `a range is cached, and a client that has it gets no body`() async throws {
        let sample = try await sample(), target = "/fonts/DejaVu%20Sans/0-255.pbf"
        let first = await sample.get(target), tag = try #require(first[header: "ETag"])
        #expect(await sample.get(target).body == first.body)
        let again = await sample.get(target, [("If-None-Match", tag)])
        #expect(again.status == 304)
        let metrics = String(decoding: await sample.get("/metrics").body, as: UTF8.self)
        let line = try #require(metrics.split(separator: "\n").first { $0.hasPrefix("portolan_glyph_cache_bytes ") })
        #expect(try #require(Int(line.split(separator: " ")[1])) > first.body.count)
        // Other maps may have other fonts.
        sample.server.replace(sample.book)
        #expect(await sample.get("/fonts/DejaVu%20Sans%20Bold/0-255.pbf").status == 404)
    }

    @Test func `a style with labels has glyphs of this server, also if it names none`() async throws {
        let sample = try await sample()
        let style = try Self.json(await sample.get("/styles/town/style.json", [("Host", "h")])).objectValue
        #expect(style?["glyphs"] == "http://h/fonts/{fontstack}/{range}.pbf")
        let fonts = try Self.json(await sample.get("/fonts.json")).arrayValue?.compactMap(\.stringValue)
        #expect(fonts?.prefix(2) == ["DejaVu Sans Bold", "DejaVu Sans Book"])
    }

    private static func json(_ response: ServerResponse) throws -> PropertyValue {
        try JSONReader.value(bytes: response.body)
    }
}
#endif
