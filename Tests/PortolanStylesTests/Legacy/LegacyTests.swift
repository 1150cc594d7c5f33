import PortolanFeatures
import Testing

@testable import PortolanStyles

/// The syntax of styles before expressions keeps its meaning.
@Suite struct LegacyTests {
    private static let number = PropertySpecification(.number, default: 1, isInterpolated: true)

    @Test(arguments: [
        (#"{"stops": [[0, 0], [10, 10]]}"#, 5.0, "{}", 5.0), (#"{"base": 2, "stops": [[0, 0], [2, 3]]}"#, 1, "{}", 1),
        (#"{"type": "interval", "stops": [[0, 1], [10, 2]]}"#, 9, "{}", 1),
        (#"{"property": "p", "stops": [[0, 0], [10, 100]]}"#, 0, #"{"p": 5}"#, 50),
        (#"{"property": "p", "type": "categorical", "stops": [["a", 4], ["b", 5]]}"#, 0, #"{"p": "b"}"#, 5),
        (#"{"property": "p", "type": "categorical", "stops": [["a", 4]]}"#, 0, #"{"p": "z"}"#, 1),
        (#"{"property": "p", "type": "categorical", "stops": [[true, 4], [false, 5]]}"#, 0, #"{"p": false}"#, 5),
        (#"{"property": "p", "type": "identity", "default": 8}"#, 0, #"{"p": "no number"}"#, 8),
        (#"{"property": "p", "stops": [[0, 0], [1, 1]], "default": 7}"#, 0, "{}", 7),
        (
            #"{"property": "p", "stops": [[{"zoom": 0, "value": 0}, 0], [{"zoom": 0, "value": 1}, 10], [{"zoom": 10, "value": 0}, 100], [{"zoom": 10, "value": 1}, 110]]}"#,
            5, #"{"p": 0.5}"#, 55
        ),
        (#"{"stops": [[5, 3]]}"#, 9, "{}", 3), (#"{"type": "interval", "stops": [[5, 3]]}"#, 9, "{}", 3),
    ])
    func `legacy stop functions are converted to expressions`(
        _ function: String, _ zoom: Double, _ properties: String, _ wanted: Double
    ) throws {
        #expect(try value(of: function, properties, zoom: zoom, for: Self.number) == .number(wanted))
    }

    @Test(arguments: [
        #"{"stops": []}"#, #"{"stops": [1]}"#, #"{"stops": [[1]]}"#, #"{"type": "bent", "stops": [[0, 1]]}"#,
        #"{"stops": 5}"#,
        #"{"property": "p", "stops": [[{"zoom": 0}, 1]]}"#,
    ])
    func `invalid legacy functions are refused`(_ function: String) throws {
        #expect(try !faults(of: function, for: Self.number).isEmpty)
    }

    @Test(arguments: [
        ("{name}", #"{"name": "Oulu"}"#, "Oulu"), ("{a}/{b}", #"{"a": 1, "b": "x"}"#, "1/x"), ("{none}", "{}", ""),
        ("plain", "{}", "plain"), ("{}{", "{}", "{}{"), ("a{b", #"{"b": 1}"#, "a{b"), ("{{a}}", #"{"a": 1}"#, "{1}"),
    ])
    func `tokens are replaced by properties`(_ text: String, _ properties: String, _ wanted: String) throws {
        let expression = try StyleExpression(json: TokenText.expression(text), PropertySpecification(.string))
        var context = ExpressionContext()
        context.properties = try json(properties).objectValue ?? [:]
        #expect(try expression.evaluate(context) == .string(wanted))
    }

    @Test(arguments: [
        (#"["==", "class", "park"]"#, true), (#"["!=", "class", "park"]"#, false), (#"["==", "missing", null]"#, false),
        (#"["!=", "missing", "x"]"#, true), (#"["<", "rank", 5]"#, true), (#"["<", "class", 5]"#, false),
        (#"["in", "class", "wood", "park"]"#, true), (#"["!in", "class", "wood", "park"]"#, false),
        (#"["in", "rank", 3, "x"]"#, true),
        (#"["has", "rank"]"#, true), (#"["!has", "rank"]"#, false), (#"["==", "$type", "Polygon"]"#, true),
        (#"["in", "$type", "Point", "LineString"]"#, false), (#"["==", "$id", 9]"#, true), (#"["has", "$id"]"#, true),
        (#"["all", ["==", "class", "park"], [">=", "rank", 3]]"#, true), (#"["none", ["==", "class", "park"]]"#, false),
        (#"["any", ["<", "class", 0], ["==", "rank", 3]]"#, true), (#"["any"]"#, false), (#"["all"]"#, true),
        ("true", true),
        (#"["==", ["get", "class"], "park"]"#, true), (#"["in", "par", ["get", "class"]]"#, true),
        (#"["all", ["has", "rank"], [">", ["get", "rank"], 2]]"#, true), (#"[">", ["get", "class"], 2]"#, false),
        (#"["all", ["has", "rank"], ["<", ["zoom"], 11]]"#, true),
    ])
    func `legacy and expression filters match the expected features`(_ filter: String, _ wanted: Bool) throws {
        let square = try GeoJSONReader.read(
            Array(
                #"{"type":"Feature","id":9,"properties":{"class":"park","rank":3},"geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}}"#
                    .utf8))
        let context = ExpressionContext(zoom: 10, feature: try #require(square.features.first))
        #expect(try StyleExpression(filter: try json(filter)).matches(context) == wanted)
    }

    @Test(arguments: [
        "[]", "5", #"["=="]"#, #"["==", 5, 6]"#, #"["nothing", "a", 1]"#, #"["none", 5]"#, #"["any", ["in"]]"#,
        #"["!in", 5]"#,
    ])
    func `invalid filters are refused with errors or evaluated`(_ filter: String) throws {
        do {
            _ = try StyleExpression(filter: try json(filter)).matches(ExpressionContext())
        } catch let fault as StyleExpressionError { #expect(!fault.errors.isEmpty) }
    }
}
