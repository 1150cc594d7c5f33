package import PortolanGeo
package import PortolanPlan
import PortolanRaster

extension Viewport {
    /// Returns the view of exactly an extent, stretched if the picture has another aspect ratio than the extent.
    ///
    /// A stretched view uses its own CRS, so that lines and letters keep their shape.
    ///
    /// - Throws: ``Problem`` if the CRS has no projection, or the extent cannot be shown.
    package static func showing(
        _ extent: Extent, in crs: CRS, width: Int, height: Int, key: String
    ) throws(Problem) -> Viewport {
        guard let size = ImageSize(width: width, height: height) else {
            throw Problem(.badRequest, "\(width)x\(height) is not a valid image size", key: key)
        }
        let across = extent.width / Double(width), down = extent.height / Double(height)
        var shown = extent, system = crs
        // Smaller differences are invisible, and coordinates in requests are rounded.
        if abs(extent.height / across - Double(height)) >= 0.02 {
            guard let stretched = StretchedProjection(of: crs, by: across / down),
                let image = stretched.image(of: extent)
            else { throw Problem(.badRequest, "the aspect ratios of the image and the box differ too much", key: key) }
            (shown, system) = (image, stretched.system)
        }
        guard let resolution = Resolution(unitsPerPixel: across),
            let view = try? Viewport(center: shown.center, resolution: resolution, size: size, crs: system)
        else { throw Problem(.badRequest, "the box is too small or too large", key: key) }
        return view
    }
}

/// A projection with scaled y, for pixels that are not square on the ground.
private struct StretchedProjection: MapProjection {
    private let base: CRS
    private let factor: Double

    init?(of base: CRS, by factor: Double) {
        guard base.projection != nil, factor > 1e-6, factor < 1e6 else { return nil }
        self.base = base
        self.factor = factor
    }

    /// The CRS of the stretched projection.
    ///
    /// It is not a longitude and latitude system, even if the base is.
    var system: CRS {
        CRS(
            name: "\(base.name) stretched by \(factor)", axisOrder: .eastNorth,
            unit: .length(meters: base.metersPerUnit), projection: self, datumShift: base.datumShift)
    }

    func image(of extent: Extent) -> Extent? {
        Extent(minX: extent.minX, minY: extent.minY * factor, maxX: extent.maxX, maxY: extent.maxY * factor)
    }

    var worldWidth: Double? { base.worldWidth }
    var worldExtent: Extent? { base.worldExtent.flatMap(image) }
    var domain: ProjectionDomain { base.domain ?? .everywhere }

    func forward(_ geographic: Coordinate) -> Coordinate? {
        base.projection?.project(geographic).map { Coordinate(x: $0.x, y: $0.y * factor) }
    }

    func inverse(_ projected: Coordinate) -> Coordinate? {
        base.projection?.unproject(Coordinate(x: projected.x, y: projected.y / factor))
    }
}
