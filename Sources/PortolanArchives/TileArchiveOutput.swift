/// An archive that is written from tiles in the order of their numbers, and takes its name when it is complete.
package protocol TileArchiveOutput: AnyObject {
    /// Adds the next tile.
    func add(_ tile: PMTilesTileID, _ bytes: [UInt8]) throws(ArchiveError)

    /// Writes the metadata, and replaces the file at the path of the archive.
    func finish(_ metadata: MBTilesMetadata) throws(ArchiveError)
}
