/// The part of a layer kind that the configuration needs.
///
/// The layer grammar adds the rest.
package protocol NamedLayerKind: Sendable {
    /// The text before the colon in `KIND:SOURCE`.
    var name: String { get }
}

/// The layer kinds that layer specifications, documents and saved states may name.
///
/// ```swift
/// var configuration = RendererConfiguration()
/// configuration.layerKinds.kinds.append(.hexagons)
/// let layer = try LayerSpecification("hexagons:cities.csv;radius=24", kinds: configuration.layerKinds)
/// ```
public struct LayerKinds: Sendable {
    /// The kinds, in the order of the help text.
    package var entries: [any NamedLayerKind]

    package init(entries: [any NamedLayerKind]) { self.entries = entries }

    /// Returns the first kind with a name, or `nil` if none exists.
    ///
    /// - Complexity: O(*n*) in the kinds.
    package func entry(named name: String) -> (any NamedLayerKind)? { entries.first { $0.name == name } }
}
