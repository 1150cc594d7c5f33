import PortolanWeb

/// Why a Tile Map Service cannot give the tiles that a user wants.
public enum TMSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are several maps, or several services, and none is named; the texts name what there is.
    case noMap(offers: [String])
    /// There is no map of this name.
    case mapNotFound(String, offers: [String])
    /// The maps are in systems that cannot be brought onto the map that is drawn.
    case crsNotOffered(offers: [String])
    /// The reference system is not known.
    case crs(String)
    /// No level has tiles that can be asked for.
    case noTiles

    /// What is wrong and what there is, in one line.
    public var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .noMap(let offers): "name one of these with 'layer', or give its address: \(Self.list(offers))"
        case .mapNotFound(let name, let offers): "there is no tile map '\(name)'; there are: \(Self.list(offers))"
        case .crsNotOffered(let offers):
            "no tile map can be brought onto the map; there are: \(Self.list(offers))"
        case .crs(let text): text
        case .noTiles: "the tile map has no level with tiles that can be asked for"
        }
    }

    private static func list(_ offers: [String]) -> String {
        if offers.isEmpty { return "none" }
        let shown = offers.prefix(20).joined(separator: ", ")
        return offers.count > 20 ? shown + " and \(offers.count - 20) more" : shown
    }
}
