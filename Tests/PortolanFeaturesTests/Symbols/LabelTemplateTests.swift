import Testing

@testable import PortolanFeatures

/// Templates of labels with number formats.
@Suite struct LabelTemplateTests {
    /// As Python 3 formats the same numbers; halves are rounded away from zero, as by `Intl.NumberFormat`.
    static let formats: [(pattern: String, texts: [String])] = [
        (",.0f", ["0", "7", "1,234,568", "-1,235", "0", "2,021"]),
        (".0f", ["0", "7", "1234568", "-1235", "0", "2021"]),
        (".1f", ["0.0", "7.0", "1234567.9", "-1234.6", "0.1", "2021.0"]),
        (",.2f", ["0.00", "7.00", "1,234,567.89", "-1,234.56", "0.13", "2,021.00"]),
        ("+.1f", ["+0.0", "+7.0", "+1234567.9", "-1234.6", "+0.1", "+2021.0"]),
        ("+,.0f", ["+0", "+7", "+1,234,568", "-1,235", "+0", "+2,021"]),
        ("+.1%", ["+0.0%", "+700.0%", "+123,456,789.1%", "-123,456.0%", "+12.6%", "+202,100.0%"]),
        (",", ["0", "7", "1,234,567.891", "-1,234.56", "0.126", "2,021"]),
        (",d", ["0", "7", "1,234,568", "-1,235", "0", "2,021"]),
        ("d", ["0", "7", "1234568", "-1235", "0", "2021"]),
        ("+", ["+0", "+7", "+1234567.891", "-1234.56", "+0.126", "+2021"]),
        // `~` removes trailing zeros, as in D3.
        (",.2~f", ["0", "7", "1,234,567.89", "-1,234.56", "0.13", "2,021"]),
    ]

    private static let numbers = [0, 7, 1_234_567.891, -1234.56, 0.126, 2021]

    @Test(arguments: formats)
    func `formats have the meaning that they have in Python`(_ pattern: String, _ texts: [String]) throws {
        let template = try LabelTemplate(braces: "{n:\(pattern)}")
        #expect(Self.numbers.map { template.text(for: ["n": .number($0)]).text } == texts)
        // The same in the dialect of routes.
        let label = LabelSymbol(template: "${n:\(pattern)}")
        #expect(Self.numbers.map { label.text(for: ["n": .number($0)]) } == texts)
    }

    @Test(arguments: [
        "", "f,", ",.f", "x", "e", "g", "s", "10", ".2", ".2d", "~f ", ",.21f", "$,.0f", "*>9", "~", "-.1f",
    ])
    func `other texts are not formats`(_ text: String) { #expect(NumberPattern(text) == nil) }

    private static let properties: Properties = [
        "name": "Köln", "people": 1_087_863, "share": 0.126, "text": " 1234.5 ", "word": "n/a", "name:es": "Colonia",
        "none": .null, "empty": "", "big": "1e9",
    ]

    @Test(arguments: [
        ("{name}", "Köln"), ("{name}: {people:,.0f} people", "Köln: 1,087,863 people"),
        ("${name} ({share:.0%})", "Köln (13%)"), ("{people}", "1087863"), ("{name:es|name}", "Colonia"),
        ("{name:fi|name}", "Köln"), ("{none|people:,d}", "1,087,863"), ("{{{name}}}", "{Köln}"),
        ("{name}\\n{people:,}", "Köln\n1,087,863"), ("no property {{}}", "no property {}"), ("5 $ {name}", "5 $ Köln"),
        // Numbers in texts are numbers; other texts and missing values are written as they are.
        ("{text:,.2f}", "1,234.50"), ("{word:,.0f}", "n/a"), ("<{missing:,.0f}>", "<>"), ("<{empty}>", "<>"),
        ("{big:,d}", "1,000,000,000"),
    ])
    func `properties in braces are replaced by their values`(_ template: String, _ text: String) throws {
        let parsed = try LabelTemplate(braces: template)
        #expect(parsed.text(for: Self.properties).text == text)
        // The template in the dialect of routes is the same.
        #expect(LabelTemplate(parsed.text).text(for: Self.properties).text == text, "\(parsed.text)")
    }

    @Test(arguments: [
        ("{name", 1, LabelTemplate.BraceError.Reason.open), ("a {b {c}", 3, .open), ("name}", 5, .stray),
        ("{}", 2, .empty), ("{name}{ }", 8, .empty), ("{:,.0f}", 2, .empty), ("{people:,.0g}", 9, .format(",.0g")),
        ("Köln {people:.2}", 14, .format(".2")), ("{people:}", 9, .format("")),
        ("{people|,.0f}", 9, .bar(name: "people", format: ",.0f")),
    ])
    func `errors have a position`(_ template: String, _ position: Int, _ reason: LabelTemplate.BraceError.Reason) {
        #expect(throws: LabelTemplate.BraceError(reason: reason, position: position)) {
            try LabelTemplate(braces: template)
        }
    }

    @Test func `a colon in a name is not a format`() throws {
        let template = try LabelTemplate(braces: "{addr:city}, {name:es}")
        #expect(template.properties == ["addr:city", "name:es"])
        #expect(template.text(for: ["addr:city": "Bonn", "name:es": "x"]).text == "Bonn, x")
        #expect(LabelSymbol(template: "${addr:city}").text(for: ["addr:city": "Bonn"]) == "Bonn")
    }

    @Test(arguments: [("de", "1.087.863,0 · 12,6\u{A0}%"), ("fr-CH", "1\u{202F}087\u{202F}863,0 · 12,6%")])
    func `numbers have the symbols of the language`(_ language: String, _ text: String) throws {
        let template = try LabelTemplate(braces: "{people:,.1f} · {share:.1%}", language: language)
        #expect(template.text(for: Self.properties).text == text)
        var declaration = StyleDeclaration()
        declaration.label = template.text
        declaration.labelLanguage = language
        #expect(declaration.style.label?.text(for: Self.properties) == text)
    }
}
