import Testing

@testable import PortolanXML

@Suite struct XMLTextTests {
    private static func decimal(_ value: Double) -> String {
        var bytes: [UInt8] = []
        bytes.append(decimal: value)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func text(_ text: String, isAttribute: Bool = false) -> String {
        var bytes: [UInt8] = []
        bytes.append(xml: text, isAttribute: isAttribute)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (0, "0"), (-0.5, "-0.5"), (12, "12"), (60.1718, "60.1718"), (1e-5, "0.00001"), (-1.25e-7, "-0.000000125"),
        (1e16, "10000000000000000"), (-1.5e20, "-150000000000000000000"),
        (Double.leastNonzeroMagnitude, "0." + String(repeating: "0", count: 323) + "5"),
        (.infinity, ""), (.nan, ""),
    ])
    func `a decimal number has no exponent`(value: Double, text: String) { #expect(Self.decimal(value) == text) }

    @Test func `formatted numbers are parsed back unchanged`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            let text = Self.decimal(value)
            #expect(Double(text) == value && text.allSatisfy { $0.isNumber || $0 == "." || $0 == "-" }, "\(value)")
        }
    }

    @Test func `XML special characters are escaped, and invalid ones are replaced`() {
        #expect(Self.text("a<b>&\"c\" é€😀") == "a&lt;b&gt;&amp;&quot;c&quot; é€😀")
        #expect(Self.text("a\n\tb\rc\u{1}\u{FFFE}") == "a\n\tb&#13;c\u{FFFD}\u{FFFD}")
        #expect(Self.text("a\n\tb", isAttribute: true) == "a&#10;&#9;b")
    }
}
