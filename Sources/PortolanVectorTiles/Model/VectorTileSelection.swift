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

    /// Everything that two selections have.
    package func union(_ other: VectorTileSelection) -> VectorTileSelection {
        guard case .layers(let own) = self, case .layers(let others) = other else { return .all }
        return .layers(
            own.merging(others) { first, second in
                guard let first, let second else { return nil }
                return first.union(second)
            })
    }

    /// Whether it has everything that another selection has.
    package func contains(_ other: VectorTileSelection) -> Bool {
        guard case .layers(let own) = self else { return true }
        guard case .layers(let others) = other else { return false }
        return others.allSatisfy { name, keys in
            guard let attributes = own[name] else { return false }
            guard let attributes else { return true }
            return keys.map(attributes.isSuperset) ?? false
        }
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
