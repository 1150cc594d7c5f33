import PortolanWeb
import Testing

@Suite struct NumberTextTests {
    /// The rows of ECMA-262, Number::toString, and the ends of its ranges.
    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (1e21, "1e+21"),
        (123_456_789_012_345_683_968, "123456789012345680000"),
        (0.000001, "0.000001"), (0.0000001, "1e-7"), (1.25e-7, "1.25e-7"), (1e300, "1e+300"), (0.1, "0.1"),
        (.infinity, "Infinity"), (-.infinity, "-Infinity"), (.nan, "NaN"),
    ])
    func `numbers are formatted as in ECMAScript`(_ number: Double, _ text: String) {
        #expect(NumberText.text(number) == text)
    }

    @Test(arguments: [
        ("", 0.0), ("  12 ", 12), ("1e3", 1000), (".5", 0.5), ("5.", 5), ("0x1F", 31), ("0b101", 5),
        ("-Infinity", -.infinity),
        ("abc", nil), ("1_000", nil), ("0x", nil), ("nan", nil), ("1 2", nil), ("infinity", nil),
    ])
    func `texts are parsed as numbers as in ECMAScript`(_ text: String, _ number: Double?) {
        #expect(NumberText.number(text) == number)
    }

    @Test(arguments: [
        (1234567.891, "en", 0, 3, "1,234,567.891"), (1234567.891, "de", 0, 2, "1.234.567,89"),
        (0.5, "en", 2, 2, "0.50"), (999.999, "en", 0, 2, "1,000"), (-1234.5, "fr", 0, 1, "-1\u{202F}234,5"),
        (1e21, "en", 0, 0, "1,000,000,000,000,000,000,000"), (1e-9, "en", 0, 3, "0"),
    ])
    func `numbers are grouped as in their locale`(
        _ number: Double, _ locale: String, _ least: Double, _ most: Double, _ text: String
    ) throws {
        let format = try #require(
            DecimalFormat(locale: locale, measure: .none, minimumFraction: least, maximumFraction: most))
        #expect(format.text(number) == text)
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (1, "1"), (-180, "-180"), (0.1, "0.1"), (100, "100"), (1e-05, "0.00001"),
        (-1.5e-07, "-0.00000015"), (8.58306884765625e-05, "0.0000858306884765625"), (1e16, "10000000000000000"),
        (1.5e20, "150000000000000000000"),
        (20037508.342789244, "20037508.342789244"),
        (78271.51696402048, "78271.51696402048"),
        (123456789012345680, "123456789012345680"),
        (1e22, "10000000000000000000000"),
        (0.30000000000000004, "0.30000000000000004"),
    ])
    func `a decimal has the fewest digits and no exponent`(value: Double, text: String) {
        #expect(NumberText.decimal(value) == text)
    }

    @Test func `each number is parsed back to the same value`() {
        var bits: UInt64 = 1
        for _ in 0..<20_000 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(bitPattern: bits)
            guard value.isFinite else { continue }
            let text = NumberText.decimal(value)
            #expect(Double(text) == value)
            #expect(!text.contains("e"))
            #expect(!text.contains("E"))
            #expect(!text.hasSuffix("."))
        }
        for value in [Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, .leastNormalMagnitude] {
            #expect(Double(NumberText.decimal(value)) == value)
        }
    }
}
