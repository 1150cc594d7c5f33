import PortolanGeo

/// The parts of a set's matrices with tiles, checked against the extent of the layer.
///
/// MapCache up to 1.14 counts the rows of its limits from the bottom. Such limits are on the opposite side of the
/// equator and would leave no tiles.
package struct WMTSLimits {
    /// The row order of limits.
    package enum Count: Hashable, Sendable {
        /// From the top, according to the standard, or if there is no evidence.
        case fromTop
        /// From the bottom: only then the limits match the extent of the layer.
        case fromBottom
        /// Neither order matches the extent of the layer.
        case unknown
        /// From the top or the bottom, as the extent of the layer matches both.
        case doubtful
    }

    /// The limits by matrix identifier, or `nil` without valid limits.
    private(set) var byMatrix: [String: WMTSCapabilities.Layer.Limits]?
    /// Whether matrices without limits have no tiles.
    private(set) var leavesOut = true
    /// The row order.
    private(set) var count = Count.fromTop
    private(set) var notes = ReaderNotes()

    /// Determines the limits of a layer in a matrix set.
    init(of layer: WMTSCapabilities.Layer, to set: WMTSCapabilities.MatrixSet) {
        let link = layer.links.first { $0.matrixSet == set.identifier }
        let limits = link?.limits ?? []
        if let count = link?.unusableLimitCount, count > 0 {
            notes.add(
                "\(count) limits of matrix set '\(set.identifier)' are invalid; ignored")
            leavesOut = false
        }
        guard !limits.isEmpty else { return }
        let identifiers = Set(set.matrices.map(\.identifier))
        var usable: [String: WMTSCapabilities.Layer.Limits] = [:], repeated: Set<String> = []
        for limit in limits {
            // Servers omit the prefix that they write before each identifier elsewhere, or add it here only.
            let prefix = set.identifier + ":"
            let bare = limit.matrix.hasPrefix(prefix) ? String(limit.matrix.dropFirst(prefix.count)) : limit.matrix
            let name = [limit.matrix, prefix + limit.matrix, bare].first { identifiers.contains($0) }
            guard let name else { continue }
            // Two limits of a matrix are two areas. The union requests too much rather than too little.
            guard let known = usable[name], known.rows != limit.rows || known.columns != limit.columns else {
                usable[name] = limit
                continue
            }
            repeated.insert(name)
            usable[name] = known.union(limit)
        }
        if let first = repeated.min() {
            let more = repeated.count > 1 ? " and \(repeated.count - 1) more" : ""
            notes.add(
                "several limits for matrix '\(first)'\(more) in matrix set '\(set.identifier)'; using their union"
            )
        }
        if usable.isEmpty {
            notes.add("the limits of matrix set '\(set.identifier)' name none of its matrices; ignored")
        } else {
            byMatrix = usable
        }
    }

    /// Checks the limits against the extent of the layer, and corrects or removes those outside of it.
    ///
    /// - Parameters:
    ///   - place: the layer's extent in the CRS of the matrices.
    ///   - matrices: all matrices of the set, without limits.
    mutating func weigh(against place: Extent, in matrices: [TileGrid.Matrix], of set: String) {
        guard let limits = byMatrix else { return }
        var asWritten = Agreement(), flipped = Agreement()
        for matrix in matrices {
            guard let limit = limits[matrix.id], let tiles = matrix.tiles(of: place) else { continue }
            asWritten.add(limit, tiles, of: matrix)
            flipped.add(limit.flipped(in: matrix), tiles, of: matrix)
        }
        // Levels with one tile, and limits of whole levels, match in both orders.
        if asWritten.isWhole, flipped.isWhole, asWritten.isInside, flipped.isInside {
            // A box of the whole world says nothing about a part of it.
            count = .doubtful
            for matrix in matrices {
                byMatrix?[matrix.id] = limits[matrix.id].map { $0.union($0.flipped(in: matrix)) }
            }
            notes.add(
                "the limits of matrix set '\(set)' are a part of the layer's box, so it is unclear whether their rows count from "
                    + "the top or the bottom; requesting the tiles of both")
            return
        }
        if asWritten.isWhole || (asWritten.meets && !flipped.isWhole) { return }
        if flipped.meets {
            count = .fromBottom
            for matrix in matrices { byMatrix?[matrix.id] = limits[matrix.id]?.flipped(in: matrix) }
            notes.add(
                "the limits of matrix set '\(set)' count rows from the bottom, according to the layer's box; corrected"
            )
        } else {
            count = .unknown
            byMatrix = nil
            notes.add("the limits of matrix set '\(set)' are outside the layer's box; ignored")
        }
    }

    /// The agreement of limits with the tiles in the layer's extent.
    private struct Agreement {
        /// Whether in each matrix the limits contain the extent, or the extent contains the limits.
        var isWhole = true
        /// Whether in each matrix the limits and the extent have tiles in common.
        var meets = true
        /// Whether the extent contains the limits of the last matrix and much more.
        var isInside = false

        mutating func add(
            _ limit: WMTSCapabilities.Layer.Limits, _ tiles: TileGrid.TileRange, of matrix: TileGrid.Matrix
        ) {
            let isMet = limit.rows.overlaps(tiles.rows) && limit.columns.overlaps(tiles.columns)
            meets = meets && isMet
            // The world in Mercator ends slightly beyond the boxes that services state.
            let slack = matrix.rowCount / 100, rows = tiles.rows
            isInside =
                limit.rows.lowerBound >= rows.lowerBound - slack && limit.rows.upperBound <= rows.upperBound + slack
                && limit.rows.count <= rows.count - rows.count / 4
            isWhole = isWhole && isMet && (limit.rows.contains(tiles.rows) || tiles.rows.contains(limit.rows))
        }
    }
}

extension WMTSCapabilities.Layer.Limits {
    /// Returns the smallest limits that contain both.
    func union(_ other: Self) -> Self {
        var union = self
        union.rows = min(rows.lowerBound, other.rows.lowerBound)...max(rows.upperBound, other.rows.upperBound)
        union.columns =
            min(columns.lowerBound, other.columns.lowerBound)...max(columns.upperBound, other.columns.upperBound)
        return union
    }

    fileprivate func flipped(in matrix: TileGrid.Matrix) -> Self {
        let last = matrix.rowCount - 1
        var flipped = self
        // Limits beyond the matrix are clamped with it. Hostile numbers must not overflow.
        let low = last.subtractingReportingOverflow(rows.upperBound)
        let high = last.subtractingReportingOverflow(rows.lowerBound)
        if !low.overflow, !high.overflow { flipped.rows = low.partialValue...high.partialValue }
        return flipped
    }
}

extension TileGrid.Matrix {
    /// Returns the tiles that intersect an extent, counted from the top left, or `nil` if none exist.
    fileprivate func tiles(of extent: Extent) -> TileGrid.TileRange? {
        TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: [self])?.tiles(level: 0, in: extent)
    }
}
