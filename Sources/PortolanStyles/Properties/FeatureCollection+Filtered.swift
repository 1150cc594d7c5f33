public import PortolanFeatures
import PortolanGeo

extension FeatureCollection {
    /// Returns the features that a filter accepts, without those for which it cannot be evaluated.
    ///
    /// ```swift
    /// let filter = try StyleExpression(filter: [">=", ["get", "population"], 100_000])
    /// let cities = places.filtered(by: filter)
    /// ```
    ///
    /// - Parameter filter: a filter, which sees the features at zoom 0.
    /// - Complexity: O(features).
    public func filtered(by filter: StyleExpression) -> FeatureCollection {
        var filtered = self
        filtered.declaredBounds = nil
        var context = ExpressionContext(zoom: 0)
        // Operators that measure read degrees.
        let transform =
            filter.dependsOnShape ? try? CoordinateTransform(from: effectiveCRS, to: .crs84) : nil
        filtered.features = features.filter { feature in
            context.set(feature)
            if let transform, !transform.isIdentity {
                context.geometry = feature.geometry?.mapWholeCoordinates { transform($0) }
            }
            return filter.matches(context)
        }
        return filtered
    }
}
