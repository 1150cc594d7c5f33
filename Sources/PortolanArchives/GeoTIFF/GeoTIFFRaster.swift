public import PortolanGeo
public import PortolanRaster
import PortolanWeb

/// An image in a GeoTIFF file, such as a Cloud Optimized GeoTIFF, as a tile pyramid of its pixels and overviews.
///
/// Each tile is one window of one level; nothing else is read, and nothing is resampled unless the file has no overview
/// that is coarse enough. TIFF and BigTIFF are read, in tiles and strips, with samples of 1 to 32 bits and floats,
/// without compression or with Deflate, LZW, PackBits, JPEG, WebP, Zstandard or LERC. Samples of red, green, blue and alpha are colours, a single
/// one is grey, and palettes are supported; no-data values and masks are transparent. Values of more than eight bits
/// are stretched between the lowest and the highest ones of the coarsest level, which ``notes`` state.
///
/// Reading is thread-safe. Sources: TIFF 6.0, OGC GeoTIFF 1.1 (19-008r4), OGC Cloud Optimized GeoTIFF 1.0 (21-026).
public final class GeoTIFFRaster: Sendable {
    /// The structure of the file, and the colours of its values.
    package let image: GeoTIFFImage
    let file: TIFFFile

    /// The CRS in the file, or `nil` if it has none that is known.
    public var crs: CRS? { image.crs }
    /// The extent of the image, in units of its CRS.
    public var extent: Extent { image.extent }
    /// Notes about unusual properties and decisions, one sentence each.
    public var notes: [String] { image.notes }

    /// The sizes in pixels of the image and its levels, from the finest.
    package var levelSizes: [(width: Int, height: Int)] { image.levelSizes }
    /// The number of bands.
    package var bandCount: Int { image.bandCount }

    /// Opens a file.
    ///
    /// - Parameter path: a local path.
    /// - Throws: ``ArchiveError``: `wrongFormat` if it is not a georeferenced image, `cannotOpen`,
    ///   `damaged` or `limitExceeded`.
    public init(path: String) throws(ArchiveError) {
        let file = try TIFFFile(path: path)
        let structure = try file.read { parts throws(TIFFParts.Stop) in try GeoTIFFStructure(parts) }
        var image = try GeoTIFFImage(structure, at: path)
        if image.needsRange { try image.stretch(from: file) }
        (self.image, self.file) = (image, file)
    }

    /// Returns whether a file begins like a TIFF; a file that cannot be read does not.
    public static func recognizes(path: String) -> Bool {
        guard let file = try? LocalFile(at: path), let start = try? file.start(4) else { return false }
        return TIFFHeader.recognizes(start)
    }

    /// Returns whether bytes begin like a TIFF.
    package static func recognizes(_ start: [UInt8]) -> Bool { TIFFHeader.recognizes(start) }

    /// Returns the tile grid; levels are named by their numbers, 0 the coarsest.
    ///
    /// - Parameter crs: the CRS of the coordinates if the file states none, or a wrong one.
    /// - Throws: ``ArchiveError`` with the code `wrongFormat` if the CRS is unknown.
    public func grid(in crs: CRS? = nil) throws(ArchiveError) -> TileGrid { try image.grid(in: crs) }

    /// Returns a tile, transparent outside of the image, or `nil` if the grid has no such tile.
    ///
    /// - Parameter number: the number of a level of ``grid(in:)``.
    /// - Throws: ``ArchiveError`` with the code `damaged` if the window cannot be read.
    public func tile(level number: Int, column: Int, row: Int) throws(ArchiveError) -> PixelBuffer? {
        try tile(level: number, column: column, row: row, style: nil)
    }

    /// Returns a tile in the colours of a style, or of the file for `nil`.
    package func tile(
        level number: Int, column: Int, row: Int, style: RasterStyle?
    ) throws(ArchiveError) -> PixelBuffer? {
        try image.tile(level: number, column: column, row: row, style: style, from: file)
    }

    /// Returns the values of a band in a tile, or `nil` if the grid has no such tile.
    ///
    /// The scale and the offset that GDAL writes are applied. Pixels that are no-data, masked, fully transparent or
    /// outside of the image are NaN. Where the file has no overview, the values are means.
    ///
    /// - Parameters:
    ///   - number: the number of a level of ``grid(in:)``.
    ///   - band: the number of the band, the first one is 1.
    /// - Throws: ``ArchiveError`` with the code `damaged` if the window cannot be read, `wrongFormat` if there is no such
    ///   band.
    package func values(level number: Int, column: Int, row: Int, band: Int) throws(ArchiveError) -> RasterValues? {
        try image.values(level: number, column: column, row: row, band: band, from: file)
    }

    /// Returns values of bands that are spread over the coarsest level, without those that are not data.
    ///
    /// - Parameter bands: the numbers of bands, the first one is 1.
    package func samples(ofBands bands: [Int]) throws(ArchiveError) -> [[Float]] {
        try image.samples(ofBands: bands, file, isScaled: true)
    }
}
