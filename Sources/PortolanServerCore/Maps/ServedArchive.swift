package import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanGeo
package import PortolanPlan
import PortolanServices
import PortolanVectorTiles
import PortolanWeb

/// The tiles of a local archive that a map draws, as clients receive them: unchanged.
package struct ServedArchive: Sendable {
    /// The content of the tiles.
    package enum Content: Hashable, Sendable {
        /// Mapbox Vector Tiles.
        case mvt
        /// MapLibre Tiles.
        case mlt
        /// Images with a file extension, such as `png`.
        case images(String)

        /// The file extension of a tile.
        package var fileExtension: String {
            switch self {
            case .mvt: "pbf"
            case .mlt: "mlt"
            case .images(let format): format
            }
        }

        /// Returns whether tiles may be requested with a file extension.
        func isNamed(_ word: some StringProtocol) -> Bool {
            let word = word.lowercased()
            return word == fileExtension || self == .mvt && word == "mvt" || self == .images("jpg") && word == "jpeg"
        }
    }

    /// The largest tile in bytes, stored or unpacked.
    static let byteLimit = 64 << 20

    /// The name of the layer, or of the source in its style.
    package let name: String
    /// The tiles.
    package let tiles: TileSource
    /// The content of the tiles.
    package let content: Content
    /// The source of vector tiles, or `nil` for images.
    let vectors: VectorTileSource?
    /// The name that the archive states, or an empty text.
    private let title: String
    private let attribution: String?
    /// West, south, east and north in degrees, or `nil` if they are unknown.
    private let bounds: [Double]?
    private let vectorLayers: [VectorLayerDescription]
    private let readers: TileArchives

    /// Returns the local archives of layers, each once.
    ///
    /// - Parameter readers: opens and reads them.
    static func all(of layers: [MapLayer], by readers: TileArchives) -> [ServedArchive] {
        var found: [ServedArchive] = []
        for layer in layers {
            let sources: [(name: String, source: any LayerSource)] =
                layer.style.map { $0.sources.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
                ?? [(layer.name, layer.source)]
            for (name, source) in sources {
                guard let archive = ServedArchive(name, source, layer.attribution, readers) else { continue }
                let isKnown = found.contains { $0.name == name || $0.tiles.address == archive.tiles.address }
                if !isKnown { found.append(archive) }
            }
        }
        return found
    }

    private init?(_ name: String, _ source: any LayerSource, _ attribution: String?, _ readers: TileArchives) {
        let vectors = source as? VectorTileSource
        guard !name.contains("/"), let tiles = vectors?.tiles ?? source as? TileSource,
            case .archive(let archive) = tiles.address, let metadata = Self.metadata(of: archive)
        else { return nil }
        self.name = name
        self.tiles = tiles
        self.vectors = vectors
        self.readers = readers
        self.attribution = metadata.attribution ?? attribution
        title = metadata.name
        bounds = metadata.bounds
        guard let vectors else {
            content = .images(metadata.format == "jpeg" ? "jpg" : metadata.format)
            vectorLayers = []
            return
        }
        content = vectors.encoding == .mlt ? .mlt : .mvt
        var described = vectors.descriptions.isEmpty ? metadata.vectorLayers : vectors.descriptions
        // TileJSON requires the layers, also of an archive that does not list them.
        if described.isEmpty, let contents = try? TileArchiveContents(at: archive.path) {
            described = contents.tables.first?.vectorLayers ?? []
        }
        vectorLayers = described
    }

    private static func metadata(of archive: TileArchive) -> MBTilesMetadata? {
        guard archive.address == nil else { return nil }
        switch archive.format {
        case .mbtiles: return (try? MBTilesFile(path: archive.path))?.metadata
        case .pmtiles:
            // Tiles with Brotli can be neither recognized nor unpacked.
            guard let file = try? PMTilesFile(path: archive.path), file.header.tileCompression != .brotli else {
                return nil
            }
            return file.metadata
        default: return nil
        }
    }

    /// The levels with tiles.
    package var levels: ClosedRange<Int> {
        let numbers = tiles.grid.matrices.compactMap { Int($0.id) }
        return (numbers.min() ?? 0)...(numbers.max() ?? 0)
    }

    /// Returns the stored bytes of a tile, with rows from the north, or `nil` if the archive does not have it.
    ///
    /// - Throws: ``Problem`` if no such tile can exist, or the archive cannot be read.
    func tile(level: Int, column: Int, row: Int) throws(Problem) -> [UInt8]? {
        try Self.check(levels, level: level, column: column, row: row)
        guard case .archive(let archive) = tiles.address else { return nil }
        let entry = TileArchive.Entry(archive: archive, level: level, column: column, row: row)
        do throws(ResourceError) {
            guard case .encoded(let bytes)? = try readers.tile(entry, maximumByteCount: Self.byteLimit) else {
                return nil
            }
            return bytes
        } catch {
            // The message of the error has the path of the file.
            throw Problem(.sourceFailed, "the archive of '\(name)' cannot be read", retryAfter: 10)
        }
    }

    /// Checks that a tile can exist.
    ///
    /// - Throws: ``Problem`` if not.
    static func check(_ levels: ClosedRange<Int>, level: Int, column: Int, row: Int) throws(Problem) {
        guard levels.contains(level) else {
            throw Problem(.notFound, "the tiles have the levels \(levels.lowerBound) to \(levels.upperBound)", key: "z")
        }
        guard column < 1 << level, row < 1 << level else {
            throw Problem(.notFound, "tile \(column), \(row) does not exist at level \(level)", key: "x, y")
        }
    }

    /// Returns the TileJSON 3.0 document.
    ///
    /// - Parameters:
    ///   - id: the identifier in URLs.
    ///   - base: the public base URL of the server.
    package func document(_ id: String, of map: PublishedMap, at base: String) -> Properties {
        let levels = levels, format = content.fileExtension
        var members = TileJSON.document(
            name: title.isEmpty ? map.title : title,
            tiles: "\(base)/data/\(PercentEncoding.pathPart(id))/{z}/{x}/{y}.\(format)", levels: levels,
            bounds: bounds ?? map.degrees, centerLevel: (levels.lowerBound + levels.upperBound) / 2,
            attribution: attribution)
        members["id"] = .string(id)
        members["format"] = .string(format)
        if content == .mvt || content == .mlt { members["vector_layers"] = .array(vectorLayers.map(\.value)) }
        return members
    }
}
