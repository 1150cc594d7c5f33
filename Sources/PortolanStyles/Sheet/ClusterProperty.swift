package import PortolanFeatures

/// What a style gathers of the points of a cluster (MapLibre Style Specification 8, `clusterProperties`): a value of each point,
/// and how two of them are joined.
package struct ClusterProperty: Equatable, Sendable {
    /// The name under which clusters have it.
    package let name: String
    private let map: StyleExpression
    private let reduce: StyleExpression
    private let words: PropertyValue

    /// Reads what stands under a name: an operator and the value of a point, as `["+", ["get", "beds"]]`, or how the value
    /// gathered so far (`accumulated`) is joined with that of the next under the same name, and the value of a point.
    ///
    /// - Throws: ``StyleExpressionError`` with the place in the list and what is wrong there.
    package init(_ name: String, _ value: PropertyValue) throws(StyleExpressionError) {
        guard case .array(let parts) = value, parts.count == 2 else {
            let reason = StyleExpressionError.Problem.Reason.malformed(wanted: "an operator and an expression")
            throw StyleExpressionError(errors: [StyleExpressionError.Problem(path: [], reason: reason)])
        }
        let any = PropertySpecification(.any)
        self.name = name
        words = value
        if parts[0].stringValue != nil {
            reduce = try StyleExpression([parts[0], ["accumulated"], ["get", .string(name)]], for: any)
        } else {
            reduce = try StyleExpression(parts[0], for: any)
        }
        map = try StyleExpression(parts[1], for: any)
    }

    /// The value of a point, null where it has none.
    package func value(of feature: Feature) -> ExpressionValue {
        (try? map.evaluate(ExpressionContext(zoom: 0, feature: feature))) ?? .null
    }

    /// The value of two, null where it cannot be computed.
    package func joined(_ accumulated: ExpressionValue, with next: ExpressionValue) -> ExpressionValue {
        var context = ExpressionContext(zoom: 0)
        context.accumulated = accumulated
        context.properties = [name: next.propertyValue]
        return (try? reduce.evaluate(context)) ?? .null
    }

    /// Whether two say the same.
    package static func == (left: ClusterProperty, right: ClusterProperty) -> Bool {
        left.name == right.name && left.words == right.words
    }
}
