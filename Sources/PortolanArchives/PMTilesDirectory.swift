import PortolanProtobuf
import PortolanZip

/// A directory of a PMTiles archive: the ranges of tiles, and of further directories.
package struct PMTilesDirectory: Sendable {
    /// An entry of a directory.
    package struct Entry: Hashable, Sendable {
        /// The number of the first tile.
        package let tile: PMTilesTileID
        /// The number of successive tiles with this content; 0 for a directory, which has this tile and those after it.
        package let runLength: UInt64
        /// The range in the section of the tiles or of the leaf directories.
        package let range: Range<UInt64>
    }

    /// The largest number of entries that are read.
    package static let entryLimit = 1 << 20
    /// The largest number of bytes of a directory, unpacked.
    package static let byteLimit = 1 << 24

    /// The entries in order of their tiles.
    package let entries: [Entry]

    /// Reads a directory.
    ///
    /// - Parameters:
    ///   - bytes: the directory as it is in the archive.
    ///   - offset: its position in the archive, for errors.
    package init(
        _ bytes: ArraySlice<UInt8>, compression: PMTilesHeader.Compression, at offset: UInt64
    ) throws(PMTilesError) {
        let content = try compression.unpack(bytes, byteLimit: Self.byteLimit, at: offset)
        var cursor = WireCursor(0..<content.count)
        func next() throws(PMTilesError) -> UInt64 {
            do throws(WireError) { return try cursor.varint(in: content.span) } catch {
                throw PMTilesError(.malformed, offset: offset, "a directory is damaged: \(error.reason)")
            }
        }
        let count = try next()
        guard count <= UInt64(Self.entryLimit) else {
            throw PMTilesError(.limitExceeded, offset: offset, "a directory has more than \(Self.entryLimit) entries")
        }
        // Each entry takes four bytes or more.
        guard count <= UInt64(content.count / 4) else {
            throw PMTilesError(.malformed, offset: offset, "a directory has fewer entries than it states")
        }
        var tiles: [UInt64] = [], runs: [UInt64] = [], lengths: [UInt64] = [], tile: UInt64 = 0
        for index in 0..<count {
            let (number, isTooLarge) = tile.addingReportingOverflow(try next())
            guard !isTooLarge, index == 0 || number > tile else {
                throw PMTilesError(.malformed, offset: offset, "the tiles of a directory are not in order")
            }
            tile = number
            tiles.append(number)
        }
        for _ in 0..<count { runs.append(try next()) }
        for _ in 0..<count { lengths.append(try next()) }
        var entries: [Entry] = [], end: UInt64 = 0
        for index in 0..<Int(count) {
            let bits = try next()
            guard bits > 0 || index > 0 else {
                throw PMTilesError(.malformed, offset: offset, "the first entry of a directory has no position")
            }
            let start = bits == 0 ? end : bits - 1
            let (sum, isTooLarge) = start.addingReportingOverflow(lengths[index])
            guard !isTooLarge, lengths[index] > 0 else {
                throw PMTilesError(.malformed, offset: offset, "an entry of a directory has an invalid length")
            }
            end = sum
            entries.append(
                Entry(tile: PMTilesTileID(number: tiles[index]), runLength: runs[index], range: start..<sum))
        }
        self.entries = entries
    }

    /// The entry that has a tile or leads to it, or `nil`.
    package func entry(for tile: PMTilesTileID) -> Entry? {
        var low = 0, high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].tile <= tile { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.runLength == 0 || tile.number - entry.tile.number < entry.runLength ? entry : nil
    }
}

extension PMTilesHeader.Compression {
    /// Unpacks a directory or the metadata.
    package func unpack(
        _ bytes: ArraySlice<UInt8>, byteLimit: Int, at offset: UInt64
    ) throws(PMTilesError) -> [UInt8] {
        switch self {
        case .none, .unknown:
            guard bytes.count <= byteLimit else {
                throw PMTilesError(.limitExceeded, offset: offset, "a part has more than \(byteLimit) bytes")
            }
            return Array(bytes)
        case .gzip: return try Self.unpack(.gzip, bytes, byteLimit: byteLimit, at: offset)
        case .zstd: return try Self.unpack(.zstd, bytes, byteLimit: byteLimit, at: offset)
        case .brotli:
            throw PMTilesError(.unsupported, offset: offset, "Brotli is not unpacked; convert the archive to gzip")
        }
    }

    private static func unpack(
        _ form: CompressedContent, _ bytes: ArraySlice<UInt8>, byteLimit: Int, at offset: UInt64
    ) throws(PMTilesError) -> [UInt8] {
        do throws(ZipError) { return try form.unpack(bytes, byteLimit: byteLimit) } catch {
            let code: PMTilesError.Code =
                switch error.code {
                case .limitExceeded: .limitExceeded
                case .unsupported: .unsupported
                default: .malformed
                }
            throw PMTilesError(code, offset: offset, error.detail)
        }
    }
}
