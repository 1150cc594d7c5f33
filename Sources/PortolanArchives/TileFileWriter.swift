/// A writer of tile files whose work can be interrupted and resumed.
///
/// Tiles are identified by level, column and row, with rows from the top.
package protocol TileFileWriter: Sendable {
    /// Whether the same job has completed the file before, so that there is nothing left to write.
    var isFinished: Bool { get }

    /// Returns the finished columns of a row: their tiles exist, or are known to be missing.
    func columnsDone(level: Int, row: Int) throws(ArchiveError) -> Set<Int>

    /// Writes tiles in one transaction; a tile without bytes is known to be missing.
    func write(_ tiles: [MBTile]) throws(ArchiveError)

    /// Returns the bytes of any tile, or `nil` if the file is empty.
    func anyTile() throws(ArchiveError) -> [UInt8]?

    /// Writes the metadata and completes the file.
    func finish(_ metadata: MBTilesMetadata) throws(ArchiveError)
}

extension MBTilesWriter: TileFileWriter {}
