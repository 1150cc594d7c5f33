import PortolanArchives
import PortolanPlan

/// The pieces of a level, sorted by tiles in the order of their numbers in archives.
struct FeatureTileSorting: Sendable {
    /// The tiles.
    private(set) var tiles: [PMTilesTileID] = []
    /// The pieces of all tiles, in the order of layers and features within a tile.
    private(set) var references: [FeatureTileAssembler.Reference] = []
    private var ends: [Int] = []

    /// Sorts the pieces of blocks.
    ///
    /// - Complexity: O(*p* + *t* log *t*) in the pieces and tiles.
    init(_ blocks: [FeatureTilePieces], level: Int) {
        var slots: [UInt64: Int] = [:], slotOfPiece: [Int32] = [], counts: [Int] = [], keys: [UInt64] = []
        slotOfPiece.reserveCapacity(blocks.reduce(0) { $0 + $1.count })
        var lastKey: UInt64?, lastSlot = 0
        for block in blocks {
            for piece in 0..<block.count {
                let key = block.tile(of: piece)
                if key != lastKey {
                    lastSlot = slots[key] ?? keys.count
                    if lastSlot == keys.count {
                        slots[key] = lastSlot
                        keys.append(key)
                        counts.append(0)
                    }
                    lastKey = key
                }
                counts[lastSlot] += 1
                slotOfPiece.append(Int32(lastSlot))
            }
        }
        let sorted = keys.enumerated().compactMap { slot, key in
            PMTilesTileID(level: level, column: Int(key & 0xFFFF_FFFF), row: Int(key >> 32)).map {
                (id: $0, slot: slot)
            }
        }.sorted { $0.id < $1.id }
        var starts = [Int](repeating: 0, count: keys.count), total = 0
        for (id, slot) in sorted {
            tiles.append(id)
            starts[slot] = total
            total += counts[slot]
            ends.append(total)
        }
        references = [FeatureTileAssembler.Reference](
            repeating: FeatureTileAssembler.Reference(block: 0, piece: 0), count: total)
        var number = 0
        for (block, pieces) in blocks.enumerated() {
            for piece in 0..<pieces.count {
                let slot = Int(slotOfPiece[number])
                references[starts[slot]] = FeatureTileAssembler.Reference(block: UInt32(block), piece: UInt32(piece))
                starts[slot] += 1
                number += 1
            }
        }
    }

    /// Returns the range of the pieces of a tile in ``references``.
    func range(of tile: Int) -> Range<Int> { (tile == 0 ? 0 : ends[tile - 1])..<ends[tile] }

    /// Returns ranges of tiles with about equal work.
    func shares(pieces: Int, tiles tileLimit: Int) -> [Range<Int>] {
        var shares: [Range<Int>] = [], start = 0
        for tile in tiles.indices {
            let first = start == 0 ? 0 : ends[start - 1]
            if ends[tile] - first >= pieces || tile + 1 - start >= tileLimit {
                shares.append(start..<(tile + 1))
                start = tile + 1
            }
        }
        if start < tiles.count { shares.append(start..<tiles.count) }
        return shares
    }
}
