package import PortolanGeo
package import PortolanPlan
import PortolanRaster

extension Viewport {
    /// The view that shows all of an extent and nothing else, stretched where the picture has another shape than the extent.
    ///
    /// A stretched map is one in a system of its own, so that lines and letters keep their shape.
    ///
    /// - Throws: ``Problem`` where the system has no projection, or the extent cannot be shown.
    package static func showing(
        _ extent: Extent, in crs: CRS, width: Int, height: Int, key: String
    ) throws(Problem) -> Viewport {
        guard let size = ImageSize(width: width, height: height) else {
            throw Problem(.badRequest, "\(width)x\(height) is no size of a picture", key: key)
        }
        let across = extent.width / Double(width), down = extent.height / Double(height)
        var shown = extent, system = crs
        // Less than that nobody sees, and numbers are rounded when they are written.
        if abs(extent.height / across - Double(height)) >= 0.02 {
            guard let stretched = StretchedProjection(of: crs, by: across / down),
                let image = stretched.image(of: extent)
            else { throw Problem(.badRequest, "the shape of the picture is too far from that of the box", key: key) }
            (shown, system) = (image, stretched.system)
        }
        guard let resolution = Resolution(unitsPerPixel: across),
            let view = try? Viewport(center: shown.center, resolution: resolution, size: size, crs: system)
        else { throw Problem(.badRequest, "the box is too small or too large to be shown", key: key) }
        return view
    }
}

/// A projection of which y is stretched, so that pixels of the same sides show more or less of it.
private struct StretchedProjection: MapProjection {
    private let base: CRS
    private let factor: Double

    init?(of base: CRS, by factor: Double) {
        guard base.projection != nil, factor > 1e-6, factor < 1e6 else { return nil }
        self.base = base
        self.factor = factor
    }

    /// The system; degrees that are stretched are none.
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
