import Testing

@testable import PortolanFeatures

@Suite struct DecimalScannerTests {
    @Test func `numbers with any number of digits are parsed to the nearest double`() {
        let digits = "98765432101234567890"
        for before in 0...12 {
            for after in 0...18 where before + after > 0 {
                for rest in ["", " ", ",5", "e3", "E-2 ", "        ", "a2345678"] {
                    let point = after > 0 ? "." : ""
                    let number = "-" + digits.prefix(before) + point + digits.suffix(after)
                    let text = Array((number + rest).utf8)
                    var index = 0
                    let read = DecimalScanner.number(in: text.span, at: &index)
                    let exponent = rest.lowercased().hasPrefix("e") ? String(rest.prefix { $0 != " " }) : ""
                    let whole = (before == 0 ? "-0" + number.dropFirst() : number) + exponent
                    #expect(read == Double(whole), "\(number)\(rest)")
                    #expect(index == (number + exponent).utf8.count, "\(number)\(rest)")
                }
            }
        }
    }

    @Test(arguments: ["", ".", "-", "+.", "e5", " 1", "-."])
    func `text that does not begin with a number gives nil`(_ text: String) {
        var index = 0
        let bytes = Array(text.utf8)
        let number = DecimalScanner.number(in: bytes.span, at: &index)
        #expect(number == nil)
        #expect(index == 0)
    }
}
