import Portolan
import PortolanFetch
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Synchronization

/// Where a tile lies in a grid whose labels are placed by cells.
package struct TilePosition: Hashable, Sendable {
    /// The identifier of the grid.
    let grid: String
    /// The level, the column, and the row from the top.
    let level: Int, column: Int, row: Int
    /// How dense the tile is.
    let ratio: Int
    /// How far a label may lie beyond its cell, in view pixels.
    let reach: Int
}

/// The labels of tiles: those of each cell are placed once and kept for all of its tiles.
final class TileLabels: TrimmableCache {
    /// What tells the labels of a cell from all others.
    private struct Key: Hashable {
        let map: String, revision: String, layers: String
        let grid: String, level: Int, ratio: Int, reach: Int
        let cell: LabelGrid.Cell
    }

    /// The most bytes of labels that are kept.
    private static let byteBudget = 64 << 20

    private let kept = Mutex(LeastRecentlyUsed<Key, LabelledCell>(maximumCost: byteBudget, maximumCount: nil))
    private let shared = SharedWork<Key, LabelledCell?>()

    /// The labels of a tile, and what they depend on.
    struct Outcome {
        var labels = PlacedLabels()
        var hasHoles = false
        var validity = ContentValidity()
    }

    /// The labels of a tile.
    ///
    /// Where the labels of two cells meet, those of the cell of higher rank go first, as in each tile that shows them.
    ///
    /// - Parameters:
    ///   - threads: what they are placed on.
    ///   - now: the time in seconds since 1970.
    func labels(
        of request: PictureRequest, at place: TilePosition, options: RenderOptions, on threads: RenderThreads, now: Int
    ) async -> Outcome {
        guard let served = ServedTileGrid.named(place.grid) else { return Outcome() }
        let grid = LabelGrid(served.grid, level: place.level, ratio: place.ratio, reach: place.reach)
        let tile = grid.frame(ofTile: place.column, place.row), reach = Double(place.reach * place.ratio)
        var outcome = Outcome(), known: [LabelGrid.Cell: LabelledCell] = [:]
        func cell(_ cell: LabelGrid.Cell) async -> LabelledCell? {
            if let found = known[cell] { return found }
            let found = await labels(of: grid.original(of: cell), in: grid, request, place, options, threads, now)
            outcome.hasHoles = outcome.hasHoles || found?.hasHoles ?? true
            if let found {
                outcome.validity.formIntersection(found.validity)
                known[cell] = found
            }
            return found
        }
        for own in grid.cells(near: tile, within: reach) {
            guard let labelled = await cell(own) else { continue }
            let frame = grid.frame(of: own), part = tile.moved(x: -frame.minX, y: -frame.minY)
            guard let bounds = labelled.labels.bounds(touching: part)?.moved(x: frame.minX, y: frame.minY) else {
                continue
            }
            var first: [(cell: CellLabels, corner: Point)] = []
            for other in grid.cells(near: bounds, within: 2 * reach) where other.rank > own.rank {
                guard let neighbour = await cell(other) else { continue }
                let corner = grid.frame(of: other)
                first.append((neighbour.labels, Point(x: corner.minX - frame.minX, y: corner.minY - frame.minY)))
            }
            outcome.labels.add(labelled.labels.labels(in: part, after: first))
        }
        return outcome
    }

    /// The labels of a cell, kept or placed now; `nil` where they cannot be placed.
    private func labels(
        of cell: LabelGrid.Cell, in grid: LabelGrid, _ request: PictureRequest, _ place: TilePosition,
        _ options: RenderOptions, _ threads: RenderThreads, _ now: Int
    ) async -> LabelledCell? {
        let key = Key(
            map: request.map.name, revision: request.map.revision, layers: request.key, grid: place.grid,
            level: place.level, ratio: place.ratio, reach: place.reach, cell: cell)
        if let found = kept.withLock({ $0.value(for: key) }), found.validity.holds(at: now) { return found }
        guard let viewport = grid.viewport(of: cell) else { return nil }
        let found = await shared.value(for: key) { finish in
            Task(executorPreference: threads) {
                let found = try? await request.map.renderer.labels(
                    of: request.layers, inCellOf: viewport, margin: grid.margin, reach: grid.reach, options: options)
                if let found, !found.hasHoles, found.validity.holds(at: now) {
                    self.kept.withLock { _ = $0.insert(found, for: key, cost: found.labels.byteCount + 500) }
                }
                finish(found)
            }
        }
        return found ?? nil
    }

    var byteCount: Int { kept.withLock { $0.cost } }

    func trim(to byteCount: Int) { kept.withLock { _ = $0.trim(toCost: byteCount) } }
}
