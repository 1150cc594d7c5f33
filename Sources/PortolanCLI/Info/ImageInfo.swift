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
    var warnings: [String]

    /// Reads the image in a file.
    init(path: String) throws(CommandFailure) {
        let image: GeoTIFFRaster
        do { image = try GeoTIFFRaster(path: path) } catch { throw CommandFailure(.badData, "\(error)") }
        func sides(_ extent: Extent) -> [Double] { [extent.minX, extent.minY, extent.maxX, extent.maxY] }
        crs = image.crs.map { "\($0)" }
        size = image.levelSizes.first.map { [$0.width, $0.height] } ?? []
        extent = sides(image.extent)
        geographicBox = image.crs.flatMap { LayerBounds(image.extent, crs: $0).extent(in: .crs84) }.map(sides)
        levels = image.levelSizes.dropFirst().map { [$0.width, $0.height] }
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
        return (lines + warnings.map { "Note      \($0)" }).joined(separator: "\n") + "\n"
    }
}
