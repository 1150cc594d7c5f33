package import PortolanRaster

extension GeoTIFFImage {
    /// The pixels at most that are reduced at a time.
    private static let bandPixelCount = 1 << 22

    /// Returns a tile, transparent outside of the image, or `nil` if the grid has no such tile.
    ///
    /// - Parameters:
    ///   - number: the number of a level of ``grid(in:)``.
    ///   - style: the colours of values, or `nil` for those of the file.
    package func tile(
        level number: Int, column: Int, row: Int, style: RasterStyle?, _ source: TIFFRanges
    ) throws(ArchiveError) -> PixelBuffer? {
        try tile(level: number, column: column, row: row, style: style, from: source)
    }

    func tile(
        level number: Int, column: Int, row: Int, style: RasterStyle?, from source: some TIFFSource
    ) throws(ArchiveError) -> PixelBuffer? {
        guard let tile = tilePlace(level: number, column: column, row: row) else { return nil }
        let image =
            try tile.level.reduction == 1
            ? pixels(tile.window, tile.level, style, source) : reduced(tile, style, source)
        return ImagePyramid.tile(ofSize: structure.tileSize, with: image.pixels, width: tile.count.x)
    }

    /// Returns the means of pixels, which are read in bands of rows.
    private func reduced(
        _ tile: TilePlace, _ style: RasterStyle?, _ source: some TIFFSource
    ) throws(ArchiveError) -> PixelBuffer {
        // The last pixels of the level may reach beyond the image; there its outermost pixels are repeated.
        let reduction = tile.level.reduction
        guard let size = ImageSize(width: tile.count.x * reduction, height: tile.count.y * reduction),
            let target = ImageSize(width: tile.count.x, height: tile.count.y)
        else { throw ArchiveError(.limitExceeded, place: place, detail: "the image is too large to be reduced") }
        var mean = ImageReduction(of: size, to: target), line: [UInt32] = []
        try forEachBand(of: tile) { window throws(ArchiveError) in
            let band = try pixels(window, tile.level, style, source)
            for row in 0..<band.height {
                line = Array(band.pixels[(row * band.width)..<((row + 1) * band.width)])
                if let last = line.last { line += repeatElement(last, count: size.width - line.count) }
                mean.add(line[...])
            }
        }
        for _ in tile.rows.count..<size.height { mean.add(line[...]) }
        return mean.finish()
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
        _ window: TIFFWindow, _ level: GeoTIFFStructure.Level, _ style: RasterStyle?, _ source: some TIFFSource
    ) throws(ArchiveError) -> PixelBuffer {
        guard let size = ImageSize(width: window.columns.count, height: window.rows.count) else {
            throw ArchiveError(
                .limitExceeded, place: place,
                detail: "a window of \(window.columns.count) by \(window.rows.count) pixels")
        }
        let pixels: [UInt32]
        if let style {
            let found = try values(window, level, bands: style.bands, source, isScaled: true)
            pixels = style.pixels(of: found.values, opacities: found.opacities)
        } else {
            var painting = TIFFPainting(window, colors)
            try forEachBlock(of: window, samples: colors.samples + [colors.alpha].compactMap { $0 }, source) {
                painting.add($0, $1)
            }
            if let mask = level.mask {
                let window = TIFFWindow(image: mask, columns: window.columns, rows: window.rows)
                try forEachBlock(of: window, samples: [0], source) { painting.addMask($0, $1, of: window) }
            }
            pixels = painting.finished()
        }
        guard let image = PixelBuffer(size: size, pixels: pixels) else {
            throw ArchiveError(.failed, place: place, detail: "a window without pixels")
        }
        return image
    }

    /// Calls `body` with the decoded blocks of a window that are in the file.
    func forEachBlock(
        of window: TIFFWindow, samples: [Int], _ source: some TIFFSource,
        _ body: (TIFFSamples, TIFFWindow.Block) -> Void
    ) throws(ArchiveError) {
        for block in try source.blocks(of: window, samples: samples) {
            guard let range = block.place else { continue }
            let bytes = try source.bytes(at: range), image = window.image
            let samples: TIFFSamples
            do throws(TIFFParts.Stop) {
                samples = try TIFFBlocks(image: image).decode(
                    bytes, rowCount: image.rowCount(ofBlockRow: block.row), at: range.lowerBound)
            } catch { throw ArchiveError(error, at: place) }
            body(samples, block)
        }
    }
}
