/// A file that tiles are written into, so that the work can end at any moment and go on later.
///
/// Tiles are named by level, column and row, rows from the top.
package protocol TileFileWriter: Sendable {
    /// Whether the same job has made the file whole before: there is nothing left to write.
    var isFinished: Bool { get }

    /// The columns of a row that are done: their tiles are there, or known to be absent.
    func columnsDone(level: Int, row: Int) throws(ArchiveError) -> Set<Int>

    /// Writes tiles in one transaction; one without bytes is known to be absent.
    func write(_ tiles: [MBTile]) throws(ArchiveError)

    /// The bytes of some tile; nil when there is none.
    func anyTile() throws(ArchiveError) -> [UInt8]?

    /// Writes what is known of all tiles and makes the file whole.
    func finish(_ metadata: MBTilesMetadata) throws(ArchiveError)
}

extension MBTilesWriter: TileFileWriter {}
