package import Portolan
package import PortolanFetch
package import PortolanGeo
package import PortolanPlan
package import PortolanText

/// A map that a server publishes: its name, layers and metadata.
package struct PublishedMap: Sendable {
    /// The name in URLs: letters, digits, `-`, `_` and `.`.
    package let name: String
    /// The display title.
    package let title: String
    /// The layers, bottom first.
    package var layers: [MapLayer] { didSet { placesLabels = layers.contains(where: \.placesLabels) } }
    /// Whether the map has labels, which can collide across tile borders.
    ///
    /// It is stored, since each request of a tile asks for it.
    package private(set) var placesLabels: Bool
    /// The CRS of the map.
    ///
    /// Tiles and pictures may use another one.
    package let crs: CRS
    /// The initial view of the map document.
    package let view: ViewRequest
    /// The extent of the content as longitude and latitude in degrees, or `nil` if it is unknown or global.
    package let bounds: Extent?
    /// The renderer of the map.
    package let renderer: MapRenderer
    /// The hash of the map's content: the layer specifications and the documents read for them.
    package let revision: String
    /// Whether each picture needs requests to servers.
    package let isChanging: Bool
    /// Whether equal revisions mean equal maps on all machines.
    ///
    /// It is `false` if the map listens to vehicles or a layer failed.
    package let isExact: Bool
    /// The state of the local files that are part of ``revision`` and are read while drawing.
    package let files: ContentValidity
    /// The range of zoom levels of its tiles.
    package let zooms: ClosedRange<Int>
    /// The time in seconds that shared caches may reuse a picture.
    package let maximumAge: Int
    /// The warnings of opening the map.
    package var warnings: [MapWarning]
    /// The tile archives that it draws, which clients may read.
    package var archives: [ServedArchive] = []
    /// The keys that open it, or `nil` if it is open to all clients.
    package var keys: AccessKeys?
    /// The features of its layers, prepared for vector tiles.
    package let featureTiles = FeatureTileStore()

    /// Returns whether the ``revision`` determines pictures with these dependencies, so that their tags are known
    /// without rendering.
    func determines(_ validity: ContentValidity) -> Bool {
        isExact && validity.freshUntil == nil && validity.files.allSatisfy { files.files[$0.key] == $0.value }
    }

    /// The attributions of all layers, or `nil` without any.
    package var attribution: String? {
        var names: [String] = []
        for name in layers.compactMap(\.attribution) where !names.contains(name) { names.append(name) }
        return names.isEmpty ? nil : names.joined(separator: " · ")
    }

    /// Returns the layers with these names in the given order, or `nil` if one is unknown.
    package func layers(named names: [String]) -> [MapLayer]? {
        let known = Dictionary(layers.map { ($0.name, $0) }) { first, _ in first }
        let found = names.compactMap { known[$0] }
        return found.count == names.count ? found : nil
    }

    /// The identifiers of its archives: its own name for a single one, else `{map}:{layer}`.
    package var archiveNames: [String] {
        archives.count == 1 ? [name] : archives.map { "\(name):\($0.name)" }
    }

    /// The bounds as west, south, east and north in degrees; those of the Web Mercator world if they are unknown.
    package var degrees: [Double] {
        bounds.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] } ?? [-180, -85.051129, 180, 85.051129]
    }
}

/// The maps that a server publishes, in order.
///
/// It is a value, so that a reload replaces all maps in one step.
package struct MapBook: Sendable {
    /// The maps.
    package let maps: [PublishedMap]
    /// A number that grows with each reload: the modification time of the newest file in seconds since 1970.
    package let sequence: Int
    /// The fonts of all maps, from which glyph ranges are made.
    package let fonts: FontBook
    /// The folders of icons that are served as sprites, by identifier.
    package let sprites: [String: SpriteFolder]
    /// The vector tiles that are neither drawn nor those of an archive.
    package var providers: [any TileProvider] = [] { didSet { hasKeys = Self.haveKeys(maps, providers) } }
    /// The local files and folders that the maps were read from.
    package var files: Set<String> = []
    /// The optional maps that could not be opened.
    package var skipped: [MapBookError] = []
    /// The maps and tiles that the client has no key for, by name.
    let refusals: [String: Problem]
    /// Whether some maps or tiles can be used with a key alone.
    package private(set) var hasKeys: Bool
    private let places: [String: Int]

    /// Creates a book.
    ///
    /// Of maps with the same name, the first is used.
    package init(
        _ maps: [PublishedMap], sequence: Int = 0, fonts: FontBook = FontBook(), sprites: [String: SpriteFolder] = [:]
    ) {
        self.init(maps, sequence: sequence, fonts: fonts, sprites: sprites, refusals: [:])
    }

    private init(
        _ maps: [PublishedMap], sequence: Int, fonts: FontBook, sprites: [String: SpriteFolder],
        refusals: [String: Problem]
    ) {
        self.maps = maps
        self.sequence = sequence
        self.fonts = fonts
        self.sprites = sprites
        self.refusals = refusals
        hasKeys = Self.haveKeys(maps, [])
        places = Dictionary(maps.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    private static func haveKeys(_ maps: [PublishedMap], _ providers: [any TileProvider]) -> Bool {
        maps.contains { $0.keys != nil } || providers.contains { $0.keys != nil }
    }

    /// Returns the book with some of its maps and tiles, and the reasons why others cannot be used.
    func keeping(
        _ maps: [PublishedMap], _ providers: [any TileProvider], refusals: [String: Problem]
    ) -> MapBook {
        var book = MapBook(maps, sequence: sequence, fonts: fonts, sprites: sprites, refusals: refusals)
        (book.providers, book.files, book.skipped) = (providers, files, skipped)
        return book
    }

    /// Returns the map with a name, or `nil` if not found.
    package subscript(name: String) -> PublishedMap? { places[name].map { maps[$0] } }

    /// Returns the provider with an identifier, or `nil`.
    func provider(_ id: String) -> (any TileProvider)? { providers.first { $0.id == id } }

    /// Returns the tiles with an identifier: the name of a map for its first archive, or else for its feature layers;
    /// `{map}:{layer}` for an archive or a feature layer, `{map}:features` for all feature layers of a map with archives.
    ///
    /// - Throws: ``Problem`` if not found.
    package func tiles(_ id: String) throws(Problem) -> ServedTiles {
        if let map = self[id] {
            if let archive = map.archives.first { return .archive(archive, map) }
            if let features = map.servedFeatures { return .features(features) }
        }
        if let colon = id.firstIndex(of: ":"), let map = self[String(id[..<colon])] {
            let name = String(id[id.index(after: colon)...])
            if let archive = map.archives.first(where: { $0.name == name }) { return .archive(archive, map) }
            if let features = map.servedFeatures(ofLayer: name) { return .features(features) }
            if let features = map.servedFeatures, features.id == id { return .features(features) }
        }
        if let refusal = refusal(of: id) { throw refusal }
        let own = maps.flatMap { $0.archiveNames + [$0.servedFeatures?.id].compactMap(\.self) }
        let known = (providers.map(\.id) + own).prefix(20)
        throw Problem(
            .notFound,
            "unknown tiles '\(id)'; "
                + (known.isEmpty
                    ? "no map has an archive or features" : "available: \(known.joined(separator: ", "))"),
            key: "id")
    }

    /// Returns the map with a name.
    ///
    /// - Throws: ``Problem`` if not found.
    package func map(_ name: String) throws(Problem) -> PublishedMap {
        guard let map = self[name] else {
            if let refusal = refusal(of: name) { throw refusal }
            let names = maps.prefix(20).map(\.name).joined(separator: ", ")
            throw Problem(.notFound, "unknown map '\(name)'; available: \(names)", key: "map")
        }
        return map
    }
}
