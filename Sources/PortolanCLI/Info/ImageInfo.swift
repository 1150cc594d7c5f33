import Portolan
import PortolanArchives
import PortolanGeo
import PortolanPlan

/// What is known of an image in a file, for text and JSON.
struct ImageInfo: InfoDocument, Encodable {
    var type = "GeoTIFF"
    /// The CRS, or `nil` if the file states none that is known.
    var crs: String?
    /// The width and the height in pixels.
    var size: [Int]
    /// West, south, east, north in units of the CRS.
    var extent: [Double]
    /// West, south, east, north in degrees.
    var geographicBox: [Double]?
    /// The widths and heights of coarser levels: overviews, and those that are made while drawing.
    var levels: [[Int]]
    /// The number of bands, and the type of their values as GDAL names it.
    var bands: Int
    var sampleType: String
    /// The descriptions of bands by their numbers from 1; missing without any.
    var bandNames: [Int: String]?
    /// The value without meaning, or `nil`.
    var noData: Double?
    var compression: String
    /// The width and height of blocks.
    var blockSize: [Int]
    /// The number of overviews in the file.
    var overviewCount: Int
    var warnings: [String]

    /// Reads the image in a file.
    init(path: String) throws(CommandFailure) {
        do throws(ArchiveError) {
            let raster = try GeoTIFFRaster(path: path)
            self.init(raster.image, try raster.layout())
        } catch { throw CommandFailure(.badData, "\(error)") }
    }

    /// Describes an image.
    init(_ image: GeoTIFFImage, _ layout: GeoTIFFLayout) {
        func sides(_ extent: Extent) -> [Double] { [extent.minX, extent.minY, extent.maxX, extent.maxY] }
        crs = image.crs.map { "\($0)" }
        size = image.levelSizes.first.map { [$0.width, $0.height] } ?? []
        extent = sides(image.extent)
        geographicBox = image.crs.flatMap { LayerBounds(image.extent, crs: $0).extent(in: .crs84) }.map(sides)
        levels = image.levelSizes.dropFirst().map { [$0.width, $0.height] }
        bands = image.bandCount
        sampleType = image.sampleType
        bandNames = image.bandNames.isEmpty ? nil : image.bandNames
        noData = image.noData.flatMap { $0.isFinite ? $0 : nil }
        compression = image.compression
        blockSize = [layout.levels[0].blockWidth, layout.levels[0].blockHeight]
        overviewCount = layout.levels.count - 1
        warnings = image.notes
    }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        func text(_ numbers: [Double]) -> String { numbers.map { InfoText.significant($0) }.joined(separator: ", ") }
        var lines = ["\(type), \(size.map(String.init).joined(separator: " x ")) pixels", ""]
        lines.append("CRS       \(crs ?? "none that is known; set it with crs=")")
        if let geographicBox { lines.append("Degrees   \(text(geographicBox))") }
        lines.append("Extent    \(text(extent))")
        if !levels.isEmpty {
            lines.append(
                "Levels    " + levels.map { $0.map(String.init).joined(separator: " x ") }.joined(separator: ", "))
        }
        lines.append(
            "Bands     \(bands) x \(sampleType)"
                + (bandNames.map { names in
                    ": " + names.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
                } ?? ""))
        if let noData { lines.append("No data   \(InfoText.significant(noData))") }
        lines.append(
            "Blocks    \(blockSize.map(String.init).joined(separator: " x ")) pixels, \(compression); "
                + "\(overviewCount) overviews in the file")
        return (lines + warnings.map { "Note      \($0)" }).joined(separator: "\n") + "\n"
    }
}
