import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// Draws the shapes of a layer's features: areas first, then lines, then marks; labels come later, over all layers.
///
/// All casings of lines come before all lines, so that lines of one layer flow into each other where they meet. What lies
/// outside the picture is cut off and what cannot be seen is left out before anything is stroked, so that the cost
/// follows the picture and not the file.
struct FeaturePainter {
    /// How far a line got may be from the line given, in picture pixels; not to be seen.
    private static let tolerance = 0.2

    let step: FeatureStep
    let viewport: Viewport
    let images: [String: PixelBuffer]

    /// How many features make one drawing.
    private static let featuresInDrawing = 256

    /// Draws all features of the step, in each copy of the world that the view shows: gives drawings to be painted in
    /// turn, made by up to `threads` threads.
    func forEachDrawing(threads: Int, _ body: (Drawing) -> Void) {
        let features = step.features, size = Self.featuresInDrawing
        for shift in step.worldShifts {
            guard let projection = PixelProjection(from: step.crs, to: viewport, shift: shift) else { continue }
            for pass in Pass.allCases {
                // No more drawings lie in memory than there are threads.
                for start in stride(from: 0, to: features.count, by: size * max(threads, 1)) {
                    let rest = features[start...].prefix(size * max(threads, 1))
                    let drawings = Concurrent.map((rest.count + size - 1) / size) { index in
                        drawing(rest.dropFirst(index * size).prefix(size), in: pass, projection)
                    }
                    drawings.forEach(body)
                }
            }
        }
    }

    private func drawing(
        _ features: ArraySlice<StyledFeature>, in pass: Pass, _ projection: PixelProjection
    ) -> Drawing {
        var drawing = Drawing()
        for feature in features {
            guard let geometry = feature.feature.geometry else { continue }
            paint(geometry, of: feature, in: pass, projection, into: &drawing)
        }
        return drawing
    }

    private enum Pass: CaseIterable { case areas, casings, lines, marks }

    private func paint(
        _ geometry: Geometry, of feature: StyledFeature, in pass: Pass, _ projection: PixelProjection,
        into drawing: inout Drawing
    ) {
        let style = feature.style
        switch geometry.kind {
        case .collection:
            for child in geometry.children { paint(child, of: feature, in: pass, projection, into: &drawing) }
            return
        case .polygon, .multiPolygon:
            if pass == .areas { paintAreas(geometry, style, projection, into: &drawing) }
        case .lineString, .multiLineString:
            if let stroke = style.stroke, pass == .casings || pass == .lines {
                paintLines(geometry, stroke, isCasing: pass == .casings, projection, into: &drawing)
            }
        case .point, .multiPoint:
            if pass == .marks { paintMarks(geometry, feature, projection, into: &drawing) }
        }
    }

    private func paintAreas(
        _ geometry: Geometry, _ style: Style, _ projection: PixelProjection, into drawing: inout Drawing
    ) {
        let box = Rectangle(viewport.imageSize, margin: 2)
        for polygon in geometry.polygons {
            if let fill = style.fill {
                var path = Path()
                for ring in polygon {
                    let clipped = PolygonClipper.clip(projection.ring(ring, near: box), to: box)
                    let corners = LineSimplifier.simplifyRing(clipped, tolerance: Self.tolerance)
                    path.append(.polyline(corners.dropLast(), closed: true))
                }
                // Holes are those of the even-odd rule: files wind their rings as they like.
                drawing.fill(path, rule: .evenOdd, color: fill.color)
            }
            if let stroke = style.stroke {
                var path = Path()
                for ring in polygon {
                    add(
                        ring, to: &path, width: stroke.width, isRing: true, isDashed: !stroke.dashes.isEmpty, projection
                    )
                }
                drawing.stroke(path, style: stroke.strokeStyle(scale: viewport.pixelRatio), color: stroke.color)
            }
        }
    }

    private func paintLines(
        _ geometry: Geometry, _ stroke: LineSymbol, isCasing: Bool, _ projection: PixelProjection,
        into drawing: inout Drawing
    ) {
        let width: Double, color: Color
        if isCasing {
            guard let casing = stroke.casing else { return }
            (width, color) = (casing.width, casing.color)
        } else {
            (width, color) = (stroke.width, stroke.color)
        }
        var path = Path()
        for line in geometry.parts {
            add(line, to: &path, width: width, isRing: false, isDashed: !stroke.dashes.isEmpty, projection)
        }
        guard !path.isEmpty else { return }
        drawing.stroke(path, style: stroke.strokeStyle(scale: viewport.pixelRatio, width: width), color: color)
    }

    /// Adds the visible part of a line or of a ring's border.
    private func add(
        _ coordinates: ArraySlice<Coordinate>, to path: inout Path, width: Double, isRing: Bool, isDashed: Bool,
        _ projection: PixelProjection
    ) {
        // A mitre may reach four widths far.
        let box = Rectangle(viewport.imageSize, margin: 4 * width * viewport.pixelRatio + 2)
        // Dashes are counted from a line's beginning, which may be out of sight.
        for line in isDashed ? projection.lines(coordinates) : projection.lines(coordinates, near: box) {
            if isRing, line.first == line.last, line.allSatisfy(box.contains) {
                let corners = LineSimplifier.simplifyRing(line, tolerance: Self.tolerance)
                path.append(.polyline(corners.dropLast(), closed: true))
                continue
            }
            if isDashed {
                // The stroker cuts dashed lines itself, and keeps their dashes where they are on the ground.
                path.append(.polyline(LineSimplifier.simplify(line, tolerance: Self.tolerance)))
                continue
            }
            for piece in LineClipper.clip(line, to: box) {
                path.append(.polyline(LineSimplifier.simplify(piece, tolerance: Self.tolerance)))
            }
        }
    }

    private func paintMarks(
        _ geometry: Geometry, _ feature: StyledFeature, _ projection: PixelProjection, into drawing: inout Drawing
    ) {
        guard let marker = feature.style.marker else { return }
        let painter = MarkerPainter(pixelRatio: viewport.pixelRatio)
        let image = feature.iconURL.flatMap { images[$0] }
        for coordinate in geometry.coordinates {
            guard let point = projection(coordinate), isNear(point) else { continue }
            switch marker {
            case .shape(let shape): painter.paint(shape, at: point, into: &drawing)
            case .icon(let icon):
                if let image { painter.paint(icon, image: image, at: point, into: &drawing) }
            }
            if feature.isSelected, step.selectionMarkSize > 0 {
                painter.paintSelection(
                    size: step.selectionMarkSize, above: point, reach: painter.height(of: marker, image: image),
                    into: &drawing)
            }
        }
    }

    /// Whether a symbol at `point` can be seen.
    private func isNear(_ point: Point) -> Bool {
        Rectangle(viewport.imageSize, margin: FeatureStep.symbolReach * viewport.pixelRatio).contains(point)
    }
}
