import PortolanFeatures
import PortolanServices
import PortolanWeb
import Synchronization

/// A PMTiles archive of version 3 in a local file.
///
/// The header, the root directory and the leaf directories that were needed so far are kept in memory; tiles are read from
/// the file each time.
package final class PMTilesFile: Sendable {
    /// The header.
    package let header: PMTilesHeader
    /// The metadata; those that are not valid JSON count as empty.
    package let metadata: MBTilesMetadata
    /// The job of ``PMTilesWriter`` that wrote the file, or `nil`.
    let job: String?

    private let path: String
    private let file: LocalFile
    private let index: Mutex<PMTilesIndex>

    /// The number of entries of all directories that are counted at most.
    private static let countedEntries = 1 << 26

    /// Opens an archive.
    ///
    /// - Throws: ``ArchiveError``, with the code `wrongFormat` if the file is not PMTiles.
    package init(path: String) throws(ArchiveError) {
        self.path = path
        do throws(LocalFileError) { file = try LocalFile(at: path) } catch {
            throw ArchiveError(.cannotOpen, place: path, detail: error.detail)
        }
        var index = PMTilesIndex()
        let beginning = PMTilesHeader.beginning
        do throws(PMTilesError) {
            try index.add(try Self.bytes(beginning, of: file, at: path), at: beginning)
            guard let header = index.header else { throw PMTilesError(.malformed, offset: 0, "there is no header") }
            self.header = header
            let part = header.metadata
            guard part.upperBound - part.lowerBound <= PMTilesIndex.directoryLimit else {
                throw PMTilesError(.limitExceeded, offset: part.lowerBound, "the metadata are too long")
            }
            let packed = part.isEmpty ? [] : try Self.bytes(part, of: file, at: path)
            (metadata, job) = try PMTilesMetadata.read(packed, header)
        } catch { throw ArchiveError(error, at: path) }
        self.index = Mutex(index)
    }

    /// Whether a file begins like PMTiles; a file that cannot be read does not.
    package static func recognizes(path: String) -> Bool {
        guard let file = try? LocalFile(at: path), let start = try? file.start(8) else { return false }
        return start.starts(with: "PMTiles".utf8)
    }

    /// The bytes of a tile as they are in the archive, rows from the top; `nil` if the archive does not have it.
    package func tile(level: Int, column: Int, row: Int) throws(ArchiveError) -> [UInt8]? {
        do throws(PMTilesError) {
            while true {
                let need = try index.withLock { index throws(PMTilesError) in
                    try index.need(level: level, column: column, row: row)
                }
                switch need {
                case .absent: return nil
                case .tile(let range): return try bytes(range)
                case .bytes(let range):
                    let directory = try bytes(range)
                    try index.withLock { index throws(PMTilesError) in try index.add(directory, at: range) }
                }
            }
        } catch { throw ArchiveError(error, at: path) }
    }

    /// Returns the bytes of the first tile, or `nil` if the archive is empty.
    package func anyTile() throws(ArchiveError) -> [UInt8]? {
        var first: PMTilesDirectory.Entry?
        try forEachEntry { entry in
            first = entry
            return false
        }
        guard let index = first?.tile.index else { return nil }
        return try tile(level: index.level, column: index.column, row: index.row)
    }

    /// The levels with tiles, from the coarsest, with the number of tiles of each.
    ///
    /// - Complexity: linear in the entries of all directories.
    package func tileCounts() throws(ArchiveError) -> [(level: Int, count: Int)] {
        var counts: [Int: UInt64] = [:]
        try forEachEntry { entry in
            // A run may go on through several levels.
            var tile = entry.tile.number, rest = entry.runLength
            while rest > 0, let level = PMTilesTileID(number: tile).index?.level {
                let here =
                    level == PMTilesTileID.levels.upperBound
                    ? rest : min(rest, PMTilesTileID.first(of: level + 1) - tile)
                counts[level, default: 0] = (counts[level] ?? 0).addingReportingOverflow(here).partialValue
                rest -= here
                tile += here
            }
            return true
        }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, Int(clamping: $0.value)) }
    }

    /// Calls a closure with the entries of tiles, directory after directory, until it returns `false`.
    ///
    /// A directory with several references is read once.
    package func forEachEntry(_ body: (PMTilesDirectory.Entry) -> Bool) throws(ArchiveError) {
        do throws(PMTilesError) {
            let root = try PMTilesDirectory(
                try bytes(header.root)[...], compression: header.directoryCompression, at: header.root.lowerBound)
            var seen: Set<UInt64> = [], rest = Self.countedEntries
            _ = try visit(root, depth: 0, &seen, &rest, body)
        } catch { throw ArchiveError(error, at: path) }
    }

    private func visit(
        _ directory: PMTilesDirectory, depth: Int, _ seen: inout Set<UInt64>, _ rest: inout Int,
        _ body: (PMTilesDirectory.Entry) -> Bool
    ) throws(PMTilesError) -> Bool {
        for entry in directory.entries {
            rest -= 1
            guard rest >= 0 else {
                throw PMTilesError(
                    .limitExceeded, offset: header.leaves.lowerBound,
                    "the directories have more than \(Self.countedEntries) entries")
            }
            if entry.runLength > 0 {
                guard body(entry) else { return false }
                continue
            }
            guard depth < PMTilesIndex.depthLimit else {
                throw PMTilesError(.malformed, offset: header.leaves.lowerBound, "directories lead in a circle")
            }
            let range = try PMTilesIndex.leafRange(of: entry, header)
            guard seen.insert(range.lowerBound).inserted else { continue }
            let leaf = try PMTilesDirectory(
                try bytes(range)[...], compression: header.directoryCompression, at: range.lowerBound)
            guard try visit(leaf, depth: depth + 1, &seen, &rest, body) else { return false }
        }
        return true
    }

    private func bytes(_ range: Range<UInt64>) throws(PMTilesError) -> [UInt8] {
        try Self.bytes(range, of: file, at: path)
    }

    /// The bytes of a range; of the beginning as many as there are.
    private static func bytes(
        _ range: Range<UInt64>, of file: LocalFile, at path: String
    ) throws(PMTilesError) -> [UInt8] {
        // Memory is taken for bytes that exist alone: the length comes from the archive.
        let end = min(range.upperBound, UInt64(file.byteCount))
        guard range == PMTilesHeader.beginning || end == range.upperBound else {
            throw PMTilesError(.malformed, offset: range.lowerBound, "the archive ends at byte \(file.byteCount)")
        }
        guard range.lowerBound < end else { return [] }
        do throws(LocalFileError) {
            return try file.bytes(at: Int(range.lowerBound), count: Int(end - range.lowerBound))
        } catch { throw PMTilesError(.malformed, offset: range.lowerBound, "the file cannot be read: \(error.detail)") }
    }
}

extension ArchiveError {
    /// The failure of reading a PMTiles archive at a path or an address.
    package init(_ error: PMTilesError, at place: String) {
        let code: Code =
            switch error.code {
            case .wrongFormat, .unsupported: .wrongFormat
            case .malformed: .damaged
            case .limitExceeded: .limitExceeded
            }
        self.init(code, place: place, detail: error.code == .wrongFormat ? error.reason : error.description)
    }
}
