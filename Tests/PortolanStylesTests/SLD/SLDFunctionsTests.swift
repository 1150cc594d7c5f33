import PortolanFeatures
import Testing

@testable import PortolanStyles

/// Patterns of texts and numbers in functions of filters.
@Suite struct SLDFunctionsTests {
    private static func value(_ expression: PropertyValue, _ properties: Properties) throws -> PropertyValue? {
        let compiled = try StyleExpression(expression, for: PropertySpecification(.any))
        switch try compiled.evaluate(
            ExpressionContext(zoom: 0, feature: Feature(geometry: nil, properties: properties)))
        {
        case .boolean(let flag): return .bool(flag)
        case .string(let text): return .string(text)
        default: return nil
        }
    }

    @Test(
        arguments: [
            ("2019", ["2019": true, "20190": false, "": false]), ("^20.*$", ["2019": true, "120": false]),
            (".*19", ["2019": true, "191": false]), (".*Main.*", ["Old Main St": true, "main": false]),
            ("^( )??2019,.*", ["2019, May": true, " 2019,": true, "  2019,": false, "2019": false]),
            ("a\\.b", ["a.b": true, "axb": false]),
            ("(Old )?(Main) St", ["Main St": true, "Old Main St": true, "St": false]),
        ] as [(String, [String: Bool])])
    func `simple regular expressions are matched`(pattern: String, texts: [String: Bool]) throws {
        let test = try #require(SLDFunctions.matches(["get", "t"], pattern))
        for (text, isMatch) in texts {
            #expect(try Self.value(test, ["t": .string(text)]) == .bool(isMatch), "\(text)")
        }
        #expect(try Self.value(test, [:]) == false)
    }

    @Test(arguments: ["[0-9]+", "a|b", "a.b", "\\d", "(a|b)?", "a{2}", "x*", "(a", ".*a.*b.*", "^a.*b.*c$"])
    func `other regular expressions are rejected`(pattern: String) {
        #expect(SLDFunctions.matches(["get", "t"], pattern) == nil)
    }

    @Test(arguments: [
        ("#", "1235"), ("#.##", "1234.57"), ("0.0", "1234.6"), ("#,##0.000", "1,234.567"), ("#,###", "1,235"),
        ("0.00##", "1234.567"),
    ])
    func `numbers are formatted by simple patterns`(pattern: String, text: String) throws {
        let formatted = try #require(SLDFunctions.formatted(["to-number", ["get", "n"], 0], pattern))
        #expect(try Self.value(formatted, ["n": 1234.567]) == .string(text))
    }

    @Test(arguments: ["000", "#.##E0", "#%", "$#", "#;(#)", "#.##.#"])
    func `other number patterns are rejected`(pattern: String) {
        #expect(SLDFunctions.formatted(1, pattern) == nil)
    }

    @Test(
        arguments: [
            ("0", [13.0, 37]), ("10", [3, 37, 10, 0]), ("13", [0, 37, 13, 0]), ("20", [0, 30, 13, 7]),
            ("-10", [0, 10, 13, 27]),
            ("60", [3, 37, 10, 0]), ("x", [13, 37]),
        ] as [(String, [Double])])
    func `the dash offset rotates the dash pattern`(offset: String, dashes: [Double]) throws {
        let document = """
            <StyledLayerDescriptor version="1.0.0"><NamedLayer><UserStyle><FeatureTypeStyle><Rule><LineSymbolizer><Stroke>
            <CssParameter name="stroke-dasharray">13 37</CssParameter><CssParameter name="stroke-dashoffset">\(offset)</CssParameter>
            </Stroke></LineSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>
            """
        let layer = try #require(try SLDReader(Array(document.utf8), name: nil).layers.first?.objectValue)
        let found = layer["paint"]?.objectValue?["line-dasharray"]?.arrayValue?.compactMap(\.doubleValue)
        #expect(found == dashes)
    }
}
