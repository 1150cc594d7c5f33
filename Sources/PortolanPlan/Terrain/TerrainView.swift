import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// The elevations of a view.
struct TerrainView {
    /// The needed tiles.
    var plan: LayerPlan
    /// Whether tiles are pending.
    var isWaiting = false
    /// The joined elevations; several if the world is seen several times.
    var pieces: [TerrainPiece] = []

    /// The lowest and the highest elevation, or `nil` without data.
    var range: ClosedRange<Double>? {
        let ranges = pieces.compactMap(\.range)
        guard let low = ranges.map(\.lowerBound).min(), let high = ranges.map(\.upperBound).max() else { return nil }
        return Double(low)...Double(high)
    }
}

/// Joined elevations, and their spacing on the ground.
final class TerrainPiece: Sendable {
    let window: TerrainWindow
    let grid: RasterValues
    let spacing: GroundSpacing
    let range: ClosedRange<Float>?

    init(_ window: TerrainWindow, _ grid: RasterValues) {
        self.window = window
        self.grid = grid
        range = grid.range
        spacing = GroundSpacing(
            crs: window.crs,
            topLeft: Coordinate(
                x: window.topLeft.x + window.resolution.x / 2, y: window.topLeft.y - window.resolution.y / 2),
            resolution: window.resolution, columnCount: grid.width, rowCount: grid.height)
    }
}
