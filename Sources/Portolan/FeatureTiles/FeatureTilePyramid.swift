package import PortolanArchives
package import PortolanFeatures
package import PortolanGeo
package import PortolanPlan
import PortolanServices
import Synchronization

/// Vector tiles of all levels, made from features.
///
/// Features are projected and simplified once. Each level is cut and encoded by all processors, two levels at a time.
package struct FeatureTilePyramid: Sendable {
    /// The features of a layer of the tiles.
    package struct Source: Sendable {
        /// The name in the tiles.
        package let name: String
        /// The features.
        package let collection: FeatureCollection

        /// Creates a source.
        package init(name: String, collection: FeatureCollection) {
            self.name = name
            self.collection = collection
        }
    }

    /// The levels of tiles.
    package static let possibleLevels = 0...22
    /// The largest number of features in all tiles of a level.
    private static let pieceLimit = 16_000_000
    /// The largest number of features of a block in all tiles of a level.
    private static let blockPieceLimit = 4_000_000
    /// The number of pieces and tiles that are encoded at a time.
    private static let share = (pieces: 16384, tiles: 512)

    /// The layers.
    package let layers: [FeatureTileLayer]
    /// The levels.
    package let levels: ClosedRange<Int>
    private let settings: FeatureTileSettings

    /// Prepares the features of layers.
    ///
    /// - Parameter levels: the levels, or `nil` to choose those that show all details.
    /// - Throws: ``MapError`` if the coordinates of a layer cannot be transformed.
    package init(
        _ sources: [Source], levels: ClosedRange<Int>? = nil, _ settings: FeatureTileSettings
    ) async throws(MapError) {
        self.settings = settings
        var prepared: [(attributes: FeatureTileAttributes, blocks: [FeatureTileShapes])] = []
        for source in sources {
            let transform: CoordinateTransform
            do { transform = try CoordinateTransform(from: source.collection.effectiveCRS, to: .webMercator) } catch {
                throw MapError(any: error)
            }
            prepared.append(await Self.prepared(source.collection.features, transform, settings))
        }
        let range = levels ?? 0...FeatureTileLayer.finestLevel(of: prepared.flatMap(\.blocks))
        self.levels = range
        layers = await withTaskGroup(of: (Int, FeatureTileLayer).self) { group in
            for (number, (source, content)) in zip(sources, prepared).enumerated() {
                group.addTask {
                    (
                        number,
                        FeatureTileLayer(
                            name: source.name, attributes: content.attributes, blocks: content.blocks, levels: range,
                            settings)
                    )
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Prepares the attributes of features, and their shapes in blocks.
    package static func prepared(
        _ features: [Feature], _ transform: CoordinateTransform, _ settings: FeatureTileSettings
    ) async -> (attributes: FeatureTileAttributes, blocks: [FeatureTileShapes]) {
        async let attributes = FeatureTileAttributes(features, settings.attributes)
        let starts = Array(stride(from: 0, to: features.count, by: FeatureTileLayer.blockSize))
        let blocks = await withTaskGroup(of: (Int, FeatureTileShapes).self) { group in
            for start in starts {
                group.addTask {
                    let end = min(start + FeatureTileLayer.blockSize, features.count)
                    return (start, FeatureTileShapes(features[start..<end], by: transform))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return (await attributes, blocks)
    }

    /// The tiles of a level in the order of their numbers, and their figures.
    private struct Level: Sendable {
        var tiles: [(id: PMTilesTileID, bytes: [UInt8])] = []
        var counts = FeatureTileCounts()
    }

    /// Makes all tiles, and writes them as an archive.
    ///
    /// - Parameters:
    ///   - output: begins the archive.
    ///   - metadata: the metadata, without ``/PortolanArchives/MBTilesMetadata/vectorLayers``.
    ///   - progress: receives the number of finished levels.
    /// - Returns: the figures of each level.
    /// - Throws: ``MapError``.
    package func write(
        to output: @Sendable () throws(ArchiveError) -> any TileArchiveOutput, _ metadata: MBTilesMetadata,
        progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(MapError) -> [FeatureTileCounts] {
        let archive: any TileArchiveOutput
        do { archive = try output() } catch { throw MapError(any: error, code: .unwritableFile) }
        var counts: [FeatureTileCounts] = [], failure: MapError?
        await withTaskGroup(of: (Int, Result<Level, FeatureTileError>).self) { group in
            var next = levels.lowerBound, waiting: [Int: Level] = [:]
            func begin() {
                guard next <= levels.upperBound else { return }
                let level = next
                next += 1
                group.addTask { (level, await self.level(level)) }
            }
            begin()
            begin()
            for await (level, result) in group {
                switch result {
                case .failure(let error): failure = failure ?? MapError(error)
                case .success(let made): waiting[level] = made
                }
                do {
                    while failure == nil, let made = waiting.removeValue(forKey: levels.lowerBound + counts.count) {
                        for tile in made.tiles { try archive.add(tile.id, tile.bytes) }
                        counts.append(made.counts)
                        progress(counts.count, levels.count)
                    }
                } catch { failure = MapError(any: error, code: .unwritableFile) }
                if failure == nil { begin() } else { group.cancelAll() }
            }
        }
        if Task.isCancelled { throw MapError(.cancelled, "the task was cancelled") }
        if let failure { throw failure }
        guard counts.contains(where: { $0.tiles > 0 }) else {
            throw MapError(
                .nothingFound, "no feature has a position within the world of web mercator",
                remedy: "check the CRS of the input")
        }
        var metadata = metadata
        metadata.bounds = metadata.bounds ?? bounds
        metadata.levels = levels
        metadata.vectorLayers = layers.map { $0.description(levels) }
        metadata.others["strategies"] = .array(counts.map(\.strategies))
        do { try archive.finish(metadata) } catch { throw MapError(any: error, code: .unwritableFile) }
        return counts
    }

    /// West, south, east and north of all features in degrees, or `nil` without any.
    private var bounds: [Double]? {
        let boxes = layers.compactMap(\.box)
        guard let west = boxes.map(\.minX).min(), let east = boxes.map(\.maxX).max(),
            let north = boxes.map(\.minY).min(), let south = boxes.map(\.maxY).max(),
            let toDegrees = try? CoordinateTransform(from: .webMercator, to: .crs84),
            let width = CRS.webMercator.worldWidth
        else { return nil }
        func degrees(_ x: Double, _ y: Double) -> Coordinate? {
            let x = min(max(x, 0), 1), y = min(max(y, 0), 1)
            return toDegrees(Coordinate(x: (x - 0.5) * width, y: (0.5 - y) * width))
        }
        guard let low = degrees(west, south), let high = degrees(east, north) else { return nil }
        return [low.x, low.y, high.x, high.y].map { ($0 * 1e7).rounded() / 1e7 }
    }

    private func level(_ level: Int) async -> Result<Level, FeatureTileError> {
        let settings = settings, isFinest = level == levels.upperBound
        let jobs = layers.indices.flatMap { layer in layers[layer].blocks.indices.map { (layer: layer, block: $0) } }
        let total = PieceCount()
        let blocks = await withTaskGroup(of: (Int, FeatureTilePieces).self) { group in
            for (number, job) in jobs.enumerated() {
                group.addTask {
                    guard !Task.isCancelled, total.value <= Self.pieceLimit else {
                        return (number, FeatureTilePieces())
                    }
                    var cutter = FeatureTileCutter(
                        level: level, isFinest: isFinest, pieceLimit: Self.blockPieceLimit, settings)
                    cutter.cut(layers[job.layer].blocks[job.block], of: layers[job.layer])
                    let pieces = cutter.finish()
                    total.add(pieces.isOverLimit ? Self.pieceLimit + 1 : pieces.count)
                    return (number, pieces)
                }
            }
            var blocks = [FeatureTilePieces](repeating: FeatureTilePieces(), count: jobs.count)
            for await (number, pieces) in group { blocks[number] = pieces }
            return blocks
        }
        if Task.isCancelled { return .failure(.cancelled) }
        guard total.value <= Self.pieceLimit else { return .failure(.tooMany(level: level)) }
        return await assembled(blocks, jobs.map(\.layer), level)
    }

    /// Joins the pieces of a level into tiles.
    private func assembled(
        _ blocks: [FeatureTilePieces], _ layerOfBlock: [Int], _ level: Int
    ) async -> Result<Level, FeatureTileError> {
        let sorting = FeatureTileSorting(blocks, level: level), settings = settings
        let results = await withTaskGroup(of: (Int, Result<Level, FeatureTileError>).self) { group in
            for (number, range) in sorting.shares(pieces: Self.share.pieces, tiles: Self.share.tiles).enumerated() {
                group.addTask {
                    var made = Level()
                    do throws(FeatureTileError) {
                        var assembler = try FeatureTileAssembler(layers, level: level, settings)
                        for tile in range {
                            if Task.isCancelled { throw .cancelled }
                            let references = sorting.references[sorting.range(of: tile)]
                            guard let whole = try assembler.tile(references, of: blocks, layerOfBlock) else { continue }
                            made.counts.add(whole.counts)
                            if !whole.bytes.isEmpty { made.tiles.append((sorting.tiles[tile], whole.bytes)) }
                        }
                        return (number, .success(made))
                    } catch { return (number, .failure(error)) }
                }
            }
            var results: [(Int, Result<Level, FeatureTileError>)] = []
            for await result in group {
                if case .failure = result.1 { group.cancelAll() }
                results.append(result)
            }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
        var all = Level(), failure: FeatureTileError?
        for result in results {
            switch result {
            case .success(let made):
                all.tiles += made.tiles
                all.counts.add(made.counts)
            // The others were cancelled because of the first.
            case .failure(let error): if failure == nil || failure == .cancelled { failure = error }
            }
        }
        all.counts.thinned = blocks.reduce(0) { $0 + $1.thinnedCount }
        return failure.map { .failure($0) } ?? .success(all)
    }
}

/// The number of pieces of several blocks.
private final class PieceCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ more: Int) { count.add(more, ordering: .relaxed) }
}
