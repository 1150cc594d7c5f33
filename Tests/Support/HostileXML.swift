/// A hostile or unusual XML document.
package struct HostileXML: Sendable, CustomStringConvertible {
    /// The special property of the document.
    package let description: String
    private let make: @Sendable () -> [UInt8]

    private init(_ description: String, _ make: @escaping @Sendable () -> [UInt8]) {
        self.description = description
        self.make = make
    }

    private init(_ description: String, text: @escaping @Sendable () -> String) {
        self.init(description) { Array(text().utf8) }
    }

    /// The document.
    package var bytes: [UInt8] { make() }

    private static func many(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    /// Documents that must be refused, with a root element named `root`.
    package static func refused(root: String) -> [HostileXML] {
        let laughs = (1...9).map { "<!ENTITY l\($0) \"" + many(10, "&l\($0 - 1);") + "\">" }.joined()
        return [
            HostileXML("a billion laughs") { "<!DOCTYPE r [<!ENTITY l0 'lol'>\(laughs)]><\(root)>&l9;</\(root)>" },
            HostileXML("a billion laughs in an attribute") {
                "<!DOCTYPE r [<!ENTITY l0 'lol'>\(laughs)]><\(root) version='&l9;'/>"
            },
            HostileXML("one long entity used often") {
                "<!DOCTYPE r [<!ENTITY a '\(many(50_000, "a"))'>]><\(root)>\(many(50_000, "&a;"))</\(root)>"
            },
            HostileXML("an entity of a file") {
                "<!DOCTYPE r [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><\(root)><Title>&a;</Title></\(root)>"
            },
            HostileXML("a parameter entity") {
                "<!DOCTYPE r [<!ENTITY % a SYSTEM 'file:///etc/passwd'> %a;]><\(root)/>"
            },
            HostileXML("a million nested layers") {
                "<\(root)><Capability>" + many(1_000_000, "<Layer>") + many(1_000_000, "</Layer>")
                    + "</Capability></\(root)>"
            },
            HostileXML("a million open layers") { "<\(root)><Capability>" + many(1_000_000, "<Layer>") },
            HostileXML("an attribute of 10 MB") { "<\(root) version='\(many(10_000_000, "1"))'/>" },
            HostileXML("a name of 10 MB") { "<\(root)><\(many(10_000_000, "a"))/></\(root)>" },
            HostileXML("a million attributes") {
                "<\(root)" + (0..<1_000_000).map { " a\($0)=''" }.joined() + "/>"
            },
            HostileXML("an encoding whose tags cannot be measured") {
                "<?xml version='1.0' encoding='UTF-7'?><\(root)/>"
            },
            HostileXML("an encoding that nobody knows") { "<?xml version='1.0' encoding='x-none'?><\(root)/>" },
            HostileXML("bytes that are not of the encoding, and no end") {
                Array("<?xml version='1.0' encoding='UTF-8'?>\n<\(root)><Title>".utf8) + [0xF1, 0x20, 0xFF]
                    + Array("</Title>".utf8)
            },
            HostileXML("a slip beside an entity of a file") {
                "<!DOCTYPE r [<!ENTITY nbsp SYSTEM 'file:///etc/passwd'>]><\(root)><Title>&nbsp; & \u{1}</Title></\(root)>"
            },
            HostileXML("millions of ampersands") { "<\(root)><Title>" + many(14_000_000, "&") + "</Title></\(root)>" },
            HostileXML("half of a UTF-16 pair") { [0xFE, 0xFF, 0, 0x3C, 0xD8, 0] },
            HostileXML("UTF-32") { [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x3C, 0, 0, 0, 0x61] },
            HostileXML("a comment without an end") { "<\(root)/><!--" + many(1_000_000, "- ") },
            HostileXML("a section without an end") { "<\(root)><![CDATA[" + many(1_000_000, "]]") },
            HostileXML("a document type without an end") { "<!DOCTYPE r [" + many(1_000_000, "<!-- -->") },
        ]
    }

    /// `text`, a document without a declaration, in the encodings and with the marks that servers use.
    package static func encodings(of text: String) -> [HostileXML] {
        let utf16 = Array(text.utf16)
        let big: @Sendable () -> [UInt8] = { utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
        let little: @Sendable () -> [UInt8] = { utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
        return [
            HostileXML("UTF-8 with its mark") { [0xEF, 0xBB, 0xBF] + Array(text.utf8) },
            HostileXML("UTF-16, the high byte first") { [0xFE, 0xFF] + big() },
            HostileXML("UTF-16, the low byte first") { [0xFF, 0xFE] + little() },
            HostileXML("UTF-8 declared as UTF-16") { "<?xml version='1.0' encoding='UTF-16'?>" + text },
            HostileXML("Latin-1") {
                Array("<?xml version='1.0' encoding='ISO-8859-1'?>".utf8)
                    + text.unicodeScalars.map { UInt8(exactly: $0.value) ?? 0x3F }
            },
            HostileXML("blank lines before the declaration") { "\n \r\n<?xml version='1.0'?>" + text },
        ]
    }
}
