import PortolanFeatures
import PortolanGeo
import Testing

@testable import PortolanStyles

@Suite struct DecimalFormatTests {
    /// As ICU 78 writes them.
    @Test(arguments: [
        ("en", 1234.5, #""currency": "EUR""#, "€1,234.50"),
        ("en", -1234.5, #""currency": "JPY""#, "-¥1,235"),
        ("en", 1, #""currency": "XYZ""#, "XYZ\u{A0}1.00"),
        ("de", 12345.678, #""currency": "EUR""#, "12.345,68\u{A0}€"),
        ("nl", -1234.5, #""currency": "EUR""#, "€\u{A0}-1.234,50"),
        ("es", 1234.5, #""currency": "USD""#, "1234,50\u{A0}US$"),
        ("fi", -1234.5, #""currency": "EUR""#, "\u{2212}1\u{A0}234,50\u{A0}€"),
        ("sv", 5, #""currency": "SEK""#, "5,00\u{A0}kr"),
        ("pt", 1234.5, #""currency": "BRL""#, "R$\u{A0}1.234,50"),
        ("fr", 1234.5, #""currency": "USD""#, "1\u{202F}234,50\u{A0}$US"),
        ("en", 1234.5678, #""currency": "KWD""#, "KWD\u{A0}1,234.568"),
        ("tr", 2.5, #""currency": "TRY""#, "₺2,50"),
        ("hu", 1234, #""currency": "HUF""#, "1234\u{A0}Ft"),
        ("ja", 1, #""currency": "CHF""#, "CHF\u{A0}1.00"),
        ("en", 0, #""currency": "XOF""#, "F\u{202F}CFA\u{A0}0"),
        ("en", 1, #""currency": "XCG""#, "Cg.\u{A0}1.00"), ("nl", 3, #""currency": "THB""#, "฿\u{A0}3,00"),
        ("fr", 3, #""currency": "CLP""#, "3\u{A0}$CL"),
        ("en", 1, #""unit": "day""#, "1 day"),
        ("en", 1.5, #""unit": "day""#, "1.5 days"),
        ("en", 0.9, #""unit": "day", "max-fraction-digits": 0"#, "1 day"),
        ("en", 1, #""unit": "day", "min-fraction-digits": 1"#, "1.0 days"),
        ("de", 12345.6, #""unit": "kilometer""#, "12.345,6 km"),
        ("fr", 3, #""unit": "meter""#, "3\u{202F}m"),
        ("ru", 3, #""unit": "kilometer-per-hour""#, "3 км/ч"),
        ("en", 55, #""unit": "mile-per-hour""#, "55 mph"),
        ("en", 3, #""unit": "liter-per-kilometer""#, "3 L/km"),
        ("fi", 20, #""unit": "celsius""#, "20 °C"),
        ("sv", 20, #""unit": "percent""#, "20\u{A0}%"),
        ("en", -20, #""unit": "percent""#, "-20%"),
        ("el", 7, #""unit": "kilometer""#, "7 χλμ."),
        ("de", 10, #""unit": "minute""#, "10 Min."),
        ("es", 2, #""unit": "kilobyte""#, "2 kB"),
        ("uk", 5, #""unit": "hectare""#, "5 га"),
        ("en", 2, #""unit": "meter-per-day""#, "2 m/d"),
    ])
    func `currencies and units are formatted as in CLDR`(
        _ locale: String, _ number: Double, _ measure: String, _ wanted: String
    ) throws {
        let text = #"["number-format", \#(number), {"locale": "\#(locale)", \#(measure)}]"#
        #expect(try value(of: text) == .string(wanted))
    }

    @Test(arguments: [
        ("es", 1234.5, "1234,5"), ("es", 12345.5, "12.345,5"), ("sv-FI", -1234.5, "\u{2212}1\u{A0}234,5"),
        ("no", -0.5, "\u{2212}0,5"), ("en-GB", 1234.56789, "1,234.568"), ("xx", 1234.5, "1,234.5"),
    ])
    func `numbers have the signs and grouping of their locale`(
        _ locale: String, _ number: Double, _ wanted: String
    ) throws {
        #expect(try value(of: #"["number-format", \#(number), {"locale": "\#(locale)"}]"#) == .string(wanted))
    }

    @Test(arguments: [
        #"{"currency": "EURO"}"#, #"{"currency": ""}"#, #"{"unit": "parsec"}"#, #"{"unit": "meter-per-parsec"}"#,
    ])
    func `unknown currencies and units have no value`(_ options: String) throws {
        let expression = try StyleExpression(
            try json(#"["number-format", ["get", "n"], \#(options)]"#), for: PropertySpecification(.any))
        let context = ExpressionContext(
            zoom: 1, feature: Feature(geometry: .point(Coordinate(x: 0, y: 0)), properties: ["n": 5]))
        #expect(throws: EvaluationError.self) { _ = try expression.evaluate(context) }
    }

    @Test func `a currency and a unit cannot be combined`() throws {
        #expect(try faults(of: #"["number-format", 1, {"currency": "EUR", "unit": "meter"}]"#) == ["whole"])
    }
}
