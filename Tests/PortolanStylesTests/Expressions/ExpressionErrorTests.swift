import PortolanFeatures
import Testing

@testable import PortolanStyles

/// Errors are reported at their position.
@Suite struct ExpressionErrorTests {
    @Test(arguments: [
        (#"[]"#, "whole"), (#"[1]"#, "[0]"), (#"["nothing"]"#, "[0]"), (#"["+", 1, "a"]"#, "[2]"),
        (#"["+", 1, ["nothing", 2]]"#, "[2][0]"), (#"["get"]"#, "whole"), (#"["get", 1]"#, "[1]"),
        (#"["==", 1]"#, "whole"),
        (#"["==", 1, "a"]"#, "whole"), (#"["<", true, false]"#, "[1]"), (#"["<", 1, null]"#, "[2]"),
        (#"["case", true, 1]"#, "whole"),
        (#"["case", 1, 2, 3]"#, "[1]"), (#"["match", "a", "a", 1]"#, "whole"),
        (#"["match", "a", "a", 1, "a", 2, 3]"#, "[4]"),
        (#"["match", "a", 1.5, 1, 3]"#, "[2]"), (#"["match", 1, "a", 1, 3]"#, "[1]"),
        (#"["step", 1, 0, 2, 1, 1, 3]"#, "[5]"),
        (#"["interpolate", ["linear"], 1, 0, "a", 1, "b"]"#, "whole"),
        (#"["interpolate", ["bent"], 1, 0, 0]"#, "[1][0]"),
        (#"["interpolate", ["exponential", "x"], 1, 0, 0]"#, "[1][1]"), (#"["var", "x"]"#, "[1]"),
        (#"["let", "a-b", 1, 2]"#, "[1]"),
        (#"["at", "a", 1]"#, "[1] [2]"), (#"["rgb", 300, 0, 0]"#, "whole"),
        (#"["array", "color", ["get", "x"]]"#, "[1]"),
        (#"["all", true, 1]"#, "whole"), (#"["length", 1]"#, "whole"), (#"["slice", 1, 2]"#, "whole"),
        (#"["in", ["literal", {}], "a"]"#, "whole"),
    ])
    func `an invalid expression is refused with the path of the fault`(_ text: String, _ keys: String) throws {
        #expect(try faults(of: text).joined(separator: " ") == keys)
    }

    @Test(arguments: [
        (#"["number", ["get", "x"]]"#, ""), (#"["+", 1, ["get", "x"]]"#, "[2]"), (#"["at", 5, ["get", "list"]]"#, ""),
        (#"["to-number", ["get", "x"]]"#, ""), (#"["to-color", ["get", "x"]]"#, ""), (#"["<", ["get", "x"], 1]"#, ""),
        (#"["in", ["get", "object"], ["get", "list"]]"#, ""), (#"["length", ["get", "y"]]"#, ""),
        (#"["error", "no"]"#, ""),
        (#"["rgb", ["get", "y"], 0, 0]"#, ""),
    ])
    func `an evaluation error states the path of the failing subexpression`(_ text: String, _ key: String) throws {
        let error = #expect(throws: EvaluationError.self) {
            try value(of: text, #"{"x": "a text", "y": 1000, "list": [1], "object": {}}"#)
        }
        #expect(error?.key == key)
        #expect(error?.description.isEmpty == false)
    }

    @Test func `an error message has no control characters`() throws {
        let error = #expect(throws: StyleExpressionError.self) { try value(of: #"["co\u007flesce\n", 1]"#) }
        #expect(error?.description.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } == false)
    }

    @Test func `zoom is allowed only as the input of one outermost curve`() throws {
        let number = PropertySpecification(.number, isInterpolated: true)
        #expect(try faults(of: #"["interpolate", ["linear"], ["zoom"], 0, 0, 1, 1]"#, for: number) == [])
        #expect(try faults(of: #"["coalesce", ["step", ["zoom"], 0, 1, 1]]"#, for: number) == [])
        for text in [
            #"["+", ["zoom"], 1]"#, #"["+", 1, ["step", ["zoom"], 0, 1, 1]]"#,
            #"["step", ["zoom"], 0, 1, ["step", ["zoom"], 0, 1, 1]]"#,
        ] { #expect(try faults(of: text, for: number) == ["whole"]) }
        let fixed = PropertySpecification(.number, dependsOnZoom: false, dependsOnFeatures: false)
        #expect(try faults(of: #"["step", ["zoom"], 0, 1, 1]"#, for: fixed) == ["whole"])
        #expect(try faults(of: #"["get", "x"]"#, for: fixed) == ["whole"])
        #expect(
            try faults(of: #"["interpolate", ["linear"], ["zoom"], 0, 0, 1, 1]"#, for: PropertySpecification(.number))
                == ["whole"])
    }

    @Test func `depth and size are limited, and each use of a variable counts its value`() throws {
        var deep = "1"
        for _ in 0..<60 { deep = "[\"-\", \(deep)]" }
        #expect(try StyleExpressionLimits.reason(of: deep) == .tooLarge(limit: ExpressionParser.maximumDepth))
        let wide = "[\"+\"" + String(repeating: ",1", count: 50_001) + "]"
        #expect(try StyleExpressionLimits.reason(of: wide) == .tooLarge(limit: ExpressionParser.maximumCount))
        // Each variable uses the previous one twice: 2^40 nodes in all.
        var doubling = #"["var", "v40"]"#
        for number in (1...40).reversed() {
            let last = number == 1 ? #"["get", "x"]"# : #"["var", "v\#(number - 1)"]"#
            doubling = #"["let", "v\#(number)", ["concat", \#(last), \#(last)], \#(doubling)]"#
        }
        #expect(try StyleExpressionLimits.reason(of: doubling) == .tooLarge(limit: ExpressionParser.maximumCount))
    }

    @Test func `searching a long text in a long text takes linear time`() throws {
        let long = String(repeating: "a", count: 60_000), near = String(repeating: "a", count: 30_000) + "b"
        var context = ExpressionContext()
        context.properties = ["text": .string(long), "near": .string(near)]
        let expression = try StyleExpression(
            try json(#"["index-of", ["get", "near"], ["get", "text"]]"#), for: PropertySpecification(.any))
        #expect(try expression.evaluate(context) == .number(-1))
    }

    @Test func `a fault in deeply nested conditions is found in linear time`() throws {
        var nested = #"["nothing"]"#
        for _ in 0..<40 { nested = #"["all", true, \#(nested)]"# }
        #expect(try faults(of: nested) == [String(repeating: "[2]", count: 40) + "[0]"])
    }
}

private enum StyleExpressionLimits {
    static func reason(of text: String) throws -> StyleExpressionError.Problem.Reason? {
        do {
            _ = try StyleExpression(
                try JSONReader.value(bytes: Array(text.utf8), limits: FeatureLimits(maximumDepth: 128)),
                for: PropertySpecification(.any))
            return nil
        } catch let fault as StyleExpressionError { return fault.errors.first?.reason }
    }
}
