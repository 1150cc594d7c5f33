import PortolanArchives
import PortolanFetch
import PortolanPlan
import PortolanRaster
import Synchronization

#if GDAL
import PortolanGDAL
#endif

/// Files of tiles, each opened once, and again after it was changed.
final class TileArchives: Sendable {
    /// The formats of file when open.
    private enum Archive: Sendable {
        case mbtiles(MBTilesFile)
        case geoPackage(GeoPackageFile)
        #if GDAL
        case image(GDALRaster)
        #endif
    }

    private struct Key: Hashable {
        let format: TileArchive.Format
        let path: String
    }

    private let archives = Mutex<[Key: (archive: Archive, stamp: FileStamp)]>([:])

    /// The bytes of a tile, or `nil` when the file has none: files may be sparse.
    func tile(_ entry: TileArchiveEntry, maximumByteCount: Int) throws(ResourceError) -> [UInt8]? {
        let place = FetchError.redacted(entry.description)
        let bytes: [UInt8]?
        do throws(ArchiveError) {
            switch try archive(entry.archive) {
            case .mbtiles(let file):
                bytes = try file.tile(level: entry.level, column: entry.column, row: entry.row)
            case .geoPackage(let file):
                bytes = try file.tile(
                    of: entry.archive.table ?? "", level: entry.level, column: entry.column, row: entry.row)
            #if GDAL
            case .image: bytes = nil
            #endif
            }
        } catch { throw Self.fault(error, place) }
        // A file that is whole says by an absent row, or one without bytes, that there is nothing to see.
        guard let bytes, !bytes.isEmpty else { return nil }
        guard bytes.count <= maximumByteCount else {
            throw ResourceError(.transfer, place: place, message: "the tile is larger than \(maximumByteCount) bytes")
        }
        return bytes
    }

    /// The pixels of a tile of an image, or `nil` where there is nothing and in archives of encoded tiles.
    func pixels(_ entry: TileArchiveEntry) throws(ResourceError) -> PixelBuffer? {
        #if GDAL
        do throws(ArchiveError) {
            guard case .image(let image) = try archive(entry.archive) else { return nil }
            return try image.tile(level: entry.level, column: entry.column, row: entry.row)
        } catch { throw Self.fault(error, FetchError.redacted(entry.description)) }
        #else
        return nil
        #endif
    }

    private static func fault(_ error: ArchiveError, _ place: String) -> ResourceError {
        ResourceError(
            error.code == .invalid ? .notFound : .damaged, place: place,
            message: error.code == .invalid ? error.detail : error.description)
    }

    private func archive(_ archive: TileArchive) throws(ArchiveError) -> Archive {
        let key = Key(format: archive.format, path: archive.path)
        let stamp = FileStamp(path: archive.path)
        if let known = archives.withLock({ $0[key] }), known.stamp == stamp { return known.archive }
        let opened: Archive =
            switch archive.format {
            case .mbtiles: .mbtiles(try MBTilesFile(path: archive.path))
            case .geoPackage: .geoPackage(try GeoPackageFile(path: archive.path))
            case .image: try Self.image(at: archive.path)
            }
        archives.withLock { archives in
            // A map has a handful; whoever goes through many does not keep them all open.
            if archives.count >= 16 { archives.removeAll() }
            archives[key] = (opened, stamp)
        }
        return opened
    }

    private static func image(at path: String) throws(ArchiveError) -> Archive {
        #if GDAL
        .image(try GDALRaster(path: path))
        #else
        throw ArchiveError(
            .wrongFormat, place: path, detail: "images are read where Portolan is built with the trait GDAL")
        #endif
    }
}
