package import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb

/// The feature layers of a map, as vector tiles that are made when they are requested.
package struct ServedFeatures: Sendable {
    /// The finest level of tiles, whose units are 15 cm wide.
    static let finestLevel = 16

    /// The map.
    package let map: PublishedMap
    /// The layers.
    let layers: [MapLayer]
    /// The identifier in URLs.
    package let id: String

    private static let settings = FeatureTileSettings()

    /// The levels of the tiles.
    package var levels: ClosedRange<Int> {
        let first = min(map.zooms.lowerBound, FeatureTilePyramid.possibleLevels.upperBound)
        return first...max(first, min(map.zooms.upperBound, Self.finestLevel))
    }

    /// The tag of a tile if the content of the map is known without making it, or `nil`.
    func tag(level: Int, column: Int, row: Int) -> EntityTag? {
        guard map.isExact, !map.isChanging, map.files.holds(at: 0) else { return nil }
        return EntityTag(of: [map.revision, "features"] + layers.map(\.name) + ["\(level)/\(column)/\(row)"])
    }

    /// A tile, compressed by gzip, and what it lacks.
    struct Tile: Sendable {
        /// The bytes; empty if the tile has no features.
        var bytes: [UInt8] = []
        /// What is left out, one sentence each.
        var losses: [String] = []
        /// Whether the next request may have more.
        var isIncomplete = false
    }

    /// Makes a tile.
    ///
    /// - Throws: ``Problem`` if it cannot be made.
    func tile(level: Int, column: Int, row: Int, on threads: RenderThreads) async throws(Problem) -> Tile {
        var indexes: [FeatureTileIndex] = [], result = Tile()
        for layer in layers {
            let index: FeatureTileIndex?
            if layer.featureService == nil {
                index = await map.featureTiles.index(of: layer, levels, Self.settings, on: threads)
            } else {
                let seen = await map.renderer.features(
                    of: layer, in: try Self.viewport(level: level, column: column, row: row))
                if seen.isIncomplete {
                    result.isIncomplete = true
                    result.losses.append("features of layer '\(layer.name)' are missing: its service did not send them")
                }
                if seen.isLimited {
                    result.losses.append("layer '\(layer.name)' has more features here than its limit")
                }
                index = await FeatureTileIndex(layer.name, seen.features, seen.crs, levels, Self.settings)
            }
            guard let index else {
                result.losses.append(
                    "layer '\(layer.name)' is left out: its coordinates cannot be transformed to web mercator")
                continue
            }
            indexes.append(index)
        }
        let made: FeatureTileAssembler.Tile?
        do throws(FeatureTileError) {
            made = try FeatureTileIndex.tile(
                of: indexes, level: level, column: column, row: row, isFinest: level == levels.upperBound,
                Self.settings)
        } catch {
            throw Problem(error == .cancelled ? .timedOut : .failed, "the tile cannot be made")
        }
        guard let made else { return result }
        result.bytes = made.bytes
        if made.counts.dropped > 0 {
            result.losses.append("\(made.counts.dropped) features left out: the tile exceeds a limit")
        }
        return result
    }

    /// The view of a tile, in which services are asked for features.
    private static func viewport(level: Int, column: Int, row: Int) throws(Problem) -> Viewport {
        let pixels = 512, world = CRS.webMercator.worldWidth ?? 1, side = world / Double(1 << level)
        guard let resolution = Resolution(unitsPerPixel: side / Double(pixels)),
            let size = ImageSize(width: pixels, height: pixels),
            let viewport = try? Viewport(
                center: Coordinate(
                    x: (Double(column) + 0.5) * side - world / 2, y: world / 2 - (Double(row) + 0.5) * side),
                resolution: resolution, size: size)
        else { throw Problem(.notFound, "tile \(column), \(row) does not exist at level \(level)", key: "x, y") }
        return viewport
    }

    /// Returns the TileJSON 3.0 document.
    ///
    /// - Parameter base: the public base URL of the server.
    package func document(at base: String) -> Properties {
        let levels = levels
        var shown = map
        shown.layers = layers
        var members = TileJSON.document(
            name: map.title, tiles: "\(base)/data/\(PercentEncoding.pathPart(id))/{z}/{x}/{y}.pbf", levels: levels,
            bounds: map.degrees, centerLevel: (levels.lowerBound + levels.upperBound) / 2,
            attribution: shown.attribution)
        members["id"] = .string(id)
        members["format"] = "pbf"
        members["vector_layers"] = .array(
            layers.map { layer in
                VectorLayerDescription(
                    id: layer.name, minimumLevel: levels.lowerBound, maximumLevel: levels.upperBound,
                    fields: map.featureTiles.fields(of: layer)
                ).value
            })
        return members
    }
}

extension PublishedMap {
    /// The layers of features, which are available as vector tiles.
    private var featureLayers: [MapLayer] {
        layers.filter { layer in
            !layer.name.contains("/")
                && (layer.features.map { $0.tileZoom == nil } ?? (layer.points != nil || layer.featureService != nil))
        }
    }

    /// The feature layers as vector tiles, or `nil` if the map has none.
    ///
    /// They have the name of the map, or `{map}:features` if an archive of the map has that name.
    package var servedFeatures: ServedFeatures? {
        let layers = featureLayers
        guard !layers.isEmpty else { return nil }
        return ServedFeatures(map: self, layers: layers, id: archives.isEmpty ? name : "\(name):features")
    }

    /// The vector tiles of one feature layer, or `nil` if there is none with this name.
    func servedFeatures(ofLayer name: String) -> ServedFeatures? {
        featureLayers.first { $0.name == name }.map {
            ServedFeatures(map: self, layers: [$0], id: "\(self.name):\(name)")
        }
    }
}
