/// Writes a PMTiles archive of version 3, so that the work can end at any moment and go on later.
///
/// Tiles are collected in a file beside it, `FILE.part`, since the archive has them in the order of their numbers.
/// ``finish(_:)`` writes the archive, clustered and with equal tiles once, and removes that file.
package final class PMTilesWriter: TileFileWriter {
    private let path: String
    private let job: String
    /// The tiles collected so far, or `nil` if the archive is complete.
    private let tiles: MBTilesWriter?

    package var isFinished: Bool { tiles == nil }

    private var partPath: String { path + ".part" }

    /// Begins an archive, or goes on with one that the same job has begun.
    ///
    /// - Throws: with code `otherJob` if the file exists and is not of this job, `busy` while another process writes it.
    package init(path: String, job: String) throws(ArchiveError) {
        self.path = path
        self.job = job
        guard ArchiveOutput.exists(path) else {
            tiles = try MBTilesWriter(path: path + ".part", job: job)
            return
        }
        guard PMTilesFile.recognizes(path: path), try PMTilesFile(path: path).job == job else {
            throw ArchiveError(
                .otherJob, place: path,
                detail:
                    "it exists, and has another layer, other levels or another extent; remove it or choose another name"
            )
        }
        tiles = nil
    }

    package func columnsDone(level: Int, row: Int) throws(ArchiveError) -> Set<Int> {
        try tiles?.columnsDone(level: level, row: row) ?? []
    }

    package func write(_ tiles: [MBTile]) throws(ArchiveError) { try self.tiles?.write(tiles) }

    package func anyTile() throws(ArchiveError) -> [UInt8]? { try tiles?.anyTile() }

    /// Writes the archive.
    package func finish(_ metadata: MBTilesMetadata) throws(ArchiveError) {
        guard let tiles else { return }
        let output = try PMTilesOutput(path: path)
        for place in try tiles.places() {
            guard let bytes = try tiles.tile(at: place.row), !bytes.isEmpty else { continue }
            try output.add(place.tile, bytes)
        }
        try output.finish(metadata, job: job)
        for suffix in ["", "-wal", "-shm"] { ArchiveOutput.remove(partPath + suffix) }
    }
}
