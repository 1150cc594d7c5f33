package import PortolanGeo
package import PortolanRaster

extension GeoTIFFImage {
    /// Returns the values of a band in a tile, or `nil` if the grid has no such tile.
    ///
    /// The scale and the offset that GDAL writes are applied. Pixels that are no-data, masked, fully transparent or
    /// outside of the image are NaN. Where the file has no overview, the values are means.
    ///
    /// - Parameters:
    ///   - number: the number of a level of ``grid(in:)``.
    ///   - band: the number of the band, the first one is 1.
    package func values(
        level number: Int, column: Int, row: Int, band: Int, _ source: TIFFRanges
    ) throws(ArchiveError) -> RasterValues? {
        try values(level: number, column: column, row: row, band: band, from: source)
    }

    func values(
        level number: Int, column: Int, row: Int, band: Int, from source: some TIFFSource
    ) throws(ArchiveError) -> RasterValues? {
        guard let tile = tilePlace(level: number, column: column, row: row) else { return nil }
        var result = RasterValues(width: structure.tileSize, height: structure.tileSize)
        guard tile.level.reduction > 1 else {
            let values = try values(tile.window, tile.level, bands: [band], source, isScaled: true).values[0]
            for line in 0..<tile.count.y {
                let first = line * result.width
                result.values.replaceSubrange(
                    first..<first + tile.count.x, with: values[(line * tile.count.x)..<((line + 1) * tile.count.x)])
            }
            return result
        }
        var mean = ValueReduction(of: tile.columns.count, by: tile.level.reduction, to: tile.count)
        try forEachBand(of: tile) { window throws(ArchiveError) in
            mean.add(try values(window, tile.level, bands: [band], source, isScaled: true).values[0])
        }
        mean.finish(into: &result)
        return result
    }

    /// Returns the values of bands in a window of a level, and the opacities if the image has them.
    ///
    /// - Parameters:
    ///   - bands: the numbers of bands, the first one is 1.
    ///   - isScaled: whether the scale and the offset that GDAL writes are applied.
    func values(
        _ window: TIFFWindow, _ level: GeoTIFFStructure.Level, bands: [Int], _ source: some TIFFSource, isScaled: Bool
    ) throws(ArchiveError) -> (values: [[Float]], opacities: [UInt8]?) {
        for band in bands where !(1...bandCount).contains(band) {
            throw ArchiveError(.wrongFormat, place: place, detail: "there is no band \(band), only \(bandCount)")
        }
        var values = TIFFBandValues(window, bands: bands.map { $0 - 1 }, colors)
        try forEachBlock(of: window, samples: values.samples, source) { values.add($0, $1) }
        if let mask = level.mask {
            let window = TIFFWindow(image: mask, columns: window.columns, rows: window.rows)
            try forEachBlock(of: window, samples: [0], source) { values.addMask($0, $1, of: window) }
        }
        return values.finished(isScaled ? structure.metadata.scalings : [:])
    }
}

extension GeoTIFFImage {
    /// Returns the pixel of the image at a coordinate in its CRS, or `nil` outside.
    package func pixel(at coordinate: Coordinate) -> (x: Int, y: Int)? {
        let main = structure.levels[0]
        let x = (coordinate.x - extent.minX) / extent.width * Double(main.width)
        let y = (extent.maxY - coordinate.y) / extent.height * Double(main.height)
        guard x >= 0, y >= 0, x < Double(main.width), y < Double(main.height) else { return nil }
        return (Int(x), Int(y))
    }

    /// Returns the values of all bands at a pixel, NaN without data.
    package func values(atX x: Int, y: Int, _ source: TIFFRanges) throws(ArchiveError) -> [Float] {
        try values(atX: x, y: y, from: source)
    }

    func values(atX x: Int, y: Int, from source: some TIFFSource) throws(ArchiveError) -> [Float] {
        let window = TIFFWindow(image: structure.levels[0].image, columns: x..<x + 1, rows: y..<y + 1)
        return try values(window, structure.levels[0], bands: Array(1...bandCount), source, isScaled: true)
            .values.map { $0[0] }
    }

    /// Returns the places of the blocks with all bands at a pixel.
    package func blocks(atX x: Int, y: Int, _ parts: TIFFParts) throws(ArchiveError) -> Need<[Range<UInt64>]> {
        let window = TIFFWindow(image: structure.levels[0].image, columns: x..<x + 1, rows: y..<y + 1)
        return try blocks(of: [window], mask: structure.levels[0].mask, bands: Array(1...bandCount), parts)
    }
}

extension GeoTIFFRaster {
    /// Returns the values of all bands at a pixel, NaN without data.
    package func values(atX x: Int, y: Int) throws(ArchiveError) -> [Float] {
        try image.values(atX: x, y: y, from: file)
    }
}

/// The means of values, row by row; those without data do not count.
private struct ValueReduction {
    let width: Int, reduction: Int, target: (x: Int, y: Int)
    private var sums: [Double], counts: [Int32]
    private var rowCount = 0

    init(of width: Int, by reduction: Int, to target: (x: Int, y: Int)) {
        (self.width, self.reduction, self.target) = (width, reduction, target)
        sums = [Double](repeating: 0, count: target.x * target.y)
        counts = [Int32](repeating: 0, count: target.x * target.y)
    }

    /// Adds the next rows.
    mutating func add(_ values: [Float]) {
        for start in stride(from: 0, to: values.count, by: width) {
            let first = rowCount / reduction * target.x
            for column in 0..<width {
                let value = values[start + column]
                guard !value.isNaN else { continue }
                let index = first + column / reduction
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
