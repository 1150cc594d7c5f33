import PortolanFeatures
import PortolanGeo
import Testing

@testable import PortolanStyles

/// The expressions of label templates.
@Suite struct LabelExpressionTests {
    private static let properties: [Properties] = [
        ["name": "Köln", "n": 1_234_567.891, "name:es": "Colonia"], ["name": "B", "n": -0.5], ["n": "12345.6"],
        ["name": "x", "n": "n/a"], ["name": "y", "n": .null], ["n": true], [:], ["name": 7, "n": 0],
    ]

    @Test(
        arguments: [
            "{name}", "{name}: {n:,.0f}", "{n:.1f}", "{n:+,.2f}", "{n:.1%}", "{n:+.0%}", "{name:es|name}: {n:d} {{x}}",
            "{n:,}",
            "plain {{name}}", "{n:,.3~f}",
        ], [nil, "de", "fr", "pl", "tr", "en-IN"])
    func `the expression gives the text of the template`(_ text: String, _ language: String?) throws {
        let template = try LabelTemplate(braces: text, language: language)
        let expression = try StyleExpression(template.expression, for: PropertySpecification(.any))
        for properties in Self.properties {
            let feature = Feature(geometry: .point(Coordinate(x: 0, y: 0)), properties: properties)
            let value = try expression.evaluate(ExpressionContext(zoom: 1, feature: feature))
            #expect(value.text == template.text(for: properties).text, "\(properties)")
        }
    }

    @Test func `a style reads the properties of the template`() throws {
        let template = try LabelTemplate(braces: "{name|title}: {people:,.0f}")
        let expression = try StyleExpression(template.expression, for: PropertySpecification(.any))
        #expect(try #require(expression.propertyNames).isSuperset(of: ["name", "title", "people"]))
    }
}
