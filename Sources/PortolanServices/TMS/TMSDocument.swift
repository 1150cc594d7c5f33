package import PortolanGeo
package import PortolanWeb

/// A Tile Map Service document: a list of services, the maps of a service, or a single map.
///
/// It follows *Tile Map Service Specification* 1.0.0 (OSGeo, 2012).
package enum TMSDocument: Hashable, Sendable {
    /// The services of a server.
    case services([TMSReference])
    /// The maps of a service.
    case service(TMSService)
    /// A map.
    case map(TMSTileMap)

    /// Returns whether a URL probably belongs to a Tile Map Service: it has the version in its path and no query, or
    /// its path contains the name of the protocol.
    ///
    /// A server may also answer as a WMS there if it receives a WMS request.
    package static func isLikely(at url: String) -> Bool {
        guard !url.contains("?") else { return false }
        let parts = ServiceURL(url).path.lowercased().split(separator: "/")
        return parts.contains { ["1.0.0", "tms"].contains($0) }
    }
}

/// A reference to a service or map in a Tile Map Service document.
package struct TMSReference: Hashable, Sendable {
    /// The title.
    package var title: String
    /// The URL of its document, as written.
    package var href: String
    /// The CRS of a map as written; empty for a service.
    package var crsName: String
    /// The profile of a map, such as `global-mercator`; empty without a profile.
    package var profile: String

    /// Creates a reference.
    package init(title: String, href: String, crsName: String = "", profile: String = "") {
        self.title = title
        self.href = href
        self.crsName = crsName
        self.profile = profile
    }
}

/// The maps of a Tile Map Service.
package struct TMSService: Hashable, Sendable {
    /// The version as written in the document.
    package var version: String
    /// The title.
    package var title: String
    /// The description, or `nil`.
    package var abstract: String?
    /// Its maps, in the order of the document.
    package var maps: [TMSReference]
    /// Warnings about the document.
    package var warnings: [MapWarning]
}

/// A map of a Tile Map Service: a tile pyramid with one format, usually counted from the lower left.
package struct TMSTileMap: Hashable, Sendable {
    /// A level of the pyramid.
    package struct TileSet: Hashable, Sendable {
        /// The URL prefix of its tiles, as written.
        package var href: String
        /// Units of the CRS per pixel.
        package var resolution: Resolution
        /// The index of the level in the pyramid, from the coarsest.
        package var order: Int
    }

    /// The version as written in the document.
    package var version: String
    /// The title.
    package var title: String
    /// The description, or `nil`.
    package var abstract: String?
    /// The name of the CRS as written.
    package var crsName: String
    /// The extent of the map, x east, in units of the CRS, or `nil` if it is not stated.
    package var extent: Extent?
    /// The corner from which tiles are counted.
    package var origin: Coordinate
    /// Whether ``origin`` is the upper left corner, in violation of the specification, so that rows are counted from
    /// the top.
    package var isCountedFromAbove: Bool {
        guard let extent else { return false }
        return origin.y > extent.minY + 0.75 * extent.height
    }
    /// The width of a tile in pixels.
    package var tileWidth: Int
    /// The height of a tile in pixels.
    package var tileHeight: Int
    /// The media type of the tiles.
    package var format: String
    /// The file extension of tile URLs, without the dot.
    package var fileExtension: String
    /// The profile, such as `global-mercator`, or `nil`.
    package var profile: String?
    /// The levels, in the order of the document.
    package var tileSets: [TileSet]
    /// The required attribution, or `nil`.
    package var attribution: String?
    /// Warnings about the document.
    package var warnings: [MapWarning]

    /// The CRS, or `nil` if it is not in the catalogue.
    package var crs: CRS? { try? CRS(crsName) }
}

extension TMSService {
    /// Returns the requested map.
    ///
    /// Of several maps with the same name, the one in the map's CRS is preferred, then the one whose tiles are
    /// distorted least.
    ///
    /// - Parameters:
    ///   - name: the title of a map, its URL, or the end of its URL; `nil` for the only title.
    ///   - mapCRS: the CRS of the map to be drawn.
    package func map(named name: String?, mapCRS: CRS) throws(TMSError) -> TMSReference {
        let offers = maps.map { "'\($0.title)' in \($0.crsName) (\($0.href))" }
        var fitting = maps
        if let name {
            fitting = maps.filter { $0.title == name }
            if fitting.isEmpty { fitting = maps.filter { $0.href == name || $0.href.hasSuffix("/" + name) } }
            if fitting.isEmpty {
                // All CRSs of a layer: `relief` for `…/1.0.0/relief/webmercator`.
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

/// A reason why a Tile Map Service cannot provide the requested tiles.
package enum TMSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are several maps or services, and none is named; the texts list them.
    case noMap(offers: [String])
    /// The map does not exist.
    case mapNotFound(String, offers: [String])
    /// No map has a CRS that can be transformed to that of the map to be drawn.
    case crsNotOffered(offers: [String])
    /// The CRS is unknown.
    case crs(String)
    /// No level has tiles that can be requested.
    case noTiles
    /// The document may not access the only URL that it contains.
    case refusedAddress(String)

    /// The cause and the alternatives, in one line.
    package var description: String { ReadableText.line(words, limit: 4000) }

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
