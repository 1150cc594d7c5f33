package import PortolanFeatures

/// A property that a style aggregates over the points of a cluster (MapLibre Style Specification 8,
/// `clusterProperties`): a value for each point, and how two values are combined.
package struct ClusterProperty: Equatable, Sendable {
    /// The property name of clusters.
    package let name: String
    private let map: StyleExpression
    private let reduce: StyleExpression
    private let words: PropertyValue

    /// Reads the definition of a property: an operator and the value of a point, as in `["+", ["get", "beds"]]`, or an
    /// expression that combines the aggregated value (`accumulated`) with that of the next point, and the value of a
    /// point.
    ///
    /// - Throws: ``StyleExpressionError`` with the position in the list and the error.
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

    /// Returns the value of a point, null if it has none.
    package func value(of feature: Feature) -> ExpressionValue {
        (try? map.evaluate(ExpressionContext(zoom: 0, feature: feature))) ?? .null
    }

    /// Returns the combination of two values, null if it cannot be computed.
    package func joined(_ accumulated: ExpressionValue, with next: ExpressionValue) -> ExpressionValue {
        var context = ExpressionContext(zoom: 0)
        context.accumulated = accumulated
        context.properties = [name: next.propertyValue]
        return (try? reduce.evaluate(context)) ?? .null
    }

    /// Returns whether two definitions are equal.
    package static func == (left: ClusterProperty, right: ClusterProperty) -> Bool {
        left.name == right.name && left.words == right.words
    }
}
