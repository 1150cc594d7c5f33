public import PortolanArchives
package import PortolanFeatures
public import PortolanPlan
public import PortolanRaster

/// The tile archive formats that a renderer opens, with a reader for each format.
///
/// ```swift
/// extension TileArchive.Format {
///     static let folder = TileArchive.Format(rawValue: "folder")
/// }
/// configuration.tileArchives[.folder] = { archive throws(ArchiveError) in try FolderOfTiles(path: archive.path) }
/// ```
public struct TileArchiveFormats: Sendable {
    /// Opens the archive of a layer.
    public typealias Open = @Sendable (TileArchive) throws(ArchiveError) -> any TileArchiveFormats.Reader

    private var readers: [TileArchive.Format: Open]
    /// The formats whose archives are services, such as databases.
    public var services: [TileArchive.Format: any TileArchiveFormats.Service] = [:]

    /// MBTiles, GeoPackages, PMTiles and GeoTIFF images.
    public static let standard = TileArchiveFormats(readers: [
        .mbtiles: { archive throws(ArchiveError) in try MBTilesFile(path: archive.path) },
        .geoPackage: { archive throws(ArchiveError) in try GeoPackageFile(path: archive.path) },
        .pmtiles: { archive throws(ArchiveError) in try PMTilesFile(path: archive.path) },
        .geoTIFF: { archive throws(ArchiveError) in try GeoTIFFRaster(path: archive.path) },
    ])

    /// Accesses the reader of a format; `nil` if none is registered.
    public subscript(format: TileArchive.Format) -> Open? {
        get { readers[format] }
        set { readers[format] = newValue }
    }
}

extension TileArchiveFormats {
    /// An open tile archive.
    ///
    /// Several tasks may read from it concurrently.
    public protocol Reader: Sendable {
        /// Returns the tile of an entry, or `nil` if the archive has none.
        ///
        /// Archives may be sparse.
        func tile(_ entry: TileArchive.Entry) throws(ArchiveError) -> TileArchiveFormats.Content?
    }
}

extension TileArchiveFormats {
    /// An open tile archive whose bands have values, such as elevations.
    package protocol ValueReader: Reader {
        /// Returns the values of a band in the tile of an entry, or `nil` if the archive has no such tile.
        ///
        /// - Parameter band: the number of the band, the first one is 1.
        func values(_ entry: TileArchive.Entry, band: Int) throws(ArchiveError) -> RasterValues?
    }
}

extension TileArchiveFormats {
    /// A service that sends the content of archives, such as a database.
    ///
    /// Several tasks may ask it concurrently. It waits without blocking the caller's thread, and ends soon after the
    /// task is cancelled.
    public protocol Service: Sendable {
        /// Returns the bytes of an entry, or `nil` if the archive has none.
        ///
        /// - Throws: ``/PortolanPlan/ResourceError``, without secrets.
        func content(of entry: TileArchive.Entry) async throws(ResourceError) -> [UInt8]?
    }

    /// A service whose archives are tables of features.
    package protocol TableService: Service {
        /// Returns the features of a table, up to a number, and whether it has more.
        ///
        /// - Parameter memory: the budget that the features are charged to while they are read.
        func features(
            of table: TileArchive, limit: Int, memory: MemoryBudget
        ) async throws(ResourceError) -> (collection: FeatureCollection, isCut: Bool)
    }
}

extension TileArchiveFormats {
    /// The content of a tile in an archive.
    public enum Content: Sendable {
        /// The bytes of an image file.
        case encoded([UInt8])
        /// Decoded pixels, from an archive that is itself an image.
        case pixels(PixelBuffer)
    }
}

extension MBTilesFile: TileArchiveFormats.Reader {
    /// Returns the tile of an entry, or `nil` if the file has none.
    public func tile(_ entry: TileArchive.Entry) throws(ArchiveError) -> TileArchiveFormats.Content? {
        try tile(level: entry.level, column: entry.column, row: entry.row).map { .encoded($0) }
    }
}

extension GeoPackageFile: TileArchiveFormats.Reader {
    /// Returns the tile of an entry, or `nil` if its table has none.
    public func tile(_ entry: TileArchive.Entry) throws(ArchiveError) -> TileArchiveFormats.Content? {
        try tile(of: entry.archive.table ?? "", level: entry.level, column: entry.column, row: entry.row)
            .map { .encoded($0) }
    }
}

extension PMTilesFile: TileArchiveFormats.Reader {
    /// The tile of an entry, or `nil` if the archive has none.
    public func tile(_ entry: TileArchive.Entry) throws(ArchiveError) -> TileArchiveFormats.Content? {
        try tile(level: entry.level, column: entry.column, row: entry.row).map { .encoded($0) }
    }
}

extension GeoTIFFRaster: TileArchiveFormats.ValueReader {
    /// Returns the values of a band in the tile of an entry, or `nil` if the grid has no such tile.
    package func values(_ entry: TileArchive.Entry, band: Int) throws(ArchiveError) -> RasterValues? {
        try values(level: entry.level, column: entry.column, row: entry.row, band: band)
    }
}

extension GeoTIFFRaster: TileArchiveFormats.Reader {
    /// Returns the tile of an entry, transparent outside of the image, or `nil` if the grid has no such tile.
    public func tile(_ entry: TileArchive.Entry) throws(ArchiveError) -> TileArchiveFormats.Content? {
        try tile(level: entry.level, column: entry.column, row: entry.row, style: entry.archive.style).map {
            .pixels($0)
        }
    }
}
