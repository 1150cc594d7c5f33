package import PortolanGeo
import PortolanRaster

/// The structure of a GeoTIFF, and how its tiles are made of blocks; the bytes come from a ``TIFFSource``.
package struct GeoTIFFImage: Sendable {
    /// The CRS in the file, or `nil` if it has none that is known.
    package let crs: CRS?
    /// The extent of the image, in units of its CRS.
    package let extent: Extent
    /// The path or the address, for errors.
    package let place: String
    let structure: GeoTIFFStructure
    private(set) var colors: TIFFColors

    /// The blocks at most in which values are sampled.
    private static let sampledBlockCount = 64
    /// The values at most of a band that are sampled of a block.
    private static let sampleLimit = 1 << 16

    init(_ structure: GeoTIFFStructure, at place: String) throws(ArchiveError) {
        (self.structure, self.place) = (structure, place)
        let keys = structure.keys, main = structure.levels[0]
        guard let placement = keys.placement,
            let extent = Extent(
                minX: placement.left, minY: placement.top - placement.pixelHeight * Double(main.height),
                maxX: placement.left + placement.pixelWidth * Double(main.width), maxY: placement.top)
        else {
            throw ArchiveError(.wrongFormat, place: place, detail: keys.note ?? "the image is not georeferenced")
        }
        (self.extent, crs) = (extent, keys.crs)
        colors = TIFFColors(main.image)
    }

    /// Notes about unusual properties and decisions, one sentence each.
    package var notes: [String] { [structure.keys.note].compactMap { $0 } + colors.notes }
    /// The sizes in pixels of the image and its levels, from the finest.
    package var levelSizes: [(width: Int, height: Int)] { structure.levels.map { ($0.width, $0.height) } }
    /// The width and height of tiles.
    package var tileSize: Int { structure.tileSize }
    /// The number of bands.
    package var bandCount: Int { structure.levels[0].image.samplesPerPixel }
    /// The descriptions of bands by their numbers, the first one is 1.
    package var bandNames: [Int: String] {
        Dictionary(uniqueKeysWithValues: structure.metadata.descriptions.map { ($0.key + 1, $0.value) })
    }
    /// The band of the opacity, or `nil`.
    package var alphaBand: Int? { colors.alpha.map { $0 + 1 } }
    /// The numbers of the bands of the file's own colours: one, or red, green and blue.
    package var colorBands: [Int] { colors.samples.map { $0 + 1 } }
    /// Whether a scale or an offset applies to the values of some band.
    package var isScaled: Bool { !structure.metadata.scalings.isEmpty }
    /// Whether the colours of a palette are those of the values.
    package var hasPalette: Bool { colors.hasPalette }

    /// The range of values that bytes and smaller samples may have, or `nil` for other samples.
    package var byteRange: ClosedRange<Double>? {
        let image = structure.levels[0].image
        guard image.format == .unsigned, image.bitsPerSample <= 8 else { return nil }
        return 0...Double(1 << image.bitsPerSample - 1)
    }

    /// Returns the tile grid; levels are named by their numbers, 0 the coarsest.
    ///
    /// - Parameter crs: the CRS of the coordinates if the file states none, or a wrong one.
    /// - Throws: ``ArchiveError`` with the code `wrongFormat` if the CRS is unknown.
    package func grid(in crs: CRS? = nil) throws(ArchiveError) -> TileGrid {
        guard let system = crs ?? self.crs else {
            throw ArchiveError(
                .wrongFormat, place: place, detail: "\(structure.keys.note ?? "no CRS"); set it with crs=")
        }
        let pyramid = ImagePyramid(
            extent: extent, sizes: levelSizes, spans: structure.levels.map(\.span), tileSize: structure.tileSize)
        guard let grid = pyramid.grid(in: system) else {
            throw ArchiveError(.wrongFormat, place: place, detail: "invalid pixel size")
        }
        return grid
    }

    /// The pixels of a tile: those of the image of its level, and their number in the tile.
    struct TilePlace {
        let level: GeoTIFFStructure.Level
        let columns: Range<Int>, rows: Range<Int>
        let count: (x: Int, y: Int)

        /// The window with all pixels.
        var window: TIFFWindow { TIFFWindow(image: level.image, columns: columns, rows: rows) }
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

    // MARK: - Values of the whole image

    /// Whether values are stretched between the lowest and the highest ones, which are not known yet.
    package var needsRange: Bool { colors.needsRange }

    /// Stretches values between the lowest and the highest ones of the coarsest level.
    package mutating func stretch(_ source: TIFFRanges) throws(ArchiveError) { try stretch(from: source) }

    mutating func stretch(from source: some TIFFSource) throws(ArchiveError) {
        var low = Double.infinity, high = -Double.infinity
        let colors = colors
        for window in sampledWindows {
            let isPlanar = window.image.isPlanar
            try forEachBlock(of: window, samples: colors.samples, source) { samples, block in
                window.forEachRow(of: block) { columns, row, _ in
                    for sample in isPlanar ? [0] : colors.samples {
                        for value in samples.values(ofSample: sample, row: row, columns: columns)
                        where colors.isValid(value) {
                            low = min(low, value)
                            high = max(high, value)
                        }
                    }
                }
            }
        }
        self.colors.stretch(from: low <= high ? low : 0, to: low <= high ? high : 1)
    }

    /// Returns values of bands that are spread over the coarsest level, without those that are not data.
    ///
    /// - Parameter bands: the numbers of bands, the first one is 1.
    package func samples(ofBands bands: [Int], _ source: TIFFRanges) throws(ArchiveError) -> [[Float]] {
        try samples(ofBands: bands, source, isScaled: true)
    }

    func samples(
        ofBands bands: [Int], _ source: some TIFFSource, isScaled: Bool
    ) throws(ArchiveError) -> [[Float]] {
        var samples = [[Float]](repeating: [], count: bands.count)
        let level = coarsestLevel
        for window in sampledWindows {
            let found = try values(window, level, bands: bands, source, isScaled: isScaled)
            for (index, values) in found.values.enumerated() {
                let step = max(1, values.count / Self.sampleLimit)
                for place in stride(from: 0, to: values.count, by: step) where !values[place].isNaN {
                    samples[index].append(values[place])
                }
            }
        }
        return samples
    }

    /// The coarsest level that is in the file.
    private var coarsestLevel: GeoTIFFStructure.Level {
        structure.levels.last { $0.reduction == 1 } ?? structure.levels[0]
    }

    /// The windows of the coarsest level in which values are sampled.
    var sampledWindows: [TIFFWindow] {
        let image = coarsestLevel.image, count = image.columnCount * image.rowCount
        return stride(from: 0, to: count, by: max(1, count / Self.sampledBlockCount)).map { index in
            let left = index % image.columnCount * image.blockWidth, top = index / image.columnCount * image.blockHeight
            return TIFFWindow(
                image: image, columns: left..<min(left + image.blockWidth, image.width),
                rows: top..<min(top + image.blockHeight, image.height))
        }
    }
}
