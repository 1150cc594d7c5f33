package import PortolanGeo

/// Makes a grid of the matrices that a service describes, and puts right what services are known to write wrongly.
package struct WMTSGrid {
    /// The factor by which denominators for pixels of 96 dots an inch exceed those for pixels of 0.28 mm.
    private static let excessOf96DPI = 0.00028 / (0.0254 / 96)
    /// The scale of the world in one tile of 256 pixels: level 0 of `GoogleMapsCompatible` and, halved, of
    /// `GoogleCRS84Quad` (OGC 07-057r7 annex E.3 and E.4).
    private static let worldDenominator = 559_082_264.0287178

    let set: WMTSMatrixSet
    let layer: WMTSLayer
    private(set) var notes = ReaderNotes()
    /// Whether the denominators were read as those of pixels of 96 dots an inch.
    package private(set) var countsDots = false
    /// Whether the corners were read with their axes the other way round.
    package private(set) var hasSwappedCorners = false
    /// How the rows of the layer's limits are counted.
    package private(set) var limitCount = WMTSLimits.Count.fromTop

    package init(of set: WMTSMatrixSet, for layer: WMTSLayer) {
        self.set = set
        self.layer = layer
    }

    /// The grid: levels from the coarsest to the finest, named as the service names them, within the layer's limits.
    package mutating func grid() throws(WMTSError) -> TileGrid {
        let crs: CRS
        do { crs = try CRS(set.crsName) } catch { throw .crs(error.description) }
        let unit = denominatorUnit(crs)
        let isSwapped = isSwapped(crs, unit: unit)
        var limits = WMTSLimits(of: layer, to: set)
        let place = limits.byMatrix == nil ? placeBeyond(in: crs, unit: unit, isSwapped: isSwapped) : nil
        if place != nil {
            notes.add(
                "the matrices of set '\(set.identifier)' end before the layer's box; extended to the box")
        }
        var matrices: [TileMatrix] = []
        for matrix in set.matrices {
            let corner = matrix.corner(in: crs, isSwapped: isSwapped)
            guard let resolution = resolution(of: matrix, in: crs, unit: unit) else { continue }
            let reached = place.flatMap { Self.count(upTo: $0, from: corner, resolution, matrix) }
            let made = TileMatrix(
                id: matrix.identifier, resolution: resolution, tileWidth: matrix.tileWidth,
                tileHeight: matrix.tileHeight, origin: corner, columnCount: reached?.columns ?? matrix.columnCount,
                rowCount: reached?.rows ?? matrix.rowCount)
            if let made { matrices.append(made) } else { noteUnusable(matrix.identifier) }
        }
        if let box = layerBox(in: crs) { limits.weigh(against: box, in: matrices, of: set.identifier) }
        limitCount = limits.count
        notes.add(limits.notes)
        if let byMatrix = limits.byMatrix {
            matrices = matrices.compactMap { matrix in
                guard let limit = byMatrix[matrix.id] else { return limits.leavesOut ? nil : matrix }
                let made = matrix.limited(to: limit.columns, limit.rows)
                if made == nil { noteUnusable(matrix.id) }
                return made
            }
        }
        guard let grid = TileGrid(crs: crs, originCorner: .topLeft, matrices: matrices) else {
            throw .noTiles(set.identifier)
        }
        return grid
    }

    /// The extent with tiles, or `nil` when that is unknown or the whole grid.
    func extent(in grid: TileGrid) -> Extent? {
        guard let extent = layerBox(in: grid.crs) else { return nil }
        // A box beside the grid is a slip of the service; better to ask for too much than for nothing.
        return reach(of: grid)?.intersection(extent) == nil ? nil : extent
    }

    /// The extent of all levels within the layer's limits, or `nil` when there are no tiles.
    mutating func reach() -> Extent? { (try? grid()).flatMap(reach(of:)) }

    private func layerBox(in crs: CRS) -> Extent? {
        layer.extent(in: crs) ?? layer.boundingBoxes.first { $0.crs == crs }?.box.extent
    }

    private mutating func noteUnusable(_ matrix: String) {
        notes.add("no usable tiles in matrix '\(matrix)' of set '\(set.identifier)'")
    }

    private func reach(of grid: TileGrid) -> Extent? {
        grid.matrices.indices.compactMap(grid.extent(ofLevel:)).reduce(nil) { whole, level in
            whole?.union(level) ?? level
        }
    }

    // MARK: Counts

    /// The layer's extent, when no matrix reaches it although each begins to the north-west of it, else `nil`.
    ///
    /// Some servers count the tiles that there are, and not those from the corner on.
    private func placeBeyond(in crs: CRS, unit: Double, isSwapped: Bool) -> Extent? {
        let own = layer.boundingBoxes.first { $0.crs == crs }?.box.extent
        guard let place = own ?? layer.extent(in: crs), fit(isSwapped: isSwapped, crs, unit: unit, place) == 0 else {
            return nil
        }
        let isAhead = set.matrices.allSatisfy { matrix in
            let corner = matrix.corner(in: crs, isSwapped: isSwapped)
            return corner.x <= place.minX && corner.y >= place.maxY
        }
        return isAhead ? place : nil
    }

    private static func count(
        upTo place: Extent, from corner: Coordinate, _ resolution: Resolution, _ matrix: WMTSMatrixSet.Matrix
    ) -> (columns: Int, rows: Int)? {
        func count(_ length: Double, _ pixels: Int) -> Int? {
            let tiles = (length / resolution.unitsPerPixel / Double(pixels)).rounded(.up)
            return tiles >= 1 && tiles <= Double(1 << 31) ? Int(tiles) : nil
        }
        guard let columns = count(place.maxX - corner.x, matrix.tileWidth),
            let rows = count(corner.y - place.minY, matrix.tileHeight)
        else { return nil }
        return (max(columns, matrix.columnCount), max(rows, matrix.rowCount))
    }

    // MARK: Scales

    /// The divisor that turns denominators into those of pixels of 0.28 mm: 1, unless all are of 96 dots an inch.
    private mutating func denominatorUnit(_ crs: CRS) -> Double {
        guard crs.worldWidth != nil,
            set.matrices.allSatisfy({ Self.isStep($0.scaleDenominator / Self.excessOf96DPI) }),
            !set.matrices.contains(where: { coverage(of: $0, in: crs, unit: 1).map { abs($0 - 1) < 1e-4 } ?? false })
        else { return 1 }
        countsDots = true
        notes.add(
            "the scale denominators of matrix set '\(set.identifier)' are for pixels at 96 dpi, not of "
                + "0.28 mm; corrected")
        return Self.excessOf96DPI
    }

    /// Whether a denominator is the one of the world in a tile, halved or doubled some times.
    private static func isStep(_ denominator: Double) -> Bool {
        var ratio = worldDenominator / denominator
        guard ratio.isFinite, ratio > 1e-9 else { return false }
        while ratio > 1.5 { ratio /= 2 }
        while ratio < 0.75 { ratio *= 2 }
        return abs(ratio - 1) < 1e-4
    }

    /// The number of times the columns of a matrix go round the world, or `nil` where the world does not repeat.
    private func coverage(of matrix: WMTSMatrixSet.Matrix, in crs: CRS, unit: Double) -> Double? {
        guard let world = crs.worldWidth,
            let resolution = Resolution(scaleDenominator: matrix.scaleDenominator / unit, in: crs)
        else { return nil }
        return resolution.unitsPerPixel * Double(matrix.tileWidth) * Double(matrix.columnCount) / world
    }

    private func resolution(of matrix: WMTSMatrixSet.Matrix, in crs: CRS, unit: Double) -> Resolution? {
        if unit != 1, let world = crs.worldWidth {
            // An inch has 39.37 to a metre for some and 0.0254 m for others: the step of the pyramid is exact.
            let wanted = matrix.scaleDenominator / unit / Self.worldDenominator
            var step = 1.0
            while step > wanted * 1.4, step > 1e-9 { step /= 2 }
            while step < wanted / 1.4, step < 1e9 { step *= 2 }
            return Resolution(unitsPerPixel: world / 256 * step)
        }
        if let world = crs.worldWidth, let coverage = coverage(of: matrix, in: crs, unit: unit),
            abs(coverage - 1) < 1e-6
        {
            // Once round the world, and the denominator is rounded: the world is exact.
            return Resolution(unitsPerPixel: world / Double(matrix.tileWidth) / Double(matrix.columnCount))
        }
        return Resolution(scaleDenominator: matrix.scaleDenominator / unit, in: crs)
    }

    // MARK: Corners

    /// Whether corners have their axes in another order than the system: when only so the tiles are where the layer or
    /// the world is.
    private mutating func isSwapped(_ crs: CRS, unit: Double) -> Bool {
        guard
            let place = layer.extent(in: crs) ?? crs.worldExtent ?? set.box?.box.extent
                ?? layer.boundingBoxes.first(where: { $0.crs == crs })?.box.extent
        else { return false }
        let fit = fit(isSwapped: false, crs, unit: unit, place),
            other = self.fit(isSwapped: true, crs, unit: unit, place)
        guard other >= 0.5, fit < other / 2 else { return false }
        hasSwappedCorners = true
        notes.add(
            "the corners of matrix set '\(set.identifier)' have their axes swapped; corrected")
        return true
    }

    /// The share of the smaller of place and matrix that the two have in common, 0 to 1, over all matrices.
    private func fit(isSwapped: Bool, _ crs: CRS, unit: Double, _ place: Extent) -> Double {
        var sum = 0.0
        for matrix in set.matrices {
            guard let resolution = resolution(of: matrix, in: crs, unit: unit) else { continue }
            let corner = matrix.corner(in: crs, isSwapped: isSwapped), side = resolution.unitsPerPixel
            let width = side * Double(matrix.tileWidth) * Double(matrix.columnCount)
            let height = side * Double(matrix.tileHeight) * Double(matrix.rowCount)
            guard
                let extent = Extent(minX: corner.x, minY: corner.y - height, maxX: corner.x + width, maxY: corner.y),
                let shared = extent.intersection(place)
            else { continue }
            let smaller = min(extent.width * extent.height, place.width * place.height)
            let part = shared.width * shared.height / smaller
            if part.isFinite { sum += part }
        }
        return sum / Double(max(set.matrices.count, 1))
    }
}

extension WMTSMatrixSet.Matrix {
    fileprivate func corner(in crs: CRS, isSwapped: Bool) -> Coordinate {
        BoundingBoxWriter.corner(cornerFirst, cornerSecond, crs: crs, isSwapped: isSwapped)
    }
}
