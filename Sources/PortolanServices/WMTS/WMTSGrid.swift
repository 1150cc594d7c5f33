package import PortolanGeo

/// Creates a grid from the tile matrices of a service, and corrects known mistakes of services.
package struct WMTSGrid {
    /// The ratio of scale denominators for 96 dpi to those for pixels of 0.28 mm.
    private static let excessOf96DPI = 0.00028 / (0.0254 / 96)
    /// The scale denominator of the world in one tile of 256 pixels: level 0 of `GoogleMapsCompatible` and, halved, of
    /// `GoogleCRS84Quad` (OGC 07-057r7 annex E.3 and E.4).
    private static let worldDenominator = 559_082_264.0287178

    let set: WMTSCapabilities.MatrixSet
    let layer: WMTSCapabilities.Layer
    private(set) var notes = ReaderNotes()
    /// Whether the denominators were interpreted for 96 dpi.
    package private(set) var countsDots = false
    /// Whether the corners were interpreted with exchanged axes.
    package private(set) var hasSwappedCorners = false
    /// The row order of the layer's limits.
    package private(set) var limitCount = WMTSLimits.Count.fromTop

    package init(of set: WMTSCapabilities.MatrixSet, for layer: WMTSCapabilities.Layer) {
        self.set = set
        self.layer = layer
    }

    /// Returns the grid: levels from the coarsest to the finest, with the names of the service, within the layer's
    /// limits.
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
        var matrices: [TileGrid.Matrix] = []
        for matrix in set.matrices {
            let corner = matrix.corner(in: crs, isSwapped: isSwapped)
            guard let resolution = resolution(of: matrix, in: crs, unit: unit) else { continue }
            let reached = place.flatMap { Self.count(upTo: $0, from: corner, resolution, matrix) }
            let made = TileGrid.Matrix(
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

    /// Returns the extent with tiles, or `nil` if it is unknown or the whole grid.
    func extent(in grid: TileGrid) -> Extent? {
        guard let extent = layerBox(in: grid.crs) else { return nil }
        // A box outside the grid is a mistake of the service. Requesting too much is better than requesting nothing.
        return reach(of: grid)?.intersection(extent) == nil ? nil : extent
    }

    /// Returns the extent of all levels within the layer's limits, or `nil` without tiles.
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

    /// Returns the layer's extent if no matrix covers it although each begins to its north-west; otherwise `nil`.
    ///
    /// Some servers state the number of existing tiles, and not the number from the corner on.
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
        upTo place: Extent, from corner: Coordinate, _ resolution: Resolution,
        _ matrix: WMTSCapabilities.MatrixSet.Matrix
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

    /// Returns the divisor that converts denominators to those for pixels of 0.28 mm: 1, unless all are for 96 dpi.
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

    /// Returns whether a denominator is that of the world in one tile, multiplied by a power of two.
    private static func isStep(_ denominator: Double) -> Bool {
        var ratio = worldDenominator / denominator
        guard ratio.isFinite, ratio > 1e-9 else { return false }
        while ratio > 1.5 { ratio /= 2 }
        while ratio < 0.75 { ratio *= 2 }
        return abs(ratio - 1) < 1e-4
    }

    /// Returns how many times the columns of a matrix span the world, or `nil` for a CRS without a repeating world.
    private func coverage(of matrix: WMTSCapabilities.MatrixSet.Matrix, in crs: CRS, unit: Double) -> Double? {
        guard let world = crs.worldWidth,
            let resolution = Resolution(scaleDenominator: matrix.scaleDenominator / unit, in: crs)
        else { return nil }
        return resolution.unitsPerPixel * Double(matrix.tileWidth) * Double(matrix.columnCount) / world
    }

    private func resolution(of matrix: WMTSCapabilities.MatrixSet.Matrix, in crs: CRS, unit: Double) -> Resolution? {
        if unit != 1, let world = crs.worldWidth {
            // Servers convert inches with different precision (39.37 per metre or 0.0254 m). The step of the pyramid is
            // exact.
            let wanted = matrix.scaleDenominator / unit / Self.worldDenominator
            var step = 1.0
            while step > wanted * 1.4, step > 1e-9 { step /= 2 }
            while step < wanted / 1.4, step < 1e9 { step *= 2 }
            return Resolution(unitsPerPixel: world / 256 * step)
        }
        if let world = crs.worldWidth, let coverage = coverage(of: matrix, in: crs, unit: unit),
            abs(coverage - 1) < 1e-6
        {
            // The columns span the whole world, and the denominator is rounded.
            return Resolution(unitsPerPixel: world / Double(matrix.tileWidth) / Double(matrix.columnCount))
        }
        return Resolution(scaleDenominator: matrix.scaleDenominator / unit, in: crs)
    }

    // MARK: Corners

    /// Returns whether corners have the opposite axis order of the CRS: if only then the tiles match the extent of the
    /// layer or the world.
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

    /// Returns the average common area of extent and matrices, as a fraction of the smaller one, 0 to 1.
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

extension WMTSCapabilities.MatrixSet.Matrix {
    fileprivate func corner(in crs: CRS, isSwapped: Bool) -> Coordinate {
        BoundingBoxWriter.corner(cornerFirst, cornerSecond, crs: crs, isSwapped: isSwapped)
    }
}
