import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// Computes the picture of joined elevations, a pixel for each sample.
struct TerrainPainter {
    let piece: TerrainPiece

    /// Returns the picture, clear without data; `nil` for lines.
    func pixels(_ look: TerrainLook) -> PixelBuffer? {
        switch look {
        case .hillshade(let shade, let formula, let factor):
            let shader = Hillshade.Shader(shade)
            return drawn(formula, factor) { shader.pixel(east: $0, north: $1) }
        case .slope(let ramp, let formula, let factor, let isPercent):
            return drawn(formula, factor) { east, north in
                let slope =
                    isPercent
                    ? 100 * (east * east + north * north).squareRoot()
                    : TerrainGradient.slope(east: east, north: north)
                return ramp.color(of: slope).pixel
            }
        case .aspect(let ramp, let formula):
            return drawn(formula, 1) { east, north in
                TerrainGradient.aspect(east: east, north: north).map { ramp.color(of: $0).pixel } ?? .clear
            }
        case .colorRelief(let ramp):
            return picture { column, row in
                let value = piece.grid.values[row * piece.grid.width + column]
                return value.isNaN ? .clear : ramp.color(of: Double(value)).pixel
            }
        case .styleShade(let light): return shaded(light)
        case .contours: return nil
        }
    }

    private func drawn(
        _ formula: TerrainGradient.Formula, _ factor: Double, _ pixel: (Double, Double) -> Pixel
    ) -> PixelBuffer? {
        let gradient = TerrainGradient(piece.grid, spacing: piece.spacing, formula: formula, factor: factor)
        return picture { column, row in gradient(column, row).map { pixel($0.east, $0.north) } ?? .clear }
    }

    /// Returns the shades of a style.
    private func shaded(_ light: ReliefLight) -> PixelBuffer? {
        let window = piece.window, factor = ReliefLight.factor(atZoom: window.zoom)
        var spacing = piece.spacing, scales = [Double](repeating: 1, count: piece.grid.height)
        if window.crs.hasCoordinates(of: .webMercator),
            let toDegrees = try? CoordinateTransform(from: window.crs, to: .crs84)
        {
            // MapLibre measures in units of the projection, and corrects for the latitude afterwards.
            spacing = GroundSpacing(
                eastward: window.resolution.x, southward: window.resolution.y, rowCount: piece.grid.height)
            for row in scales.indices {
                let y = window.topLeft.y - (Double(row) + 0.5) * window.resolution.y
                let place = toDegrees(Coordinate(x: window.topLeft.x, y: y))
                scales[row] = place.map { max(Libm.cosine($0.y * .pi / 180), 1e-3) } ?? 1
            }
        }
        let gradient = TerrainGradient(piece.grid, spacing: spacing, factor: factor)
        return picture { column, row in
            guard let rise = gradient(column, row) else { return .clear }
            return light.color(east: rise.east, north: rise.north, scale: scales[row]).pixel
        }
    }

    private func picture(_ pixel: (_ column: Int, _ row: Int) -> Pixel) -> PixelBuffer? {
        guard let size = ImageSize(width: piece.grid.width, height: piece.grid.height) else { return nil }
        var pixels: [UInt32] = []
        pixels.reserveCapacity(size.pixelCount)
        for row in 0..<size.height {
            for column in 0..<size.width { pixels.append(pixel(column, row).bits) }
        }
        return PixelBuffer(size: size, pixels: pixels)
    }
}
