package import PortolanFeatures
import PortolanFetch
import PortolanGeo
package import PortolanPlan
import PortolanVectorTiles
import PortolanWeb

extension ServiceClient {
    /// The features of vector tiles, and the tiles that could not be read.
    package struct VectorTileFeatures: Sendable {
        /// The features in the system of the tiles; those of several layers have the property `source-layer`.
        package var collection: FeatureCollection
        /// The reasons why something is missing, a sentence each.
        package var losses: [String]
        /// The level that was read.
        package var level: Int
    }

    /// The largest number of tiles whose features are read at once.
    package static let vectorTileLimit = 4096
    /// The property that names the layer in tiles of a feature.
    package static let sourceLayerName = "source-layer"

    /// Reads the features of vector tiles in an extent, joined over tile borders.
    ///
    /// - Parameters:
    ///   - layers: the layers in tiles; all if `nil`.
    ///   - level: the level; the finest if `nil`.
    ///   - extent: the extent in a system, or `nil` for all tiles where the source has some. Features that touch it are whole as far as its tiles reach.
    /// - Throws: ``/Portolan/MapError`` if there are too many tiles, no tiles of that level, or no layer of a name.
    package func readVectorTiles(
        _ source: VectorTileSource, layers: [String]? = nil, level: Int? = nil, in extent: LayerBounds? = nil
    ) async throws(MapError) -> VectorTileFeatures {
        let grid = source.tiles.grid, numbers = grid.matrices.map { Int($0.id) }
        guard let index = level.map({ numbers.firstIndex(of: $0) }) ?? grid.matrices.indices.last else {
            let known = numbers.compactMap(\.self)
            throw MapError(
                .nothingFound,
                "there are no tiles of zoom \(level ?? 0); the zooms are \(known.min() ?? 0) to \(known.max() ?? 0)")
        }
        let known = source.knownBounds
        let own = known?.extent(in: grid.crs) ?? grid.extent(ofLevel: index)
        guard let area = extent.map({ $0.extent(in: grid.crs) }) ?? own else {
            throw MapError(.nothingFound, "the box lies outside of \(grid.crs), the system of the tiles")
        }
        let selection = layers.map { VectorTileSelection.layers($0) } ?? .all
        let (wanted, count) = source.resources(
            ofLevel: index, in: area, selection: selection, limit: Self.vectorTileLimit)
        guard count <= Self.vectorTileLimit else {
            throw MapError(
                .tooLarge,
                "that is \(count) tiles, more than \(Self.vectorTileLimit); "
                    + (extent == nil && known == nil
                        ? "the source does not state where it has tiles: choose an area by --bbox, or a lower --zoom"
                        : "choose a smaller --bbox or a lower --zoom"))
        }
        var losses: [String] = [], decoded: [(tile: TileIndex, content: DecodedVectorTile)] = []
        for (index, result) in await loaded(wanted.map(\.resource)) {
            switch result {
            case .success(let content): if let content { decoded.append((wanted[index].tile, content)) }
            case .failure(let error): losses.append("tile \(wanted[index].resource.name): \(error)")
            }
        }
        if Task.isCancelled { throw MapError(.cancelled, "interrupted") }
        if decoded.isEmpty, let first = losses.first { throw MapError(.unavailable, first) }
        let found = source.features(
            of: layers, in: decoded, ofLevel: index, touching: extent == nil ? nil : area)
        if let missing = layers?.first(where: { name in !decoded.contains { $0.content.tile[name] != nil } }) {
            let names = Set(decoded.flatMap { $0.content.tile.layers.map(\.name) }).sorted()
            let known = source.descriptions.isEmpty ? names : source.descriptions.map(\.id)
            // A layer that the source describes may have no features here.
            guard known.contains(missing) else {
                throw MapError(
                    .unknownName,
                    "the tiles have no layer '\(missing)'"
                        + (known.isEmpty ? "" : "; there are: \(known.prefix(50).joined(separator: ", "))"))
            }
        }
        var features: [Feature] = []
        for (name, own) in found {
            features +=
                found.count == 1
                ? own
                : own.map { feature in
                    var feature = feature
                    feature.properties[Self.sourceLayerName] = .string(name)
                    return feature
                }
        }
        return VectorTileFeatures(
            collection: FeatureCollection(features: features, crs: grid.crs), losses: losses,
            level: numbers[index] ?? index)
    }

    /// The tiles at some resources, with their positions, some at a time; `nil` for empty ones.
    private func loaded(
        _ resources: [Resource]
    ) async -> [(index: Int, result: Result<DecodedVectorTile?, ResourceError>)] {
        typealias Loaded = (index: Int, result: Result<DecodedVectorTile?, ResourceError>)
        let loader = resourceLoader
        return await withTaskGroup(of: Loaded.self) { group in
            var results: [Loaded] = [], next = 0
            func add(_ group: inout TaskGroup<Loaded>) {
                guard next < resources.count, !Task.isCancelled else { return }
                let index = next, resource = resources[index]
                next += 1
                group.addTask {
                    let loaded = await loader.load(resource)
                    return (
                        index, loaded.map { if case .vectorTile(let tile) = $0.content { tile } else { nil } }
                    )
                }
            }
            for _ in 0..<max(configuration.maximumConnectionsPerHost, 1) { add(&group) }
            for await result in group {
                results.append(result)
                add(&group)
            }
            return results.sorted { $0.index < $1.index }
        }
    }
}
