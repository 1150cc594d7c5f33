import PortolanProtobuf
import PortolanZip

/// The directories of a PMTiles archive that is written: equal tiles are kept once, and equal neighbours have one entry.
///
/// Tiles are added in the order of their numbers, so that the archive is clustered.
struct PMTilesLayout {
    /// The identity of the content of a tile; contents with the same identity count as equal.
    private struct Content: Hashable {
        let byteCount: Int
        let checksum: UInt32
        let hash: UInt64

        init(_ bytes: [UInt8]) {
            byteCount = bytes.count
            checksum = CRC32.checksum(of: bytes[...])
            // FNV-1a.
            hash = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
        }
    }

    /// The directories as they are in the archive.
    struct Directories {
        let root: [UInt8]
        let leaves: [UInt8]
    }

    /// The entries, in the order of their tiles.
    private(set) var entries: [PMTilesDirectory.Entry] = []
    /// The number of tiles.
    private(set) var tileCount: UInt64 = 0
    /// The number of bytes of all contents.
    private(set) var byteCount: UInt64 = 0
    private var contents: [Content: Range<UInt64>] = [:]

    /// The number of different contents.
    var contentCount: Int { contents.count }

    /// Adds the next tile.
    ///
    /// - Returns: whether its bytes follow those that were added so far.
    mutating func add(_ tile: PMTilesTileID, _ bytes: [UInt8]) -> Bool {
        let content = Content(bytes), known = contents[content]
        let range = known ?? byteCount..<(byteCount + UInt64(bytes.count))
        tileCount += 1
        if known == nil {
            contents[content] = range
            byteCount = range.upperBound
        }
        if let last = entries.last, last.range == range, last.tile.number + last.runLength == tile.number {
            entries[entries.count - 1] = PMTilesDirectory.Entry(
                tile: last.tile, runLength: last.runLength + 1, range: range)
        } else {
            entries.append(PMTilesDirectory.Entry(tile: tile, runLength: 1, range: range))
        }
        return known == nil
    }

    /// Returns the directories, with a root within a limit of bytes.
    func directories(rootLimit: Int) throws(ZipError) -> Directories {
        let all = try Self.packed(entries[...])
        if all.count <= rootLimit { return Directories(root: all, leaves: []) }
        var size = max(entries.count / 3500, 4096)
        while true {
            var root: [PMTilesDirectory.Entry] = [], leaves: [UInt8] = []
            for start in stride(from: 0, to: entries.count, by: size) {
                let leaf = try Self.packed(entries[start..<min(start + size, entries.count)])
                let position = UInt64(leaves.count)
                root.append(
                    PMTilesDirectory.Entry(
                        tile: entries[start].tile, runLength: 0, range: position..<(position + UInt64(leaf.count))))
                leaves += leaf
            }
            let packed = try Self.packed(root[...])
            // A single leaf is larger than any root that would hold it: the loop ends with few entries.
            if packed.count <= rootLimit { return Directories(root: packed, leaves: leaves) }
            size += size / 2
        }
    }

    /// A directory as it is in the archive (version 3, section 4).
    private static func packed(_ entries: ArraySlice<PMTilesDirectory.Entry>) throws(ZipError) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ value: UInt64) { bytes.appendVarint(value) }
        add(UInt64(entries.count))
        var last: UInt64 = 0
        for entry in entries {
            add(entry.tile.number - last)
            last = entry.tile.number
        }
        for entry in entries { add(entry.runLength) }
        for entry in entries { add(entry.range.upperBound - entry.range.lowerBound) }
        var end: UInt64?
        for entry in entries {
            // 0 for what begins where the entry before ends.
            add(entry.range.lowerBound == end ? 0 : entry.range.lowerBound + 1)
            end = entry.range.upperBound
        }
        return try CompressedContent.gzip(bytes)
    }
}
