import PortolanArchives
import PortolanFetch
package import PortolanPlan
import PortolanRaster
import Synchronization

/// Open tile archives.
///
/// Each is opened once, and again after it has changed.
package final class TileArchives: Sendable {
    private let formats: TileArchiveFormats
    private let archives = Mutex<[TileArchive: (reader: any TileArchiveFormats.Reader, stamp: FileStamp)]>([:])

    package init(_ formats: TileArchiveFormats) { self.formats = formats }

    /// Returns a tile, or `nil` if the archive has none.
    ///
    /// Archives may be sparse.
    package func tile(
        _ entry: TileArchive.Entry, maximumByteCount: Int
    ) throws(ResourceError) -> TileArchiveFormats.Content? {
        let place = FetchError.redacted(entry.description)
        let content: TileArchiveFormats.Content?
        do throws(ArchiveError) { content = try reader(of: entry.archive).tile(entry) } catch {
            throw ResourceError(
                error.code == .invalid ? .notFound : .damaged, place: place,
                message: error.code == .invalid ? error.detail : error.description)
        }
        guard case .encoded(let bytes) = content else { return content }
        // In a complete archive, an absent row or one without bytes is an empty tile.
        guard !bytes.isEmpty else { return nil }
        guard bytes.count <= maximumByteCount else {
            throw ResourceError(.transfer, place: place, message: "the tile exceeds \(maximumByteCount) bytes")
        }
        return content
    }

    /// Returns the values of a band in a tile, or `nil` if the archive has no such tile.
    func values(_ entry: TileArchive.Entry, band: Int) throws(ResourceError) -> RasterValues? {
        do throws(ArchiveError) {
            guard let reader = try reader(of: entry.archive) as? any TileArchiveFormats.ValueReader else {
                throw ArchiveError(
                    .wrongFormat, place: entry.archive.path,
                    detail: "archives of the format '\(entry.archive.format.rawValue)' hold images, not values")
            }
            return try reader.values(entry, band: band)
        } catch {
            throw ResourceError(
                error.code == .invalid ? .notFound : .damaged, place: FetchError.redacted(entry.description),
                message: error.code == .invalid ? error.detail : error.description)
        }
    }

    /// Returns the reader of an archive, which is opened if need be.
    func reader(of archive: TileArchive) throws(ArchiveError) -> any TileArchiveFormats.Reader {
        // All tables of a file have the same reader.
        let key = TileArchive(format: archive.format, path: archive.path)
        let stamp = FileStamp(path: archive.path)
        if let known = archives.withLock({ $0[key] }), known.stamp == stamp { return known.reader }
        guard let open = formats[archive.format] else {
            throw ArchiveError(
                .wrongFormat, place: archive.path,
                detail: "no reader of the format '\(archive.format.rawValue)' is registered in the configuration")
        }
        let opened = try open(archive)
        archives.withLock { archives in
            // A map has few archives. A program that opens many must not keep all of them open.
            if archives.count >= 16 { archives.removeAll() }
            archives[key] = (opened, stamp)
        }
        return opened
    }
}
