import PortolanFeatures
import PortolanStyles

/// A value of JSON from its text.
func json(_ text: String) throws -> PropertyValue { try JSONReader.value(bytes: Array(text.utf8)) }

/// The value of an expression for a feature with some properties.
func value(
    of text: String, _ properties: String = "{}", zoom: Double = 0, for specification: PropertySpecification? = nil
) throws -> ExpressionValue {
    let expression = try StyleExpression(
        try json(text), for: specification ?? PropertySpecification(.any, isInterpolated: true))
    var context = ExpressionContext(zoom: zoom)
    context.properties = try json(properties).objectValue ?? [:]
    return try expression.evaluate(context)
}

/// The keys of the errors of an expression; none when it compiles.
func faults(of text: String, for specification: PropertySpecification? = nil) throws -> [String] {
    let specification = specification ?? PropertySpecification(.any, isInterpolated: true)
    do {
        _ = try StyleExpression(try json(text), for: specification)
        return []
    } catch let fault as StyleExpressionError { return fault.errors.map { $0.key.isEmpty ? "whole" : $0.key } }
}
