/// The inputs of a layer's expressions, determined once for all pictures.
struct LayerFacts: Sendable {
    /// The feature properties that the expressions use, or `nil` if they may use any.
    let propertyNames: Set<String>?
    /// Whether identifiers or coordinates of features make a difference.
    let dependsOnIdentity: Bool
    /// Whether feature coordinates make a difference.
    let dependsOnShape: Bool
    /// Whether features are drawn alike at all zooms.
    let isZoomConstant: Bool
    /// Whether all drawn features are drawn alike at a zoom.
    let isUniform: Bool

    /// - Complexity: O(nodes of the expressions).
    init(filter: StyleExpression?, properties: [StyleSheet.Key: StyleExpression]) {
        let all = Array(properties.values) + (filter.map { [$0] } ?? [])
        let names = all.map(\.propertyNames)
        propertyNames = names.contains(nil) ? nil : Set(names.lazy.compactMap(\.self).joined())
        dependsOnShape = all.contains(where: \.dependsOnShape)
        dependsOnIdentity = dependsOnShape || all.contains(where: \.dependsOnIdentity)
        isZoomConstant = all.allSatisfy(\.isZoomConstant)
        isUniform = properties.values.allSatisfy(\.isFeatureConstant)
    }
}
