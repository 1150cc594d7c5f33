import Testing

@testable import PortolanStyles

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
}
