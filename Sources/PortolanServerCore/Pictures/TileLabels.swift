import Portolan
import PortolanFetch
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import Synchronization

/// The position of a tile, or of a block of tiles, in a grid whose labels are placed by cells.
package struct TilePosition: Hashable, Sendable {
    /// The identifier of the grid among those of the map.
    let id: String
    /// The grid, with rows from the north.
    let grid: TileGrid
    /// The zoom level, the first column, and the first row from the north.
    let level: Int, column: Int, row: Int
    /// The number of tiles.
    var columns = 1, rows = 1
    /// The pixel ratio of the tile.
    let ratio: Double
    /// The distance that a label may extend beyond its cell, in view pixels.
    let reach: Int
}

/// The labels of tiles.
///
/// Those of each cell are placed once and cached for all of its tiles.
final class TileLabels: TrimmableCache {
    /// The identity of the labels of a cell.
    private struct Key: Hashable {
        let map: String, revision: String, layers: String
        let grid: String, level: Int, ratio: Double, reach: Int
        let cell: LabelGrid.Cell
    }

    /// The maximum size of cached labels in bytes.
    private static let byteBudget = 64 << 20

    private let kept = Mutex(LeastRecentlyUsed<Key, LabelledCell>(maximumCost: byteBudget, maximumCount: nil))
    private let shared = SharedWork<Key, LabelledCell?>()

    /// The labels of a tile and their dependencies.
    struct Outcome {
        var labels = PlacedLabels()
        var hasHoles = false
        var validity = ContentValidity()
    }

    /// Returns the labels of a tile.
    ///
    /// Where labels of two cells collide, those of the cell with the higher rank win, in each tile that shows them.
    ///
    /// - Parameters:
    ///   - threads: the threads that place them.
    ///   - now: the time in seconds since 1970.
    func labels(
        of request: PictureRequest, at place: TilePosition, options: RenderOptions, on threads: RenderThreads, now: Int
    ) async -> Outcome {
        let grid = LabelGrid(place.grid, level: place.level, ratio: place.ratio, reach: place.reach)
        let tile = grid.frame(ofTiles: place), reach = Double(place.reach) * place.ratio
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
        let near = grid.cells(near: tile, within: reach)
        // Cells are independent, so that all threads can place them at the same time.
        await withTaskGroup(of: Void.self) { group in
            for own in near.dropFirst() {
                group.addTask {
                    _ = await self.labels(of: grid.original(of: own), in: grid, request, place, options, threads, now)
                }
            }
        }
        for own in near {
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

    /// Returns the labels of a cell, cached or placed now, or `nil` if they cannot be placed.
    private func labels(
        of cell: LabelGrid.Cell, in grid: LabelGrid, _ request: PictureRequest, _ place: TilePosition,
        _ options: RenderOptions, _ threads: RenderThreads, _ now: Int
    ) async -> LabelledCell? {
        let key = Key(
            map: request.map.name, revision: request.map.revision, layers: request.key, grid: place.id,
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
