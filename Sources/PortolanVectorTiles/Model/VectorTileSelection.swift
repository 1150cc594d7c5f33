/// The layers and attributes that are decoded.
package enum VectorTileSelection: Hashable, Sendable {
    /// Everything.
    case all
    /// The named layers; of each the named attributes, or all if the set is `nil`.
    case layers([String: Set<String>?])

    /// The layers alone, with all their attributes.
    package static func layers(_ names: some Sequence<String>) -> VectorTileSelection {
        .layers(Dictionary(names.map { ($0, nil) }) { first, _ in first })
    }

    /// The attributes of a layer; `nil` if the layer is not selected.
    func attributes(of layer: String) -> Attributes? {
        switch self {
        case .all: .all
        case .layers(let layers): layers[layer].map { $0.map(Attributes.named) ?? .all }
        }
    }

    /// The attributes of a layer that are decoded.
    enum Attributes {
        case all
        case named(Set<String>)

        func contains(_ key: String) -> Bool {
            switch self {
            case .all: true
            case .named(let keys): keys.contains(key)
            }
        }
    }
}
