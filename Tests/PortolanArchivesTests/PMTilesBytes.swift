/// Writes PMTiles archives for tests.
struct PMTilesBytes {
    /// An entry of a directory, which leads to another directory if its run is 0.
    struct Entry {
        var tile: UInt64
        var run: UInt64 = 1
        var length: UInt64
        /// The position plus 1; 0 for the end of the entry before.
        var position: UInt64
    }

    var root: [UInt8]
    var leaves: [UInt8] = []
    var tiles: [UInt8] = []
    var directoryCompression: UInt8 = 1
    var levels: (UInt8, UInt8) = (0, 4)
    var version: UInt8 = 3
    /// The lengths of the sections if the header lies about them.
    var leafLength: UInt64?, tileLength: UInt64?, rootStart: UInt64?, rootLength: UInt64?

    static func varint(_ value: UInt64) -> [UInt8] {
        var rest = value, bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    static func directory(_ entries: [Entry]) -> [UInt8] {
        var bytes = varint(UInt64(entries.count)), last: UInt64 = 0
        for entry in entries {
            bytes += varint(entry.tile &- last)
            last = entry.tile
        }
        for entry in entries { bytes += varint(entry.run) }
        for entry in entries { bytes += varint(entry.length) }
        for entry in entries { bytes += varint(entry.position) }
        return bytes
    }

    var bytes: [UInt8] {
        func word(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let start: UInt64 = 127, leafStart = start + UInt64(root.count), tileStart = leafStart + UInt64(leaves.count)
        var header = Array("PMTiles".utf8) + [version]
        header += word(rootStart ?? start) + word(rootLength ?? UInt64(root.count)) + word(leafStart) + word(0)
        header += word(leafStart) + word(leafLength ?? UInt64(leaves.count))
        header += word(tileStart) + word(tileLength ?? UInt64(tiles.count))
        header += [UInt8](repeating: 0, count: 24) + [1, directoryCompression, 1, 1, levels.0, levels.1]
        header += [UInt8](repeating: 0, count: 127 - header.count)
        return header + root + leaves + tiles
    }
}
