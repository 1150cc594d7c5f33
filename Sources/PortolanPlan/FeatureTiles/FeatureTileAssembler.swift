import PortolanVectorTiles

/// Joins the pieces of tiles, within the limits of a tile.
package struct FeatureTileAssembler {
    /// A piece of a block.
    package struct Reference: Sendable {
        package let block: UInt32
        package let piece: UInt32

        package init(block: UInt32, piece: UInt32) {
            self.block = block
            self.piece = piece
        }
    }

    /// The bytes of a compressed tile, and its figures.
    package struct Tile: Sendable {
        package let bytes: [UInt8]
        package let counts: FeatureTileCounts
    }

    /// The ratio of the sizes of a tile before and after compression that is certainly not exceeded.
    private static let bestCompression = 16

    private let attributes: [FeatureTileAttributes]
    private let ranks: [[UInt32]]
    private let level: Int
    private let settings: FeatureTileSettings
    private var writers: [MVTLayerWriter]
    private let packer: VectorTilePacker
    private var geometry = MVTGeometryWriter()

    /// Creates an assembler for a level.
    package init(
        _ layers: [FeatureTileLayer], level: Int, _ settings: FeatureTileSettings
    ) throws(FeatureTileError) {
        attributes = layers.map(\.attributes)
        ranks = layers.map(\.ranks)
        self.level = level
        self.settings = settings
        writers = layers.map { MVTLayerWriter(name: $0.name, vocabulary: $0.attributes.vocabulary) }
        do throws(VectorTileError) { packer = try VectorTilePacker() } catch { throw .noMemory }
    }

    /// Returns a tile, or `nil` if no feature is left in it.
    ///
    /// - Parameters:
    ///   - references: the pieces of the tile, in the order of layers and features.
    ///   - blocks: the pieces of each block of features.
    ///   - layerOfBlock: the layer of each block.
    package mutating func tile(
        _ references: ArraySlice<Reference>, of blocks: [FeatureTilePieces], _ layerOfBlock: [Int]
    ) throws(FeatureTileError) -> Tile? {
        guard let first = references.first else { return nil }
        let index = blocks[Int(first.block)].pieces[Int(first.piece)].tile
        var threshold: UInt32 = 0, sorted: [UInt32] = []
        while true {
            var raw: [UInt8] = [], counts = FeatureTileCounts()
            write(references, of: blocks, layerOfBlock, notBelow: threshold, into: &raw, &counts)
            var packed: [UInt8]?
            if counts.features <= settings.featureLimit, raw.count / Self.bestCompression <= settings.byteLimit {
                do throws(VectorTileError) { packed = try packer.pack(raw) } catch { throw .noMemory }
            }
            if let packed, packed.count <= settings.byteLimit {
                guard counts.features > 0 else {
                    guard counts.dropped > 0 || counts.specks > 0 else { return nil }
                    return Tile(bytes: [], counts: counts)
                }
                counts.tiles = 1
                counts.bytes = packed.count
                counts.largest = packed.count
                if counts.dropped > 0 { counts.reduced = 1 }
                return Tile(bytes: packed, counts: counts)
            }
            guard settings.drop != .none else {
                throw .tooLarge(
                    level: level, column: Int(index & 0xFFFF_FFFF), row: Int(index >> 32), features: counts.features,
                    bytes: packed?.count)
            }
            if sorted.isEmpty {
                sorted = references.map { rank(of: $0, blocks, layerOfBlock) }.sorted(by: >)
            }
            let kept = sorted.partitioningCount { $0 >= threshold }
            let size = packed?.count ?? max(raw.count / Self.bestCompression, 1)
            // Somewhat fewer for the size, since a smaller tile compresses less.
            let share = min(
                Double(settings.featureLimit) / Double(counts.features),
                Double(settings.byteLimit) / Double(size)
                    * (packed == nil && counts.features > settings.featureLimit ? 1 : 0.95))
            let wanted = min(Int(Double(kept) * share), kept - 1)
            guard wanted > 0 else {
                var counts = FeatureTileCounts()
                counts.dropped = references.count
                return Tile(bytes: [], counts: counts)
            }
            threshold = max(sorted[wanted - 1], threshold &+ 1)
        }
    }

    private func rank(of reference: Reference, _ blocks: [FeatureTilePieces], _ layerOfBlock: [Int]) -> UInt32 {
        let block = Int(reference.block)
        return ranks[layerOfBlock[block]][Int(blocks[block].pieces[Int(reference.piece)].feature)]
    }

    private mutating func write(
        _ references: ArraySlice<Reference>, of blocks: [FeatureTilePieces], _ layerOfBlock: [Int],
        notBelow threshold: UInt32, into tile: inout [UInt8], _ counts: inout FeatureTileCounts
    ) {
        var area = 0.0, last = -1
        for reference in references {
            let block = Int(reference.block), number = layerOfBlock[block]
            if number != last { (area, last) = (0, number) }
            let piece = blocks[block].pieces[Int(reference.piece)], feature = Int(piece.feature)
            guard threshold == 0 || ranks[number][feature] >= threshold else {
                counts.dropped += 1
                continue
            }
            switch piece.content {
            case .geometry(let kind, let start, let end):
                writers[number].add(
                    id: attributes[number].id(of: feature), kind, tags: attributes[number].tags(of: feature),
                    geometry: blocks[block].bytes[Int(start)..<Int(end)])
            case .speck(let x, let y, let own):
                counts.specks += 1
                // One in several stands for the area of all, at its own position.
                area += Double(own)
                guard area >= FeatureTileCutter.smallestArea else { continue }
                area = min(area - FeatureTileCutter.smallestArea, FeatureTileCutter.smallestArea)
                let start = geometry.bytes.count
                geometry.begin()
                _ = geometry.addRing(
                    [(-1, -1), (1, -1), (1, 1), (-1, 1)].map {
                        MVTGeometryWriter.Vertex(x: x + $0.0, y: y + $0.1)
                    }, isHole: false)
                writers[number].add(
                    id: attributes[number].id(of: feature), .polygons, tags: attributes[number].tags(of: feature),
                    geometry: geometry.bytes[start...])
            }
        }
        geometry = MVTGeometryWriter()
        for number in writers.indices {
            counts.features += writers[number].featureCount
            writers[number].finish(into: &tile)
        }
    }
}

extension [UInt32] {
    /// The number of elements at the start that satisfy a condition, which none after them does.
    fileprivate func partitioningCount(_ isBefore: (UInt32) -> Bool) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
