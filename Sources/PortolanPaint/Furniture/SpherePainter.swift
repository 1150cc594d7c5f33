import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// Paints the earth's disc or sheet in a view: the whole domain of the map's projection.
struct SpherePainter {
    private static let lineWidth = 1.2

    let viewport: Viewport

    /// Fills the domain; all of the picture if it has no edge.
    func fill(_ color: MapColor, on canvas: inout some PaintTarget) {
        let box = Rectangle(viewport.imageSize, margin: -2)
        guard let edge else {
            canvas.fill(Path(Rectangle(viewport.imageSize)), color: color)
            return
        }
        let ring = PolygonClipper.clip(edge, to: box)
        guard ring.count > 2 else { return }
        canvas.fill(Path.polyline(ring), color: color)
    }

    /// Draws the edge of the domain, if it has one.
    func stroke(_ color: MapColor, on canvas: inout some PaintTarget) {
        let pieces = edgeInPicture
        guard !pieces.isEmpty else { return }
        var path = Path()
        for piece in pieces { path.append(.polyline(piece)) }
        canvas.stroke(path, style: StrokeStyle(width: lineWidth, join: .round), color: color)
    }

    private var lineWidth: Double { Self.lineWidth * viewport.pixelRatio }

    /// The pieces of the edge in the picture; empty if the domain has none.
    var edgeInPicture: [[Point]] {
        guard let edge else { return [] }
        return LineClipper.clip(edge, to: Rectangle(viewport.imageSize, margin: -2 * lineWidth))
    }

    /// The box of the edge of a world that does not repeat, in picture pixels, or `nil`.
    var box: Rectangle? { viewport.crs.outline == nil ? nil : edge.flatMap { Path.polyline($0).boundingRectangle } }

    /// Returns whether the edge of a world that does not repeat runs through a box in picture pixels.
    func edgeRuns(through box: Rectangle) -> Bool { edgeLength(in: box) > 0 }

    /// Returns the length of the edge of a world that does not repeat in a box, in picture pixels.
    func edgeLength(in box: Rectangle) -> Double {
        guard viewport.crs.outline != nil, let edge else { return 0 }
        return LineClipper.clip(edge, to: box).reduce(0) { $0 + MeasuredLine($1).length }
    }

    /// The edge in picture pixels as a closed ring, or `nil` if the domain has none.
    ///
    /// A repeating world has only an edge at the top and bottom.
    private var edge: [Point]? {
        if let outline = viewport.crs.outline { return outline.map(viewport.imagePixel) }
        guard viewport.crs.worldWidth != nil, let world = viewport.crs.worldExtent else { return nil }
        let margin = 16 * viewport.imageResolution, seen = viewport.extent
        let west = seen.minX - margin, east = seen.maxX + margin
        return [(west, world.minY), (east, world.minY), (east, world.maxY), (west, world.maxY), (west, world.minY)].map
        {
            viewport.imagePixel(of: Coordinate(x: $0.0, y: $0.1))
        }
    }
}
