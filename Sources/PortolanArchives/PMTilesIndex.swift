/// Finds tiles in a PMTiles archive, of which it is given the bytes that it asks for.
///
/// A file and a server that answers range requests are read by the same steps:
///
///     var index = PMTilesIndex()
///     while case .bytes(let range) = try index.need(level: 3, column: 4, row: 2) {
///         try index.add(read(range), at: range)
///     }
///
/// The last answer is then the range of the tile, or that the archive does not have it.
package struct PMTilesIndex: Sendable {
    /// The answer to a question for a tile.
    package enum Need: Hashable, Sendable {
        /// The header or a directory, whose bytes should be added before the question is asked again.
        case bytes(Range<UInt64>)
        /// The tile.
        case tile(Range<UInt64>)
        /// The archive does not have the tile.
        case absent
    }

    /// The largest number of bytes of a tile, and of a directory as it is in the archive.
    package static let tileLimit: UInt64 = 64 << 20, directoryLimit: UInt64 = 1 << 22
    /// The number of directories between the root and a tile that are followed; more would be a circle.
    static let depthLimit = 3
    /// The number of entries of leaf directories that are kept.
    private static let keptEntries = 1 << 20

    /// The header, when it has been added.
    package private(set) var header: PMTilesHeader?
    private var root: PMTilesDirectory?
    private var leaves: [UInt64: PMTilesDirectory] = [:]
    /// The positions of the kept directories, the oldest first.
    private var order: [UInt64] = []
    private var entryCount = 0

    package init() {}

    /// The first tile, or `nil` if the archive is empty or its root directory has not been added.
    package var firstTile: PMTilesTileID? { root?.entries.first?.tile }

    /// The next step to a tile, rows from the top.
    ///
    /// - Throws: ``PMTilesError`` if a directory leads out of the archive or in a circle.
    package func need(level: Int, column: Int, row: Int) throws(PMTilesError) -> Need {
        guard let header, let root else { return .bytes(PMTilesHeader.beginning) }
        guard header.levels.contains(level), let tile = PMTilesTileID(level: level, column: column, row: row) else {
            return .absent
        }
        var directory = root
        for _ in 0...Self.depthLimit {
            guard let entry = directory.entry(for: tile) else { return .absent }
            guard entry.runLength == 0 else {
                return .tile(try Self.range(entry.range, in: header.tiles, limit: Self.tileLimit))
            }
            let range = try Self.leafRange(of: entry, header)
            guard let leaf = leaves[range.lowerBound] else { return .bytes(range) }
            directory = leaf
        }
        throw PMTilesError(.malformed, offset: header.leaves.lowerBound, "directories lead in a circle")
    }

    /// Takes the bytes of a range that was needed.
    ///
    /// Fewer bytes of the beginning suffice if the archive has no more.
    package mutating func add(_ bytes: [UInt8], at range: Range<UInt64>) throws(PMTilesError) {
        guard let header else {
            let header = try PMTilesHeader(bytes)
            guard header.root.upperBound <= UInt64(bytes.count) else {
                throw PMTilesError(.malformed, offset: UInt64(bytes.count), "the archive ends in the root directory")
            }
            root = try PMTilesDirectory(
                bytes[Int(header.root.lowerBound)..<Int(header.root.upperBound)],
                compression: header.directoryCompression, at: header.root.lowerBound)
            self.header = header
            return
        }
        guard UInt64(bytes.count) == range.upperBound - range.lowerBound else {
            throw PMTilesError(.malformed, offset: range.lowerBound, "the archive ends in a directory")
        }
        let leaf = try PMTilesDirectory(
            bytes[...], compression: header.directoryCompression, at: range.lowerBound)
        guard leaves.updateValue(leaf, forKey: range.lowerBound) == nil else { return }
        order.append(range.lowerBound)
        entryCount += leaf.entries.count
        while entryCount > Self.keptEntries, order.count > Self.depthLimit {
            entryCount -= leaves.removeValue(forKey: order.removeFirst())?.entries.count ?? 0
        }
    }

    /// The range of the leaf directory that an entry leads to.
    static func leafRange(
        of entry: PMTilesDirectory.Entry, _ header: PMTilesHeader
    ) throws(PMTilesError) -> Range<UInt64> {
        try range(entry.range, in: header.leaves, limit: directoryLimit)
    }

    /// A range in the archive.
    private static func range(
        _ range: Range<UInt64>, in section: Range<UInt64>, limit: UInt64
    ) throws(PMTilesError) -> Range<UInt64> {
        guard range.upperBound <= section.upperBound - section.lowerBound else {
            throw PMTilesError(.malformed, offset: section.lowerBound, "an entry leads beyond its section")
        }
        guard range.upperBound - range.lowerBound <= limit else {
            throw PMTilesError(.limitExceeded, offset: section.lowerBound, "an entry has more than \(limit) bytes")
        }
        return (section.lowerBound + range.lowerBound)..<(section.lowerBound + range.upperBound)
    }
}
