/// A kind of layer as far as the configuration of a program knows it; the layer grammar knows the rest.
package protocol NamedLayerKind: Sendable {
    /// What stands before the colon in `KIND:SOURCE`.
    var name: String { get }
}

/// The kinds of layers that a program knows by name: what words, documents and saved states may say.
///
/// ```swift
/// var configuration = RendererConfiguration()
/// configuration.layerKinds.kinds.append(.hexagons)
/// let layer = try LayerSpecification("hexagons:cities.csv;radius=24", kinds: configuration.layerKinds)
/// ```
public struct LayerKinds: Sendable {
    /// The kinds, in the order in which help names them.
    package var entries: [any NamedLayerKind]

    package init(entries: [any NamedLayerKind]) { self.entries = entries }

    /// The first kind of a name, or `nil` when there is none.
    ///
    /// - Complexity: O(*n*) in the kinds.
    package func entry(named name: String) -> (any NamedLayerKind)? { entries.first { $0.name == name } }
}
