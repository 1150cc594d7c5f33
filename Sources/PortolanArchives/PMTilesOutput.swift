import PortolanZip

/// Writes a PMTiles archive of version 3 from tiles in the order of their numbers.
///
/// The archive is clustered, and has equal tiles once. It takes its name when it is complete; another file at its path
/// stays until then.
package final class PMTilesOutput: TileArchiveOutput {
    private let path: String
    private let output: ArchiveOutput
    private var layout = PMTilesLayout()
    /// The position of the tiles, after the header and the root directory.
    private let start = PMTilesHeader.beginning.upperBound

    /// Begins an archive.
    package init(path: String) throws(ArchiveError) {
        self.path = path
        output = try ArchiveOutput(path: path)
    }

    package func add(_ tile: PMTilesTileID, _ bytes: [UInt8]) throws(ArchiveError) {
        let position = layout.byteCount
        if layout.add(tile, bytes) { try output.write(bytes, at: start + position) }
    }

    package func finish(_ metadata: MBTilesMetadata) throws(ArchiveError) { try finish(metadata, job: nil) }

    /// Writes metadata, directories and header.
    ///
    /// The tiles come before what leads to them, so that each is written once.
    ///
    /// - Parameter job: the identity of the job that makes the archive, or `nil`.
    func finish(_ metadata: MBTilesMetadata, job: String?) throws(ArchiveError) {
        guard let first = layout.entries.first?.tile.index, let last = layout.entries.last?.tile.index else {
            throw ArchiveError(.invalid, place: path, detail: "there are no tiles to write")
        }
        let directories: PMTilesLayout.Directories, json: [UInt8]
        do throws(ZipError) {
            directories = try layout.directories(rootLimit: Int(start) - PMTilesHeader.byteCount)
            json = try CompressedContent.gzip(PMTilesMetadata.json(metadata, job: job))
        } catch { throw ArchiveError(.failed, place: path, detail: error.detail) }
        let root = UInt64(PMTilesHeader.byteCount)
        let afterTiles = start + layout.byteCount, afterJSON = afterTiles + UInt64(json.count)
        let kind = PMTilesHeader.TileKind(format: metadata.format)
        let header = PMTilesHeader(
            root: root..<(root + UInt64(directories.root.count)), metadata: afterTiles..<afterJSON,
            leaves: afterJSON..<(afterJSON + UInt64(directories.leaves.count)), tiles: start..<afterTiles,
            tileCompression: kind.isVector ? .gzip : .none, tileKind: kind, levels: first.level...last.level,
            bounds: metadata.bounds ?? [-180, -85.0511287, 180, 85.0511287])
        try output.write(json + directories.leaves, at: afterTiles)
        try output.write(header.bytes(for: layout) + directories.root, at: 0)
        try output.finish()
    }
}
