import PortolanFeatures
import PortolanGeo
import Testing

@testable import PortolanStyles

/// The results of the operators, by the statements and examples of the specification.
@Suite struct OperatorTests {
    @Test(arguments: [
        (#"["+", 1, 2, 3]"#, 6.0), (#"["-", 5]"#, -5), (#"["-", 5, 7]"#, -2), (#"["*"]"#, 1), (#"["/", 1, 4]"#, 0.25),
        (#"["%", 7, 4]"#, 3), (#"["%", -7, 4]"#, -3), (#"["^", 2, 10]"#, 1024), (#"["min", 3, 1, 2]"#, 1),
        (#"["max", 3, 1, 2]"#, 3), (#"["abs", -1.5]"#, 1.5), (#"["round", -1.5]"#, -2), (#"["round", 1.5]"#, 2),
        (#"["floor", -1.5]"#, -2), (#"["ceil", 1.2]"#, 2), (#"["sqrt", 9]"#, 3), (#"["log2", 8]"#, 3),
        (#"["log10", 1000]"#, 3), (#"["ln", ["e"]]"#, 1), (#"["sin", ["/", ["pi"], 2]]"#, 1), (#"["acos", 1]"#, 0),
        (#"["length", "åß🐡"]"#, 3), (#"["length", ["literal", [1, 2]]]"#, 2),
        (#"["index-of", "b", "🐡b"]"#, 1), (#"["index-of", "x", "abc"]"#, -1), (#"["index-of", "", "abc"]"#, 0),
        (#"["index-of", 2, ["literal", [2, 1, 2]], 1]"#, 2),
        (#"["at", 1, ["literal", [10, 20]]]"#, 20), (#"["to-number", "x", "4"]"#, 4), (#"["to-number", null]"#, 0),
        (#"["to-number", true]"#, 1),
        (#"["interpolate", ["linear"], 5, 0, 0, 10, 100]"#, 50),
        (#"["interpolate", ["linear"], -5, 0, 0, 10, 100]"#, 0),
        (#"["interpolate", ["exponential", 2], 1, 0, 0, 2, 3]"#, 1), (#"["step", 3, 0, 1, 10, 3, 30, 5, 50]"#, 30),
        (#"["interpolate", ["cubic-bezier", 0, 0, 1, 1], 0.3, 0, 0, 1, 10]"#, 3),
        (#"["let", "a", 2, ["*", ["var", "a"], ["var", "a"]]]"#, 4), (#"["case", false, 1, true, 2, 3]"#, 2),
        (#"["match", "b", ["a", "b"], 1, "c", 2, 3]"#, 1), (#"["match", 7, 6, 1, 2]"#, 2),
        (#"["coalesce", ["get", "none"], 4]"#, 4),
    ])
    func `numeric operators give the expected numbers`(_ text: String, _ wanted: Double) throws {
        let number = try #require(try value(of: text).numberValue)
        #expect(abs(number - wanted) < 1e-9)
    }

    @Test(arguments: [
        (#"["==", 1, 1]"#, true), (#"["!=", "a", "b"]"#, true), (#"["<", "Z", "a"]"#, true), (#"[">=", 2, 2]"#, true),
        (#"["!", false]"#, true), (#"["all"]"#, true), (#"["any"]"#, false), (#"["all", true, false]"#, false),
        (#"["in", "an", "banana"]"#, true), (#"["in", 3, ["literal", [1, 2]]]"#, false),
        (#"["in", null, ["literal", [null]]]"#, true),
        (#"["to-boolean", ""]"#, false), (#"["to-boolean", "false"]"#, true),
        (#"["has", "a", ["literal", {"a": null}]]"#, true),
        (#"["==", "a", "Ä", ["collator", {}]]"#, true),
        (#"["==", "a", "ä", ["collator", {"diacritic-sensitive": true}]]"#, false),
        (#"["<", "a", "B", ["collator", {"case-sensitive": true}]]"#, true),
        // Letters of single languages.
        (#"["==", "Müßig", "muessig", ["collator", {"locale": "de"}]]"#, true),
        (#"["==", "ü", "u", ["collator", {"locale": "de-AT"}]]"#, false),
        (#"["==", "ü", "ue", ["collator", {"locale": "de", "diacritic-sensitive": true}]]"#, false),
        (#"["<", "ö", "zz", ["collator", {"locale": "en"}]]"#, true),
        (#"[">", "ö", "zz", ["collator", {"locale": "sv"}]]"#, true),
        (#"["<", "Å", "ä", ["collator", {"locale": "fi"}]]"#, true),
        (#"[">", "å", "ø", ["collator", {"locale": "nb"}]]"#, true),
        (#"["==", "ä", "Æ", ["collator", {"locale": "da"}]]"#, true),
        (#"[">", "ñ", "nz", ["collator", {"locale": "es"}]]"#, true),
    ])
    func `comparison and logical operators give the expected truth values`(_ text: String, _ wanted: Bool) throws {
        #expect(try value(of: text) == .boolean(wanted))
    }

    @Test(arguments: [
        (#"["concat", "a", 1, true, null, ["literal", [1, "b"]]]"#, #"a1true[1,"b"]"#),
        (#"["upcase", "straße"]"#, "STRASSE"),
        (#"["downcase", "ÄB"]"#, "äb"), (#"["slice", "🐡abc", 1, 3]"#, "ab"), (#"["slice", "abc", -2]"#, "bc"),
        (#"["to-string", ["rgba", 26, 207, 26, 0.73]]"#, "rgba(26,207,26,0.73)"),
        (#"["typeof", ["literal", [1, 2]]]"#, "array<number, 2>"),
        (#"["typeof", ["literal", [1, "a"]]]"#, "array<value, 2>"), (#"["typeof", null]"#, "null"),
        (#"["join", ["split", "a-b-c", "-"], "+"]"#, "a+b+c"),
        (#"["number-format", 1234.5, {"locale": "de"}]"#, "1.234,5"),
        (#"["string", 1, "a"]"#, "a"),
    ])
    func `text operators give the expected texts`(_ text: String, _ wanted: String) throws {
        #expect(try value(of: text) == .string(wanted))
    }

    @Test func `properties, id, geometry type and zoom are read from the feature and the view`() throws {
        let expression = try StyleExpression(
            try json(
                #"["concat", ["get", "a"], ["to-string", ["has", "b"]], ["geometry-type"], ["id"], ["typeof", ["get", "b"]]]"#
            ),
            for: PropertySpecification(.string))
        let feature = Feature(id: 7, geometry: .point(Coordinate(x: 24.9, y: 60.2)), properties: ["a": "x"])
        #expect(try expression.evaluate(ExpressionContext(zoom: 3, feature: feature)) == .string("xfalsePoint7null"))
        #expect(!expression.isFeatureConstant)
        #expect(expression.isZoomConstant)
        #expect(
            try value(of: #"["step", ["zoom"], "far", 10, "near"]"#, zoom: 10, for: PropertySpecification(.string))
                == .string("near"))
    }

    @Test func `colours and lists of numbers are interpolated`() throws {
        let number = PropertySpecification(.array(.number, count: 2), isInterpolated: true)
        #expect(
            try value(
                of: #"["interpolate", ["linear"], ["zoom"], 0, ["literal", [0, 10]], 10, ["literal", [10, 0]]]"#,
                zoom: 5, for: number)
                == .array([.number(5), .number(5)]))
        let color = PropertySpecification(.color, isInterpolated: true)
        #expect(
            try value(
                of: #"["interpolate", ["linear"], ["get", "x"], 0, "black", 1, "white"]"#, #"{"x": 0.5}"#, for: color)
                == .color(StyleColor(red: 0.5, green: 0.5, blue: 0.5)))
    }

    @Test func `'coalesce' skips a missing image`() throws {
        let specification = PropertySpecification(.resolvedImage)
        let expression = try StyleExpression(
            try json(#"["coalesce", ["image", "none"], ["image", "dot"]]"#), for: specification)
        var context = ExpressionContext()
        context.availableImages = ["dot"]
        #expect(
            try expression.evaluate(context) == .image(ExpressionValue.ResolvedImage(name: "dot", isAvailable: true)))
    }

    @Test func `a formatted text keeps its sections`() throws {
        guard
            case .formatted(let text) = try value(
                of: #"["format", ["get", "a"], {"font-scale": 0.8, "text-color": "red"}, "b"]"#, #"{"a": 1}"#)
        else { return #expect(Bool(false), "it is no text") }
        #expect(text.text == "1b" && text.sections[0].scale == 0.8 && text.sections[0].color?.red == 1)
    }
}
