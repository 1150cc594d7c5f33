#if GDAL
public import PortolanArchives
import PortolanFeatures
import PortolanFormats
public import PortolanGeo
public import PortolanRaster
import Synchronization

/// An image on the earth that GDAL reads, as a pyramid of tiles: its own pixels and its overviews, from the finest down.
///
/// Each tile is one window of one level: nothing else is read, and nothing is resampled but where a file has no overview
/// coarse enough. Bands of red, green, blue and alpha are colours, one band is grey, a palette its colours; no-data values and masks are clear.
/// Values of more than eight bits are stretched from the least to the greatest that the image has, which ``notes`` tell.
///
/// Opened are GeoTIFF with Cloud Optimized GeoTIFF, JPEG 2000, PNG and JPEG with a world file, Arc/Info ASCII grids, SRTM and DTED; no virtual
/// formats. Of the files beside the image only those are read that are what their names say: world files, and overviews and masks in TIFF.
///
/// Any number of threads may read; they do so one after the other.
public final class GDALRaster: Sendable {
    /// The name of the driver, such as `GTiff`.
    public let name: String
    /// The system that the file says, or `nil` where it says none.
    public let crs: CRS?
    /// What the image covers, in units of its system.
    public let extent: Extent
    /// What is odd about it, or was decided for it, a sentence each.
    public let notes: [String]

    private let path: String
    private let sizes: [(width: Int, height: Int)]
    private let tileSize: Int
    private let reader: Mutex<GDALRasterReader>

    /// The most pixels of a level that is made of the next finer one, since the file has no overview.
    static let reducedPixelLimit = 1 << 28

    /// Opens a file.
    ///
    /// - Parameter path: a path of this machine.
    /// - Throws: ``/PortolanArchives/ArchiveError``: `wrongFormat` where it is no image that can be placed, else `cannotOpen`.
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

    /// Whether a file is of one of the formats that are opened.
    public static func recognizes(path: String) -> Bool { GDALDataset.recognizes(path, .raster) }

    /// The levels and tiles; levels are named by their numbers, 0 the coarsest.
    ///
    /// - Parameter crs: the system of the coordinates where the file says none, or a wrong one.
    /// - Throws: ``/PortolanArchives/ArchiveError`` with the code `wrongFormat` where nobody says a system.
    public func grid(in crs: CRS? = nil) throws(ArchiveError) -> TileGrid {
        guard let system = crs ?? self.crs else {
            throw ArchiveError(
                .wrongFormat, place: path, detail: "no CRS; set it with crs=")
        }
        let count = sizes.count
        let matrices = sizes.enumerated().compactMap { index, size -> TileMatrix? in
            guard let x = Resolution(unitsPerPixel: extent.width / Double(size.width)),
                let y = Resolution(unitsPerPixel: extent.height / Double(size.height))
            else { return nil }
            return TileMatrix(
                id: String(count - 1 - index), resolution: x, verticalResolution: y, tileWidth: tileSize,
                tileHeight: tileSize, origin: Coordinate(x: extent.minX, y: extent.maxY),
                columnCount: (size.width + tileSize - 1) / tileSize, rowCount: (size.height + tileSize - 1) / tileSize)
        }
        guard matrices.count == count, let grid = TileGrid(crs: system, originCorner: .topLeft, matrices: matrices)
        else { throw ArchiveError(.wrongFormat, place: path, detail: "invalid pixel size") }
        return grid
    }

    /// A tile, clear where the image has nothing, or `nil` where the grid has none.
    ///
    /// - Parameter level: the number of a level of ``grid(in:)``.
    /// - Throws: ``/PortolanArchives/ArchiveError`` with the code `damaged` where the window cannot be read.
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
