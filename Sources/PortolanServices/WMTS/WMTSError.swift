import PortolanWeb

/// Why a service cannot give the tiles that a user wants; each case names what it offers instead.
public enum WMTSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are several layers and none is named.
    case noLayer(offers: [String])
    /// There is no layer of this name.
    case layerNotFound(String, suggestion: String?, offers: [String])
    /// The layer has no style of this name.
    case styleNotFound(String, layer: String, offers: [String])
    /// The layer's tiles cannot be had in the format named, or in none that can be read when it is `nil`.
    case formatNotOffered(String?, offers: [String])
    /// The layer cannot be had in the matrix set named, or in none that can be brought onto the map when it is `nil`.
    case matrixSetNotOffered(String?, offers: [String])
    /// The layer has no dimension of this name.
    case dimensionNotFound(String, layer: String, offers: [String])
    /// The reference system is not known.
    case crs(String)
    /// The matrix set named has no tiles that can be asked for.
    case noTiles(String)
    /// Nothing tells where tiles can be had.
    case noAddress
    /// The address is none that requests can be sent to.
    case badAddress(String)

    /// What is wrong and what there is, in one line.
    public var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .noLayer(let offers): "no layer is named; the service offers: \(Self.list(offers))"
        case .layerNotFound(let name, let suggestion, let offers):
            "the service has no layer '\(name)'"
                + (suggestion.map { "; did you mean '\($0)'?" } ?? ".") + " It offers: \(Self.list(offers))"
        case .styleNotFound(let name, let layer, let offers):
            "the layer '\(layer)' has no style '\(name)'; it offers: \(Self.list(offers))"
        case .formatNotOffered(let name?, let offers):
            "the layer has no tiles in \(name); it offers: \(Self.list(offers))"
        case .formatNotOffered(nil, let offers):
            "the layer has tiles in no format that can be read; it offers: \(Self.list(offers))"
        case .matrixSetNotOffered(let name?, let offers):
            "the layer cannot be had in the matrix set '\(name)'; it offers: \(Self.list(offers))"
        case .matrixSetNotOffered(nil, let offers):
            "the layer has no matrix set that can be brought onto the map; it offers: \(Self.list(offers))"
        case .dimensionNotFound(let name, let layer, let offers):
            "the layer '\(layer)' has no dimension '\(name)'; it has: \(Self.list(offers))"
        case .crs(let text): text
        case .noTiles(let name): "the matrix set '\(name)' has no tiles that can be asked for"
        case .noAddress: "the capabilities tell no address for tiles: neither a template nor one for requests"
        case .badAddress(let url): "'\(url)' is not an http or https address"
        }
    }

    private static func list(_ offers: [String]) -> String {
        if offers.isEmpty { return "none" }
        let shown = offers.prefix(20).joined(separator: ", ")
        return offers.count > 20 ? shown + " and \(offers.count - 20) more" : shown
    }
}
