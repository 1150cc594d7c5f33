import PortolanCodecs
import PortolanRaster
import Testing

@Suite struct ImageDecoderTests {
    static let fixtures = Fixture.png + Fixture.jpeg

    @Test func `the fixtures are there`() {
        #expect(Fixture.png.count > 55)
        #expect(Fixture.jpeg.count == 12)
    }

    @Test(arguments: fixtures)
    func `a file that is cut off anywhere is an error`(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes()
        for length in 0..<bytes.count {
            do {
                _ = try ImageDecoder.decode(Array(bytes.prefix(length)))
                Issue.record("cut to \(length) bytes")
            } catch {
                // Without its signature the rest is no picture at all.
                let isKnown = length >= (fixture.name.hasSuffix("jpg") ? 3 : 8)
                guard error.code == (isKnown ? .truncated : .unsupported), error.byteOffset == (isKnown ? length : nil)
                else {
                    Issue.record("cut to \(length) bytes: \(error)")
                    return
                }
            }
        }
    }

    @Test(arguments: fixtures)
    func `bytes behind the end are ignored`(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes()
        #expect(try ImageDecoder.decode(bytes + [0, 1, 2, 3]) == ImageDecoder.decode(bytes))
    }

    @Test(arguments: fixtures)
    func `the size is that of the picture`(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes()
        #expect(try ImageDecoder.size(of: bytes) == ImageDecoder.decode(bytes).size)
    }

    @Test func `the size needs the header only`() throws {
        let bytes = try Fixture(name: "png-rgb-8bit.png").bytes()
        #expect(try ImageDecoder.size(of: Array(bytes.prefix(60))).description == "13x11")
    }

    struct Unknown: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let detail: String
    }

    @Test(arguments: [
        Unknown(testDescription: "nothing", bytes: [], detail: "there are no bytes"),
        Unknown(
            testDescription: "text", bytes: Array("No such\n  layer".utf8),
            detail: "not a known picture format; it starts with “No such layer”"),
        Unknown(
            testDescription: "long text", bytes: Array(String(repeating: "é", count: 90).utf8),
            detail: "not a known picture format; it starts with “\(String(repeating: "é", count: 40))…”"),
        Unknown(
            testDescription: "text cut in a character", bytes: Array(("x" + String(repeating: "é", count: 90)).utf8),
            detail: "not a known picture format; it starts with “x\(String(repeating: "é", count: 39))…”"),
        Unknown(
            testDescription: "binary", bytes: [0, 1, 255],
            detail: "not a known picture format; it starts with the bytes 00 01 ff"),
        Unknown(
            testDescription: "terminal control", bytes: Array("\u{1b}[2J".utf8),
            detail: "not a known picture format; it starts with the bytes 1b 5b 32 4a"),
        Unknown(
            testDescription: "long binary", bytes: [UInt8](repeating: 200, count: 99),
            detail: "not a known picture format; it starts with the bytes"
                + String(repeating: " c8", count: 16) + " …"),
    ])
    func `what is no picture is shown`(_ test: Unknown) {
        let error = #expect(throws: CodecError.self) { try ImageDecoder.decode(test.bytes) }
        #expect(error?.code == .unsupported)
        #expect(error?.format == "unknown")
        #expect(error?.detail == test.detail)
    }

    @Test(arguments: [("GIF89a", "gif", "GIF"), ("RIFF....WEBP", "webp", "WebP"), ("<svg>", "svg", "SVG")])
    func `a known format that is not decoded is named`(_ text: String, _ format: String, _ name: String) {
        let error = #expect(throws: CodecError.self) { try ImageDecoder.size(of: Array(text.utf8)) }
        #expect(error?.code == .unsupported)
        #expect(error?.format == format)
        #expect(error?.detail == "\(name) pictures are not decoded; ask the server for image/png or image/jpeg")
    }
}
