/// Why a map's facade cannot do what it was asked.
public enum FacadeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The map has a layer of that name already.
    case duplicateLayer(String)
    /// The name is that of the vector layer, which an app has for its own features.
    case reservedName(String)
    /// The map has no layer of that name.
    case noSuchLayer(String)
    /// The map has no feature with that identifier.
    case noSuchFeature(String)
    /// There are no features, so that there is nothing to go to.
    case noFeatures
    /// The coordinates lie outside what the map's CRS can show.
    case outsideMap(String)

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .duplicateLayer(let name): "the map already has a layer named '\(name)'"
        case .reservedName(let name): "the name '\(name)' is kept for the layer of the app's own features"
        case .noSuchLayer(let name): "the map has no layer named '\(name)'"
        case .noSuchFeature(let id): "the map has no feature with the identifier '\(id)'"
        case .noFeatures: "the map has no features to go to"
        case .outsideMap(let crs): "the place lies outside what \(crs) can show"
        }
    }
}
