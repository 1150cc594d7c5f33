public import PortolanGeo
public import PortolanRaster
import PortolanWeb
import Synchronization

/// An image in a GeoTIFF file, such as a Cloud Optimized GeoTIFF, as a tile pyramid of its pixels and overviews.
///
/// Each tile is one window of one level; nothing else is read, and nothing is resampled unless the file has no overview
/// that is coarse enough. TIFF and BigTIFF are read, in tiles and strips, with samples of 1 to 32 bits and floats,
/// without compression or with Deflate, LZW, PackBits, JPEG or WebP. Samples of red, green, blue and alpha are colours, a single
/// one is grey, and palettes are supported; no-data values and masks are transparent. Values of more than eight bits
/// are stretched between the lowest and the highest ones of the coarsest level, which ``notes`` state.
///
/// Reading is thread-safe. Sources: TIFF 6.0, OGC GeoTIFF 1.1 (19-008r4), OGC Cloud Optimized GeoTIFF 1.0 (21-026).
public final class GeoTIFFRaster: Sendable {
    /// The CRS in the file, or `nil` if it has none that is known.
    public let crs: CRS?
    /// The extent of the image, in units of its CRS.
    public let extent: Extent
    /// Notes about unusual properties and decisions, one sentence each.
    public let notes: [String]

    /// The sizes in pixels of the image and its levels, from the finest.
    package var levelSizes: [(width: Int, height: Int)] { structure.levels.map { ($0.width, $0.height) } }

    let path: String
    private let file: LocalFile
    let structure: GeoTIFFStructure
    let colors: TIFFColors
    /// The parts of the file that are not blocks: directories and the places of blocks.
    private let parts: Mutex<TIFFParts>

    /// The bytes that are read at once of directories and places.
    private static let partByteCount: UInt64 = 1 << 16
    /// The pixels at most that are reduced at a time.
    private static let bandPixelCount = 1 << 22
    /// The blocks at most in which the range of values is looked for.
    private static let sampledBlockCount = 64

    /// Opens a file.
    ///
    /// - Parameter path: a local path.
    /// - Throws: ``ArchiveError``: `wrongFormat` if it is not a georeferenced image, `cannotOpen`,
    ///   `damaged` or `limitExceeded`.
    public init(path: String) throws(ArchiveError) {
        self.path = path
        do throws(LocalFileError) { file = try LocalFile(at: path) } catch {
            throw ArchiveError(.cannotOpen, place: path, detail: error.detail)
        }
        var parts = TIFFParts(byteCount: UInt64(file.byteCount))
        let file = file
        structure = try Self.read(&parts, file, path) { parts throws(TIFFParts.Stop) in try GeoTIFFStructure(parts) }
        let keys = structure.keys, main = structure.levels[0]
        guard let place = keys.placement,
            let extent = Extent(
                minX: place.left, minY: place.top - place.pixelHeight * Double(main.height),
                maxX: place.left + place.pixelWidth * Double(main.width), maxY: place.top)
        else {
            throw ArchiveError(.wrongFormat, place: path, detail: keys.note ?? "the image is not georeferenced")
        }
        (self.extent, crs) = (extent, keys.crs)
        var colors = TIFFColors(main.image)
        if colors.needsRange {
            let (low, high) = try Self.range(structure, colors, &parts, file, path)
            colors.stretch(from: low, to: high)
        }
        self.colors = colors
        notes = [keys.note].compactMap { $0 } + colors.notes
        self.parts = Mutex(parts)
    }

    /// Returns whether a file begins like a TIFF; a file that cannot be read does not.
    public static func recognizes(path: String) -> Bool {
        guard let file = try? LocalFile(at: path), let start = try? file.start(4) else { return false }
        return TIFFHeader.recognizes(start)
    }

    /// Returns the tile grid; levels are named by their numbers, 0 the coarsest.
    ///
    /// - Parameter crs: the CRS of the coordinates if the file states none, or a wrong one.
    /// - Throws: ``ArchiveError`` with the code `wrongFormat` if the CRS is unknown.
    public func grid(in crs: CRS? = nil) throws(ArchiveError) -> TileGrid {
        guard let system = crs ?? self.crs else {
            throw ArchiveError(
                .wrongFormat, place: path, detail: "\(structure.keys.note ?? "no CRS"); set it with crs=")
        }
        let pyramid = ImagePyramid(extent: extent, sizes: levelSizes, tileSize: structure.tileSize)
        guard let grid = pyramid.grid(in: system) else {
            throw ArchiveError(.wrongFormat, place: path, detail: "invalid pixel size")
        }
        return grid
    }

    /// Returns a tile, transparent outside of the image, or `nil` if the grid has no such tile.
    ///
    /// - Parameter number: the number of a level of ``grid(in:)``.
    /// - Throws: ``ArchiveError`` with the code `damaged` if the window cannot be read.
    public func tile(level number: Int, column: Int, row: Int) throws(ArchiveError) -> PixelBuffer? {
        guard let tile = tilePlace(level: number, column: column, row: row) else { return nil }
        let image = try tile.level.reduction == 1 ? pixels(tile.level, tile.columns, tile.rows) : reduced(tile)
        return ImagePyramid.tile(ofSize: structure.tileSize, with: image.pixels, width: tile.count.x)
    }

    /// The pixels of a tile: those of the image of its level, and their number in the tile.
    struct TilePlace {
        let level: GeoTIFFStructure.Level
        let columns: Range<Int>, rows: Range<Int>
        let count: (x: Int, y: Int)
    }

    /// Returns the pixels of a tile, or `nil` if the grid has no such tile.
    func tilePlace(level number: Int, column: Int, row: Int) -> TilePlace? {
        let side = structure.tileSize
        guard structure.levels.indices.contains(number), column >= 0, row >= 0 else { return nil }
        let level = structure.levels[structure.levels.count - 1 - number]
        guard column <= level.width / side, row <= level.height / side else { return nil }
        let count = (x: min(side, level.width - column * side), y: min(side, level.height - row * side))
        guard count.x > 0, count.y > 0 else { return nil }
        let reduction = level.reduction
        let columns = (column * side * reduction)..<min((column * side + count.x) * reduction, level.image.width)
        let rows = (row * side * reduction)..<min((row * side + count.y) * reduction, level.image.height)
        return TilePlace(level: level, columns: columns, rows: rows, count: count)
    }

    /// Returns the means of pixels, which are read in bands of rows.
    private func reduced(_ tile: TilePlace) throws(ArchiveError) -> PixelBuffer {
        guard let size = ImageSize(width: tile.columns.count, height: tile.rows.count),
            let target = ImageSize(width: tile.count.x, height: tile.count.y)
        else { throw ArchiveError(.limitExceeded, place: path, detail: "the image is too large to be reduced") }
        var reduction = ImageReduction(of: size, to: target)
        try forEachBand(of: tile) { window throws(ArchiveError) in
            let band = try pixels(tile.level, window.columns, window.rows)
            for row in 0..<band.height { reduction.add(band.pixels[(row * band.width)..<((row + 1) * band.width)]) }
        }
        return reduction.finish()
    }

    /// Calls `body` with the windows of a tile that are reduced one after the other.
    func forEachBand(of tile: TilePlace, _ body: (TIFFWindow) throws(ArchiveError) -> Void) throws(ArchiveError) {
        let image = tile.level.image
        let height = min(image.blockHeight, max(1, Self.bandPixelCount / tile.columns.count))
        for top in stride(from: tile.rows.lowerBound, to: tile.rows.upperBound, by: height) {
            let rows = top..<min(top + height, tile.rows.upperBound)
            try body(TIFFWindow(image: image, columns: tile.columns, rows: rows))
        }
    }

    /// Returns pixels of the image of a level.
    private func pixels(
        _ level: GeoTIFFStructure.Level, _ columns: Range<Int>, _ rows: Range<Int>
    ) throws(ArchiveError) -> PixelBuffer {
        let window = TIFFWindow(image: level.image, columns: columns, rows: rows)
        guard let size = ImageSize(width: columns.count, height: rows.count) else {
            throw ArchiveError(
                .limitExceeded, place: path, detail: "a window of \(columns.count) by \(rows.count) pixels")
        }
        var painting = TIFFPainting(window, colors)
        try forEachBlock(of: window, samples: colors.samples + [colors.alpha].compactMap { $0 }) {
            painting.add($0, $1)
        }
        if let mask = level.mask {
            let window = TIFFWindow(image: mask, columns: columns, rows: rows)
            try forEachBlock(of: window, samples: [0]) { painting.addMask($0, $1, of: window) }
        }
        guard let image = PixelBuffer(size: size, pixels: painting.finished()) else {
            throw ArchiveError(.failed, place: path, detail: "a window without pixels")
        }
        return image
    }

    /// Calls `body` with the decoded blocks of a window that are in the file.
    func forEachBlock(
        of window: TIFFWindow, samples: [Int], _ body: (TIFFSamples, TIFFWindow.Block) -> Void
    ) throws(ArchiveError) {
        let blocks = try parts.withLock { parts throws(ArchiveError) in
            try Self.read(&parts, file, path) { parts throws(TIFFParts.Stop) in
                try window.blocks(samples: samples, parts)
            }
        }
        for block in blocks {
            if let samples = try Self.samples(of: block, window.image, file, path) { body(samples, block) }
        }
    }

    /// Returns the samples of a block, or `nil` if it is left out of the file.
    private static func samples(
        of block: TIFFWindow.Block, _ image: TIFFImage, _ file: LocalFile, _ path: String
    ) throws(ArchiveError) -> TIFFSamples? {
        guard let place = block.place else { return nil }
        let bytes: [UInt8]
        do throws(LocalFileError) { bytes = try file.bytes(at: Int(place.lowerBound), count: place.count) } catch {
            throw ArchiveError(.damaged, place: path, detail: error.detail)
        }
        do throws(TIFFParts.Stop) {
            return try TIFFBlocks(image: image).decode(
                bytes, rowCount: image.rowCount(ofBlockRow: block.row), at: place.lowerBound)
        } catch { throw ArchiveError(error, at: path) }
    }

    /// Returns the lowest and the highest value of the coarsest level, of some blocks if it has many.
    private static func range(
        _ structure: GeoTIFFStructure, _ colors: TIFFColors, _ parts: inout TIFFParts, _ file: LocalFile, _ path: String
    ) throws(ArchiveError) -> (low: Double, high: Double) {
        let image = structure.levels[structure.levels.count - 1].image
        let window = TIFFWindow(image: image, columns: 0..<image.width, rows: 0..<image.height)
        var low = Double.infinity, high = -Double.infinity
        let blockCount = image.columnCount * image.rowCount
        for index in stride(from: 0, to: blockCount, by: max(1, blockCount / sampledBlockCount)) {
            for plane in image.isPlanar ? colors.samples : [0] {
                let column = index % image.columnCount, row = index / image.columnCount
                let place = try read(&parts, file, path) { parts throws(TIFFParts.Stop) in
                    try image.place(column: column, row: row, plane: plane, parts)
                }
                let block = TIFFWindow.Block(column: column, row: row, plane: plane, place: place)
                guard let samples = try samples(of: block, image, file, path) else { continue }
                window.forEachRow(of: block) { columns, row, _ in
                    for sample in image.isPlanar ? [0] : colors.samples {
                        for value in samples.values(ofSample: sample, row: row, columns: columns)
                        where colors.isValid(value) {
                            low = min(low, value)
                            high = max(high, value)
                        }
                    }
                }
            }
        }
        return low <= high ? (low, high) : (0, 1)
    }

    /// Reads something, and the parts of the file that it needs.
    private static func read<Value>(
        _ parts: inout TIFFParts, _ file: LocalFile, _ path: String,
        _ body: (TIFFParts) throws(TIFFParts.Stop) -> Value
    ) throws(ArchiveError) -> Value {
        while true {
            do throws(TIFFParts.Stop) { return try body(parts) } catch {
                guard case .missing(let range) = error else { throw ArchiveError(error, at: path) }
                let end = min(max(range.upperBound, range.lowerBound + partByteCount), parts.byteCount)
                let bytes: [UInt8]
                do throws(LocalFileError) {
                    bytes = try file.bytes(at: Int(range.lowerBound), count: Int(end - range.lowerBound))
                } catch { throw ArchiveError(.damaged, place: path, detail: error.detail) }
                guard UInt64(bytes.count) == end - range.lowerBound else {
                    throw ArchiveError(.changed, place: path, detail: "the file has become shorter")
                }
                parts.add(bytes, at: range.lowerBound)
            }
        }
    }
}

extension ArchiveError {
    fileprivate init(_ stop: TIFFParts.Stop, at path: String) {
        switch stop {
        case .missing: self.init(.failed, place: path, detail: "a part of the file is missing")
        case .failed(let error):
            let code: Code =
                switch error.code {
                case .wrongFormat, .unsupported: .wrongFormat
                case .malformed: .damaged
                case .limitExceeded: .limitExceeded
                }
            self.init(code, place: path, detail: "\(error)")
        }
    }
}
