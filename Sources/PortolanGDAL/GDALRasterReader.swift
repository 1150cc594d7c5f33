#if GDAL
import CGDAL
import PortolanArchives
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster

/// An open image with its bands, for one thread at a time.
///
/// Bands are valid as long as the dataset, which the reader retains, so the class is safe.
@safe final class GDALRasterReader {
    /// A resolution in which the image can be read.
    struct Level {
        let width: Int
        let height: Int
        /// The index of the file's overview, or `nil` for the image itself.
        let overview: Int32?
        /// The number of its pixels per pixel of the level, in each direction.
        let reduction: Int
    }

    /// The position of the image.
    struct Placement {
        let left: Double
        let top: Double
        let pixelWidth: Double
        let pixelHeight: Double
    }

    private let dataset: GDALDataset
    private let bands: GDALBands
    /// The levels from the finest to the coarsest.
    let levels: [Level]
    let width: Int
    let height: Int
    let tileSize: Int
    let crs: CRS?
    let placement: Placement?
    let notes: [String]

    var driver: String { dataset.driver }

    /// The maximum size of an uncompressed block of the file in bytes.
    private static let blockLimit = 256 << 20

    init(path: String) throws(FeatureFileError) {
        dataset = try GDALDataset(path: path, .raster)
        let handle = unsafe dataset.handle, driver = dataset.driver
        let read = try GDALLibrary.calling { () throws(FeatureFileError) in
            let width = unsafe Int(GDALGetRasterXSize(handle)), height = unsafe Int(GDALGetRasterYSize(handle))
            guard width > 0, height > 0, let first = unsafe GDALGetRasterBand(handle, 1) else {
                throw FeatureFileError(.unsupported, in: driver, "it has no image")
            }
            var blockWidth: Int32 = 0, blockHeight: Int32 = 0
            unsafe GDALGetBlockSize(first, &blockWidth, &blockHeight)
            let bytes =
                unsafe Int(GDALGetDataTypeSizeBytes(GDALGetRasterDataType(first))) * Int(GDALGetRasterCount(handle))
            guard Int(blockWidth) * Int(blockHeight) <= Self.blockLimit / max(bytes, 1) else {
                throw FeatureFileError(
                    .limitExceeded, in: driver,
                    "its blocks of \(blockWidth) by \(blockHeight) pixels exceed \(Self.blockLimit) bytes")
            }
            let bands = unsafe try GDALBands(of: handle, driver)
            let system = unsafe GDALSystem(GDALGetSpatialRef(handle))
            var numbers = [Double](repeating: 0, count: 6)
            let isPlaced =
                unsafe numbers.withUnsafeMutableBufferPointer { unsafe GDALGetGeoTransform(handle, $0.baseAddress) }
                == CE_None
            let isUpright =
                numbers[2] == 0 && numbers[4] == 0 && numbers[1] > 0 && numbers[5] < 0 && numbers.allSatisfy(\.isFinite)
            let placement = Placement(
                left: numbers[0], top: numbers[3], pixelWidth: numbers[1], pixelHeight: -numbers[5])
            let isSquare = blockWidth == blockHeight && (128...512).contains(blockWidth)
            return (
                width, height, isSquare ? Int(blockWidth) : 256, bands, system, isPlaced && isUpright ? placement : nil,
                unsafe Self.levels(of: first, width, height)
            )
        }
        (width, height, tileSize) = (read.0, read.1, read.2)
        bands = read.3
        crs = read.4.crs
        placement = read.5
        levels = read.6
        notes = [read.4.note].compactMap(\.self) + bands.notes
    }

    /// Returns the image, its overviews, and halves of the coarsest one until a few tiles show it as a whole.
    private static func levels(of band: GDALRasterBandH, _ width: Int, _ height: Int) -> [Level] {
        var levels = [Level(width: width, height: height, overview: nil, reduction: 1)]
        for index in 0..<min(unsafe GDALGetOverviewCount(band), 64) {
            guard let overview = unsafe GDALGetOverview(band, index) else { continue }
            let size = unsafe (Int(GDALGetRasterBandXSize(overview)), Int(GDALGetRasterBandYSize(overview)))
            guard size.0 > 0, size.1 > 0, size.0 < levels[levels.count - 1].width else { continue }
            levels.append(Level(width: size.0, height: size.1, overview: index, reduction: 1))
        }
        let coarsest = levels[levels.count - 1]
        var reduction = 2
        while coarsest.width * coarsest.height <= GDALRaster.reducedPixelLimit,
            max(coarsest.width, coarsest.height) / reduction >= 256
        {
            levels.append(
                Level(
                    width: (coarsest.width + reduction - 1) / reduction,
                    height: (coarsest.height + reduction - 1) / reduction,
                    overview: coarsest.overview, reduction: reduction))
            reduction *= 2
        }
        return levels
    }

    /// Returns a tile of a level, transparent outside of the image, or `nil` if it is entirely outside.
    func tile(level index: Int, column: Int, row: Int) throws(FeatureFileError) -> PixelBuffer? {
        let level = levels[index]
        guard column <= level.width / tileSize, row <= level.height / tileSize else { return nil }
        let x = column * tileSize, y = row * tileSize
        let count = (x: min(tileSize, level.width - x), y: min(tileSize, level.height - y))
        guard count.x > 0, count.y > 0 else { return nil }
        let pixels = try GDALLibrary.calling { () throws(FeatureFileError) in
            try bands.pixels(
                overview: level.overview,
                GDALWindow(x: x, y: y, width: count.x, height: count.y, reduction: level.reduction), driver)
        }
        return ImagePyramid.tile(ofSize: tileSize, with: pixels, width: count.x)
    }
}
#endif
