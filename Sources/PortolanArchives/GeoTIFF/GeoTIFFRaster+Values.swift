package import PortolanRaster

extension GeoTIFFRaster {
    /// The number of bands.
    package var bandCount: Int { structure.levels[0].image.samplesPerPixel }

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
        guard (1...bandCount).contains(band) else {
            throw ArchiveError(.wrongFormat, place: path, detail: "band \(band) of \(bandCount)")
        }
        guard let tile = tilePlace(level: number, column: column, row: row) else { return nil }
        var result = RasterValues(width: structure.tileSize, height: structure.tileSize)
        if tile.level.reduction == 1 {
            let window = TIFFWindow(image: tile.level.image, columns: tile.columns, rows: tile.rows)
            let values = try values(window, tile.level, band: band - 1)
            for line in 0..<tile.count.y {
                let first = line * result.width
                result.values.replaceSubrange(
                    first..<first + tile.count.x, with: values[(line * tile.count.x)..<((line + 1) * tile.count.x)])
            }
            return result
        }
        var mean = ValueReduction(of: (tile.columns.count, tile.rows.count), to: tile.count)
        try forEachBand(of: tile) { window throws(ArchiveError) in
            mean.add(try values(window, tile.level, band: band - 1))
        }
        mean.finish(into: &result)
        return result
    }

    /// Returns the values of a sample in a window of a level.
    private func values(
        _ window: TIFFWindow, _ level: GeoTIFFStructure.Level, band: Int
    ) throws(ArchiveError) -> [Float] {
        var values = TIFFBandValues(window, band: band, noData: colors.noData, alpha: colors.alpha)
        try forEachBlock(of: window, samples: values.samples) { values.add($0, $1) }
        if let mask = level.mask {
            let window = TIFFWindow(image: mask, columns: window.columns, rows: window.rows)
            try forEachBlock(of: window, samples: [0]) { values.addMask($0, $1, of: window) }
        }
        let scaling = structure.scalings[band] ?? GDALMetadata.Scaling()
        return values.finished(scaling)
    }
}

/// The means of values, row by row; those without data do not count.
private struct ValueReduction {
    let size: (x: Int, y: Int), target: (x: Int, y: Int)
    private var sums: [Double], counts: [Int32]
    private var rowCount = 0

    init(of size: (x: Int, y: Int), to target: (x: Int, y: Int)) {
        (self.size, self.target) = (size, target)
        sums = [Double](repeating: 0, count: target.x * target.y)
        counts = [Int32](repeating: 0, count: target.x * target.y)
    }

    /// Adds the next rows.
    mutating func add(_ values: [Float]) {
        for start in stride(from: 0, to: values.count, by: size.x) {
            let first = rowCount * target.y / size.y * target.x
            for column in 0..<size.x {
                let value = values[start + column]
                guard !value.isNaN else { continue }
                let index = first + column * target.x / size.x
                sums[index] += Double(value)
                counts[index] += 1
            }
            rowCount += 1
        }
    }

    /// Writes the means to the top left of a tile.
    func finish(into tile: inout RasterValues) {
        for index in sums.indices where counts[index] > 0 {
            tile.values[index / target.x * tile.width + index % target.x] = Float(sums[index] / Double(counts[index]))
        }
    }
}
