import PortolanArchives

/// The archive that `portolan tile` writes.
struct TileTarget: Sendable {
    /// The file.
    let file: OutputFile
    private let path: String
    private let isMBTiles: Bool

    /// Checks that an archive can be written to a path.
    init(_ path: String?) throws(CommandFailure) {
        guard let path, !path.isEmpty, path != "-" else {
            throw CommandFailure(.usage, "missing output file; add -o tiles.pmtiles (see portolan tile --help)")
        }
        file = OutputFile(path: path)
        switch file.pathExtension {
        case "pmtiles": isMBTiles = false
        case "mbtiles": isMBTiles = true
        default:
            throw CommandFailure(
                .usage, "unknown output format '\(path)'; use a name that ends in .pmtiles or .mbtiles")
        }
        try file.check()
        do throws(FileFault) { self.path = try FileReplacement.target(of: path) } catch {
            throw CommandFailure(.cannotCreate, "cannot write \(path): \(error.words)")
        }
        guard !FileReplacement.isSpecial(self.path) else {
            throw CommandFailure(.cannotCreate, "cannot write \(path): it is not a regular file")
        }
    }

    /// Begins the archive beside the path.
    func begin() throws(ArchiveError) -> any TileArchiveOutput {
        Interruption.remove(path + ".new")
        return if isMBTiles { try MBTilesOutput(path: path) } else { try PMTilesOutput(path: path) }
    }
}
