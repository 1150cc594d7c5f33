package import Portolan
package import PortolanFetch
package import PortolanGeo
package import PortolanPlan

/// A map that a server publishes: its name, its layers, and what is told of it.
package struct PublishedMap: Sendable {
    /// The name in addresses: letters, digits, `-`, `_` and `.`.
    package let name: String
    /// The name for people.
    package let title: String
    /// The layers that are drawn, bottom first.
    package var layers: [MapLayer]
    /// The system of the map; tiles and pictures may be in another.
    package let crs: CRS
    /// What a document shows first.
    package let view: ViewRequest
    /// Where there is something to show, in degrees, west and south first; `nil` where nobody knows, or all over the world.
    package let bounds: Extent?
    /// Draws it.
    package let renderer: MapRenderer
    /// The hash of what the map is made of: the words of its layers and the documents that were read for them.
    package let revision: String
    /// Whether servers are asked for parts of each picture.
    package let isChanging: Bool
    /// Whether the same revision means the same map on each machine: not if vehicles were listened to, or a layer failed.
    package let isExact: Bool
    /// The local files that are part of ``revision`` and are read when pictures are drawn, as they were.
    package let files: ContentValidity
    /// The coarsest and the finest level of its tiles.
    package let zooms: ClosedRange<Int>
    /// How many seconds a picture may be used again by others.
    package let maximumAge: Int
    /// What a person should know of it.
    package let warnings: [MapWarning]

    /// Whether pictures that depend on something are determined by the ``revision``, so that their tags are known without
    /// drawing.
    func determines(_ validity: ContentValidity) -> Bool {
        isExact && validity.freshUntil == nil && validity.files.allSatisfy { files.files[$0.key] == $0.value }
    }

    /// Who is to be named on it.
    package var attribution: String? {
        var names: [String] = []
        for name in layers.compactMap(\.attribution) where !names.contains(name) { names.append(name) }
        return names.isEmpty ? nil : names.joined(separator: " · ")
    }

    /// Whether labels are set, which give way to each other over the border of a tile.
    package var placesLabels: Bool { layers.contains(where: \.placesLabels) }

    /// The layers of some names in their own order, or `nil` for a name that none has.
    package func layers(named names: [String]) -> [MapLayer]? {
        let known = Dictionary(layers.map { ($0.name, $0) }) { first, _ in first }
        let found = names.compactMap { known[$0] }
        return found.count == names.count ? found : nil
    }

    /// The west, south, east and north in degrees, of the world as web mercator has it where nothing is known.
    package var degrees: [Double] {
        bounds.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] } ?? [-180, -85.051129, 180, 85.051129]
    }
}

/// The maps that a server publishes, in their order: one value, so that a reload puts another in its place in one step.
package struct MapBook: Sendable {
    /// The maps.
    package let maps: [PublishedMap]
    /// What grows when another book takes this one's place: the second since 1970 in which the newest of its files was changed.
    package let sequence: Int
    private let places: [String: Int]

    /// Makes a book; of maps with the same name the first counts.
    package init(_ maps: [PublishedMap], sequence: Int = 0) {
        self.maps = maps
        self.sequence = sequence
        places = Dictionary(maps.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// The map of a name, or `nil` where there is none.
    package subscript(name: String) -> PublishedMap? { places[name].map { maps[$0] } }

    /// The map of a name.
    ///
    /// - Throws: ``Problem`` where there is none.
    package func map(_ name: String) throws(Problem) -> PublishedMap {
        guard let map = self[name] else {
            let names = maps.prefix(20).map(\.name).joined(separator: ", ")
            throw Problem(.notFound, "there is no map '\(name)'; there are: \(names)", key: "map")
        }
        return map
    }
}
