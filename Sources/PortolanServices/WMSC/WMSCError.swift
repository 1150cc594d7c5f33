import PortolanWeb

/// Why a service cannot be asked for its tiles.
public enum WMSCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The capabilities list no tile sets.
    case noTileSets
    /// No tile set has what was asked for; the texts name what there is.
    case noMatch(offers: [String])
    /// The reference system is not known.
    case crs(String)
    /// A tile set states no extent, and its system, named here, covers only a part of the world.
    case noExtent(String)
    /// The tile set in the system named has levels with no tiles or too many.
    case noGrid(String)

    /// What is wrong, in one line.
    public var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .noTileSets:
            "the service lists no tile sets; use it as a plain WMS or give extent, resolutions and tile size by hand"
        case .noMatch(let offers):
            "no tile set has these layers, styles, format and CRS; there are: " + offers.joined(separator: "; ")
        case .crs(let text): text
        case .noExtent(let name): "the tile set in \(name) has no extent; give one by hand"
        case .noGrid(let name): "the tile set in \(name) has levels with no tiles or too many"
        }
    }
}
