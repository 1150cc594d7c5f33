import PortolanServices
import PortolanWeb
import TestHelpers
import Testing

/// Documents that are cut off, made to do harm or written in unusual ways, before each reader of capabilities.
@Suite struct HostileDocumentTests {
    enum Reader: String, CaseIterable, Sendable {
        case wms, wmts, tms

        var root: String {
            switch self {
            case .wms: "WMS_Capabilities"
            case .wmts: "Capabilities"
            case .tms: "TileMapService"
            }
        }

        var files: [String] {
            switch self {
            case .wms:
                [
                    "mapserver/caps-1.3.0.xml", "mapserver/caps-1.1.1.xml", "mapproxy/caps-1.0.0.xml",
                    "mapproxy/wmsc-caps-1.1.1.xml",
                ]
            case .wmts: ["mapproxy/wmts-kvp-caps.xml", "mapproxy/wmts-rest-caps.xml"]
            case .tms: ["mapproxy/tms-map.xml", "mapproxy/tms-service.xml"]
            }
        }

        /// A small whole document, a letter beyond ASCII in its title, an undeclared prefix, and a `Layer` to multiply.
        var whole: String {
            switch self {
            case .wms:
                "<\(root) version='1.3.0'><Service><Title>ñ</Title></Service><Capability><Layer><Name>a</Name>"
                    + "<Style><LegendURL><OnlineResource xlink:href='http://h/'/></LegendURL></Style></Layer>"
                    + "</Capability></\(root)>"
            case .wmts:
                "<\(root) version='1.0.0'><ServiceIdentification><Title>ñ</Title></ServiceIdentification><Contents>"
                    + "<Layer><Identifier>a</Identifier><LegendURL xlink:href='http://h/'/></Layer></Contents></\(root)>"
            case .tms:
                "<\(root) version='1.0.0'><Title>ñ</Title><TileMaps><TileMap href='http://h/' xlink:a=''/>"
                    + "<Layer></Layer></TileMaps></\(root)>"
            }
        }

        /// The title of the service and what was odd.
        func read(_ bytes: [UInt8]) throws(CapabilitiesError) -> (title: String, warnings: [MapWarning]) {
            switch self {
            case .wms:
                let capabilities = try WMSCapabilitiesReader.read(bytes)
                return (capabilities.service.title, capabilities.warnings)
            case .wmts:
                let capabilities = try WMTSCapabilitiesReader.read(bytes)
                return (capabilities.service.title, capabilities.warnings)
            case .tms:
                guard case .service(let service) = try TMSReader.read(bytes) else { return ("", []) }
                return (service.title, service.warnings)
            }
        }

        func failure(_ bytes: [UInt8]) -> CapabilitiesError? {
            do {
                _ = try read(bytes)
                return nil
            } catch { return error }
        }
    }

    @Test(arguments: Reader.allCases)
    func `a document truncated at any thousandth byte is a malformed document error`(reader: Reader) throws {
        for file in reader.files {
            let bytes = try Fixture.bytes(file)
            for length in stride(from: 1000, to: bytes.count - 20, by: 1000) {
                let piece = Array(bytes[..<length])
                guard case .malformed(let line, _, let reason)? = reader.failure(piece) else {
                    Issue.record("\(file) cut to \(length) bytes: \(String(describing: reader.failure(piece)))")
                    continue
                }
                #expect(line <= 1 + piece.count { $0 == 0x0A }, "\(file) cut to \(length) bytes")
                #expect(line > 0)
                #expect(!reason.isEmpty)
            }
        }
    }

    @Test(arguments: Reader.allCases)
    func `harmful XML is refused with a line number`(reader: Reader) {
        for document in HostileXML.refused(root: reader.root) {
            let failure = reader.failure(document.bytes)
            switch failure {
            case .malformed(let line, _, let reason):
                #expect(line > 0 && !reason.isEmpty && reason.utf8.count < 1000, "\(document)")
                #expect(!reason.contains("root:"), "\(document)")
            case .otherDocument(let words):
                #expect(words.contains("neither an image nor text"), "\(document): \(words)")
            default: Issue.record("\(document): \(String(describing: failure))")
            }
        }
    }

    @Test(arguments: Reader.allCases)
    func `byte order marks, encodings and undeclared prefixes are read`(reader: Reader) throws {
        for document in HostileXML.encodings(of: reader.whole) {
            let read = try reader.read(document.bytes)
            #expect(read.title == "ñ", "\(document)")
            // Foundation on Linux does not report the prefix.
            #if Drivers
            #expect(read.warnings.contains { $0.description.contains("xlink") }, "\(document)")
            #endif
        }
    }

    @Test(arguments: Reader.allCases)
    func `a hundred thousand siblings are read`(reader: Reader) throws {
        let siblings = String(repeating: "<Layer/>", count: 100_000)
        let text = reader.whole.replacing("<Layer>", with: siblings + "<Layer>")
        #expect(try reader.read(Array(text.utf8)).title == "ñ")
    }

    @Test(arguments: Reader.allCases)
    func `external entities and DTDs are never fetched`(reader: Reader) throws {
        let listener = try LoopbackListener()
        listener.start { _ in }
        defer { listener.stop() }
        let address = "http://127.0.0.1:\(listener.port)/x"
        let type = "<!DOCTYPE \(reader.root) SYSTEM '\(address)' [<!ENTITY a SYSTEM '\(address)'>]>"
        #expect(try reader.read(Array((type + reader.whole).utf8)).title == "ñ")
        #expect(reader.failure(Array((type + reader.whole.replacing("ñ", with: "&a;")).utf8)) != nil)
        #expect(
            reader.failure(Array("<!DOCTYPE r [<!ENTITY % a SYSTEM '\(address)'> %a;]>\(reader.whole)".utf8)) != nil)
        #expect(listener.connectionCount == 0)
    }

    @Test func `an error message is one short line without control characters`() {
        let name = "a\u{1B}[31m" + String(repeating: "b", count: 5000)
        for text in ["<\(String(repeating: "b", count: 50_000))/>", "<a>\u{7}</a>", "<a>\n&\(name);</a>", "<a \n b"] {
            let words = Reader.wms.failure(Array(text.utf8))?.description ?? "\n"
            #expect(words.utf8.count <= 8192)
            #expect(!words.utf8.contains { $0 < 0x20 || $0 == 0x7F })
        }
        let latin = Array("<a>\n".utf8) + [0xFF, 0x3C] + Array("</a>".utf8)
        #expect(Reader.wms.failure(latin)?.description.contains("\n") == false)
    }
}
