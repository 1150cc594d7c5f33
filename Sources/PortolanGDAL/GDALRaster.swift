#if GDAL
public import PortolanArchives
import PortolanFeatures
import PortolanFormats
public import PortolanGeo
public import PortolanRaster
import Synchronization

/// A georeferenced image read with GDAL, as a tile pyramid of its pixels and overviews, from the finest down.
///
/// Each tile is one window of one level; nothing else is read, and nothing is resampled unless the file has no overview
/// that is coarse enough. Bands of red, green, blue and alpha are colours, a single band is grey, and palettes are
/// supported; no-data values and masks are transparent. Values of more than eight bits are stretched between the
/// minimum and maximum of the image, which ``notes`` state.
///
/// Supported formats are GeoTIFF including Cloud Optimized GeoTIFF, JPEG 2000, PNG and JPEG with a world file, Arc/Info
/// ASCII grids, SRTM and DTED, but no virtual formats. Of the sidecar files only world files, and overviews and masks
/// in TIFF, are read.
///
/// Reading is thread-safe, but serialised.
public final class GDALRaster: Sendable {
    /// The name of the driver, such as `GTiff`.
    public let name: String
    /// The CRS in the file, or `nil` if it has none.
    public let crs: CRS?
    /// The extent of the image, in units of its CRS.
    public let extent: Extent
    /// Notes about unusual properties and decisions, one sentence each.
    public let notes: [String]

    private let path: String
    private let sizes: [(width: Int, height: Int)]
    private let tileSize: Int
    private let reader: Mutex<GDALRasterReader>

    /// The maximum number of pixels of a level that is derived from the next finer one for lack of an overview.
    static let reducedPixelLimit = 1 << 28

    /// Opens a file.
    ///
    /// - Parameter path: a local path.
    /// - Throws: ``/PortolanArchives/ArchiveError``: `wrongFormat` if it is not a georeferenced image, otherwise
    ///   `cannotOpen`.
    public init(path: String) throws(ArchiveError) {
        self.path = path
        let opened: GDALRasterReader
        do throws(FeatureFileError) { opened = try GDALRasterReader(path: path) } catch {
            throw ArchiveError(error.code == .unreadable ? .cannotOpen : .wrongFormat, place: path, detail: "\(error)")
        }
        guard let placement = opened.placement,
            let extent = Extent(
                minX: placement.left, minY: placement.top - placement.pixelHeight * Double(opened.height),
                maxX: placement.left + placement.pixelWidth * Double(opened.width), maxY: placement.top)
        else {
            throw ArchiveError(
                .wrongFormat, place: path, detail: "the image is not georeferenced, or is rotated")
        }
        self.extent = extent
        crs = opened.crs
        name = opened.driver
        notes = opened.notes
        sizes = opened.levels.map { ($0.width, $0.height) }
        tileSize = opened.tileSize
        reader = Mutex(opened)
    }

    /// Returns whether a file has one of the supported formats.
    public static func recognizes(path: String) -> Bool { GDALDataset.recognizes(path, .raster) }

    /// Returns the tile grid; levels are named by their numbers, 0 the coarsest.
    ///
    /// - Parameter crs: the CRS of the coordinates if the file states none, or a wrong one.
    /// - Throws: ``/PortolanArchives/ArchiveError`` with the code `wrongFormat` if the CRS is unknown.
    public func grid(in crs: CRS? = nil) throws(ArchiveError) -> TileGrid {
        guard let system = crs ?? self.crs else {
            throw ArchiveError(
                .wrongFormat, place: path, detail: "no CRS; set it with crs=")
        }
        guard let grid = ImagePyramid(extent: extent, sizes: sizes, tileSize: tileSize).grid(in: system)
        else { throw ArchiveError(.wrongFormat, place: path, detail: "invalid pixel size") }
        return grid
    }

    /// Returns a tile, transparent outside of the image, or `nil` if the grid has no such tile.
    ///
    /// - Parameter level: the number of a level of ``grid(in:)``.
    /// - Throws: ``/PortolanArchives/ArchiveError`` with the code `damaged` if the window cannot be read.
    public func tile(level: Int, column: Int, row: Int) throws(ArchiveError) -> PixelBuffer? {
        guard sizes.indices.contains(level), column >= 0, row >= 0 else { return nil }
        let index = sizes.count - 1 - level
        do throws(FeatureFileError) {
            return try reader.withLock { reader throws(FeatureFileError) in
                try reader.tile(level: index, column: column, row: row)
            }
        } catch { throw ArchiveError(.damaged, place: path, detail: "\(error)") }
    }
}
#endif
