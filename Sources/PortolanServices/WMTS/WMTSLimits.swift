import PortolanGeo

/// The parts of a set's matrices that have tiles, weighed against the box of the layer.
///
/// MapCache up to 1.14 counts the rows of its limits from the bottom. Such limits lie on the other side of the equator
/// and would leave no tiles at all.
package struct WMTSLimits {
    /// How the rows of limits are counted.
    package enum Count: Hashable, Sendable {
        /// From the top, as they should be, or as far as anything tells.
        case fromTop
        /// From the bottom: only so the limits are where the layer is.
        case fromBottom
        /// In no way that agrees with the layer's box.
        case unknown
    }

    /// The limits by the identifiers of the matrices they are for, or `nil` when there are none that make sense.
    private(set) var byMatrix: [String: WMTSLayer.Limits]?
    /// How their rows are counted.
    private(set) var count = Count.fromTop
    private(set) var notes = ReaderNotes()

    /// Finds the limits of a layer to a matrix set.
    init(of layer: WMTSLayer, to set: WMTSMatrixSet) {
        let link = layer.links.first { $0.matrixSet == set.identifier }
        let limits = link?.limits ?? []
        if let count = link?.unusableLimitCount, count > 0 {
            notes.add("\(count) of the limits of matrix set '\(set.identifier)' are not usable")
        }
        guard !limits.isEmpty else { return }
        let identifiers = Set(set.matrices.map(\.identifier))
        var usable: [String: WMTSLayer.Limits] = [:]
        for limit in limits {
            // Servers leave out the prefix that they write before each identifier elsewhere, or put it in here alone.
            let prefix = set.identifier + ":"
            let bare = limit.matrix.hasPrefix(prefix) ? String(limit.matrix.dropFirst(prefix.count)) : limit.matrix
            let name = [limit.matrix, prefix + limit.matrix, bare].first { identifiers.contains($0) }
            if let name { usable[name] = limit }
        }
        if usable.isEmpty {
            notes.add("the limits of matrix set '\(set.identifier)' name none of its matrices; they are ignored")
        } else {
            byMatrix = usable
        }
    }

    /// Weighs the limits against the place of the layer, and puts right or drops those that are elsewhere.
    ///
    /// - Parameters:
    ///   - place: the layer's box in the system of the matrices.
    ///   - matrices: all matrices of the set, without limits.
    mutating func weigh(against place: Extent, in matrices: [TileMatrix], of set: String) {
        guard let limits = byMatrix else { return }
        var asWritten = Agreement(), flipped = Agreement()
        for matrix in matrices {
            guard let limit = limits[matrix.id], let tiles = matrix.tiles(of: place) else { continue }
            asWritten.add(limit, tiles)
            flipped.add(limit.flipped(in: matrix), tiles)
        }
        // Levels of one tile, and limits that are whole levels, agree in both ways.
        if asWritten.isWhole || (asWritten.meets && !flipped.isWhole) { return }
        if flipped.meets {
            count = .fromBottom
            for matrix in matrices { byMatrix?[matrix.id] = limits[matrix.id]?.flipped(in: matrix) }
            notes.add(
                "the limits of matrix set '\(set)' count rows from the bottom, as the layer's box tells; they are turned"
            )
        } else {
            count = .unknown
            byMatrix = nil
            notes.add("the limits of matrix set '\(set)' lie beside the layer's box; they are ignored")
        }
    }

    /// How well limits agree with the tiles of the layer's box.
    private struct Agreement {
        /// Whether in each matrix the limits hold the box, or the box the limits.
        var isWhole = true
        /// Whether in each matrix limits and box have tiles in common.
        var meets = true

        mutating func add(_ limit: WMTSLayer.Limits, _ tiles: TileRange) {
            let isMet = limit.rows.overlaps(tiles.rows) && limit.columns.overlaps(tiles.columns)
            meets = meets && isMet
            isWhole = isWhole && isMet && (limit.rows.contains(tiles.rows) || tiles.rows.contains(limit.rows))
        }
    }
}

extension WMTSLayer.Limits {
    fileprivate func flipped(in matrix: TileMatrix) -> Self {
        let last = matrix.rowCount - 1
        var flipped = self
        // Limits beyond the matrix are clamped with it; products of hostile numbers must not overflow.
        let low = last.subtractingReportingOverflow(rows.upperBound)
        let high = last.subtractingReportingOverflow(rows.lowerBound)
        if !low.overflow, !high.overflow { flipped.rows = low.partialValue...high.partialValue }
        return flipped
    }
}

extension TileMatrix {
    /// The tiles that share area with an extent, counted from the top left, or `nil` when there are none.
    fileprivate func tiles(of extent: Extent) -> TileRange? {
        TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: [self])?.tiles(level: 0, in: extent)
    }
}
