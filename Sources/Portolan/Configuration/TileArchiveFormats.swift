public import PortolanArchives
public import PortolanPlan
public import PortolanRaster

/// The formats of tile archives that a renderer opens: a registry with a reader for each format.
///
/// ```swift
/// extension TileArchive.Format {
///     static let folder = TileArchive.Format(rawValue: "folder")
/// }
/// configuration.tileArchives[.folder] = { archive throws(ArchiveError) in try FolderOfTiles(path: archive.path) }
/// ```
public struct TileArchiveFormats: Sendable {
    /// Opens the archive that a layer names.
    public typealias Open = @Sendable (TileArchive) throws(ArchiveError) -> any TileArchiveReader

    private var readers: [TileArchive.Format: Open]

    /// MBTiles and GeoPackages.
    public static let standard = TileArchiveFormats(readers: [
        .mbtiles: { archive throws(ArchiveError) in try MBTilesFile(path: archive.path) },
        .geoPackage: { archive throws(ArchiveError) in try GeoPackageFile(path: archive.path) },
    ])

    /// The reader of a format, or `nil` if none is registered.
    public subscript(format: TileArchive.Format) -> Open? {
        get { readers[format] }
        set { readers[format] = newValue }
    }
}

/// An open archive of tiles.
///
/// Any number of tasks may read at the same time.
public protocol TileArchiveReader: Sendable {
    /// The tile of an entry, or `nil` if the archive has none: archives may be sparse.
    func tile(_ entry: TileArchiveEntry) throws(ArchiveError) -> TileArchiveContent?
}

/// A tile as an archive has it.
public enum TileArchiveContent: Sendable {
    /// The bytes of an image file.
    case encoded([UInt8])
    /// Pixels, of an archive that is an image itself.
    case pixels(PixelBuffer)
}

extension MBTilesFile: TileArchiveReader {
    /// The tile of an entry, or `nil` if the file has none.
    public func tile(_ entry: TileArchiveEntry) throws(ArchiveError) -> TileArchiveContent? {
        try tile(level: entry.level, column: entry.column, row: entry.row).map { .encoded($0) }
    }
}

extension GeoPackageFile: TileArchiveReader {
    /// The tile of an entry, or `nil` if its table has none.
    public func tile(_ entry: TileArchiveEntry) throws(ArchiveError) -> TileArchiveContent? {
        try tile(of: entry.archive.table ?? "", level: entry.level, column: entry.column, row: entry.row)
            .map { .encoded($0) }
    }
}
