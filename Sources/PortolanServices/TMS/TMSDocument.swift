package import PortolanGeo
package import PortolanWeb

/// A document of a Tile Map Service: the list of services, that of a service's maps, or one map.
///
/// Follows *Tile Map Service Specification* 1.0.0 (OSGeo, 2012).
package enum TMSDocument: Hashable, Sendable {
    /// The services of a server.
    case services([TMSReference])
    /// The maps of a service.
    case service(TMSService)
    /// A map.
    case map(TMSTileMap)

    /// Whether an address is likely to be one of a Tile Map Service: it has the version in its path and no query, or its
    /// path names the protocol.
    ///
    /// A server may answer as a WMS there too, once it is asked as one.
    package static func isLikely(at url: String) -> Bool {
        guard !url.contains("?") else { return false }
        let parts = ServiceURL(url).path.lowercased().split(separator: "/")
        return parts.contains { ["1.0.0", "tms"].contains($0) }
    }
}

/// A service or a map that another document of a Tile Map Service names.
package struct TMSReference: Hashable, Sendable {
    /// The title for people.
    package var title: String
    /// The address of its own document, as written.
    package var href: String
    /// The reference system of a map as it is written, empty for a service.
    package var crsName: String
    /// The profile of a map, as `global-mercator`; empty when there is none.
    package var profile: String

    /// Creates a reference.
    package init(title: String, href: String, crsName: String = "", profile: String = "") {
        self.title = title
        self.href = href
        self.crsName = crsName
        self.profile = profile
    }
}

/// The offer of a Tile Map Service.
package struct TMSService: Hashable, Sendable {
    /// The version as the document writes it.
    package var version: String
    /// The title for people.
    package var title: String
    /// The description, or `nil`.
    package var abstract: String?
    /// Its maps, in the order of the document.
    package var maps: [TMSReference]
    /// Oddities of the document, a line each.
    package var warnings: [MapWarning]
}

/// A map of a Tile Map Service: tiles of one format in one pyramid, counted from the lower left as a rule.
package struct TMSTileMap: Hashable, Sendable {
    /// A level of the pyramid.
    package struct TileSet: Hashable, Sendable {
        /// The address that tiles' addresses begin with, as it is written.
        package var href: String
        /// Units of the reference system a pixel.
        package var resolution: Resolution
        /// The place of the level in the pyramid, from the coarsest on.
        package var order: Int
    }

    /// The version as the document writes it.
    package var version: String
    /// The title for people.
    package var title: String
    /// The description, or `nil`.
    package var abstract: String?
    /// The reference system's name as it is written.
    package var crsName: String
    /// The extent of the map, x east, in units of the system, or `nil` when the document does not state it.
    package var extent: Extent?
    /// The corner that tiles are counted from.
    package var origin: Coordinate
    /// Whether ``origin`` is the upper left corner, against the specification: rows are counted from above then.
    package var isCountedFromAbove: Bool {
        guard let extent else { return false }
        return origin.y > extent.minY + 0.75 * extent.height
    }
    /// Pixels in a row of a tile.
    package var tileWidth: Int
    /// Rows of pixels of a tile.
    package var tileHeight: Int
    /// The media type of the tiles.
    package var format: String
    /// The file extension of tiles' addresses, without the dot.
    package var fileExtension: String
    /// The profile, as `global-mercator`, or `nil`.
    package var profile: String?
    /// The levels, in the order of the document.
    package var tileSets: [TileSet]
    /// The attribution that must be shown, or `nil`.
    package var attribution: String?
    /// Oddities of the document, a line each.
    package var warnings: [MapWarning]

    /// The system, or `nil` when it is not in the catalogue.
    package var crs: CRS? { try? CRS(crsName) }
}

extension TMSService {
    /// The map that has what is asked for.
    ///
    /// Of several maps of one name the one in the map's system is taken, then the one whose tiles are stretched least.
    ///
    /// - Parameters:
    ///   - name: the title of a map, its address, or the end of its address; `nil` for the only title there is.
    ///   - mapCRS: the system of the map that is drawn.
    package func map(named name: String?, mapCRS: CRS) throws(TMSError) -> TMSReference {
        let offers = maps.map { "'\($0.title)' in \($0.crsName) (\($0.href))" }
        var fitting = maps
        if let name {
            fitting = maps.filter { $0.title == name }
            if fitting.isEmpty { fitting = maps.filter { $0.href == name || $0.href.hasSuffix("/" + name) } }
            if fitting.isEmpty {
                // All systems of a layer: `relief` for `…/1.0.0/relief/webmercator`.
                fitting = maps.filter { $0.href.split(separator: "/").dropLast().last.map(String.init) == name }
            }
            guard !fitting.isEmpty else { throw .mapNotFound(name, offers: offers) }
        } else if Set(maps.map(\.title)).count != 1 {
            throw .noMap(offers: offers)
        }
        var best: (map: TMSReference, cost: Double)?
        for map in fitting {
            guard let cost = Self.cost(of: map, on: mapCRS) else { continue }
            if best.map({ cost < $0.cost }) ?? true { best = (map, cost) }
        }
        guard let best else { throw .crsNotOffered(offers: offers) }
        return best.map
    }

    private static func cost(of map: TMSReference, on mapCRS: CRS) -> Double? {
        guard let crs = try? CRS(map.crsName) else { return nil }
        if crs == mapCRS { return 0 }
        guard crs.projection != nil, mapCRS.projection != nil else { return nil }
        if crs.hasCoordinates(of: mapCRS) { return 0.5 }
        return mapCRS.worldExtent.flatMap { WarpCost.between(crs, and: mapCRS, in: $0) } ?? 1e12
    }
}

/// A reason why a Tile Map Service cannot give the requested tiles.
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
    /// The document may not lead to the only address that it names.
    case refusedAddress(String)

    /// The problem and the alternatives, in one line.
    public var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .noMap(let offers): "choose one with 'layer', or give its URL: \(offers.listed)"
        case .mapNotFound(let name, let offers): "unknown tile map '\(name)'; available: \(offers.listed)"
        case .crsNotOffered(let offers):
            "no tile map has a usable CRS; available: \(offers.listed)"
        case .crs(let text): text
        case .noTiles: "no usable level with tiles in the tile map"
        case .refusedAddress(let address):
            "not allowed to request '\(address)', to which the document refers"
        }
    }
}
