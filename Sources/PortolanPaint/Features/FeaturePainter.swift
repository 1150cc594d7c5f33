import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanText

/// Draws the features of a layer: areas first, then lines, then marks, then labels.
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
    let fonts: FontBook

    /// Draws all features of the step, in each copy of the world that the view shows.
    func paint(on canvas: inout Canvas) throws(TextError) {
        for shift in step.worldShifts {
            guard let projection = PixelProjection(from: step.crs, to: viewport, shift: shift) else { continue }
            for pass in Pass.allCases {
                for feature in step.features {
                    guard let geometry = feature.feature.geometry else { continue }
                    try paint(geometry, of: feature, in: pass, projection, on: &canvas)
                }
            }
        }
    }

    private enum Pass: CaseIterable { case areas, casings, lines, marks, labels }

    private func paint(
        _ geometry: Geometry, of feature: StyledFeature, in pass: Pass, _ projection: PixelProjection,
        on canvas: inout Canvas
    ) throws(TextError) {
        let style = feature.style
        switch geometry.kind {
        case .collection:
            for child in geometry.children { try paint(child, of: feature, in: pass, projection, on: &canvas) }
            return
        case .polygon, .multiPolygon:
            if pass == .areas { paintAreas(geometry, style, projection, on: &canvas) }
        case .lineString, .multiLineString:
            if let stroke = style.stroke, pass == .casings || pass == .lines {
                paintLines(geometry, stroke, isCasing: pass == .casings, projection, on: &canvas)
            }
        case .point, .multiPoint:
            if pass == .marks { paintMarks(geometry, feature, projection, on: &canvas) }
        }
        if pass == .labels, let label = style.label {
            let painter = LabelPainter(fonts: fonts, pixelRatio: viewport.pixelRatio)
            if let point = anchor(of: geometry, projection) {
                try painter.paint(label, text: label.text(for: feature.feature.properties), at: point, on: &canvas)
            }
        }
    }

    private func paintAreas(
        _ geometry: Geometry, _ style: Style, _ projection: PixelProjection, on canvas: inout Canvas
    ) {
        let box = Rectangle(viewport.imageSize, margin: 2)
        for polygon in geometry.polygons {
            if let fill = style.fill {
                var path = Path()
                for ring in polygon {
                    let clipped = PolygonClipper.clip(projection.ring(ring), to: box)
                    let corners = LineSimplifier.simplifyRing(clipped, tolerance: Self.tolerance)
                    path.append(.polyline(corners.dropLast(), closed: true))
                }
                // Holes are those of the even-odd rule: files wind their rings as they like.
                canvas.fill(path, rule: .evenOdd, color: fill.color)
            }
            if let stroke = style.stroke {
                var path = Path()
                for ring in polygon {
                    add(
                        ring, to: &path, width: stroke.width, isRing: true, isDashed: !stroke.dashes.isEmpty, projection
                    )
                }
                canvas.stroke(path, style: stroke.strokeStyle(scale: viewport.pixelRatio), color: stroke.color)
            }
        }
    }

    private func paintLines(
        _ geometry: Geometry, _ stroke: LineSymbol, isCasing: Bool, _ projection: PixelProjection,
        on canvas: inout Canvas
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
        canvas.stroke(path, style: stroke.strokeStyle(scale: viewport.pixelRatio, width: width), color: color)
    }

    /// Adds the visible part of a line or of a ring's border.
    private func add(
        _ coordinates: ArraySlice<Coordinate>, to path: inout Path, width: Double, isRing: Bool, isDashed: Bool,
        _ projection: PixelProjection
    ) {
        // A mitre may reach four widths far.
        let box = Rectangle(viewport.imageSize, margin: 4 * width * viewport.pixelRatio + 2)
        for line in projection.lines(coordinates) {
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
        _ geometry: Geometry, _ feature: StyledFeature, _ projection: PixelProjection, on canvas: inout Canvas
    ) {
        guard let marker = feature.style.marker else { return }
        let painter = MarkerPainter(pixelRatio: viewport.pixelRatio)
        let image = feature.iconURL.flatMap { images[$0] }
        for coordinate in geometry.coordinates {
            guard let point = projection(coordinate), isNear(point) else { continue }
            switch marker {
            case .shape(let shape): painter.paint(shape, at: point, on: &canvas)
            case .icon(let icon):
                if let image { painter.paint(icon, image: image, at: point, on: &canvas) }
            }
            if feature.isSelected, step.selectionMarkSize > 0 {
                painter.paintSelection(
                    size: step.selectionMarkSize, above: point, reach: painter.height(of: marker, image: image),
                    on: &canvas)
            }
        }
    }

    /// Where a label goes: at a point, at the middle of a line, at the middle of an area's box.
    private func anchor(of geometry: Geometry, _ projection: PixelProjection) -> Point? {
        let coordinate: Coordinate? =
            switch geometry.kind {
            case .point, .multiPoint: geometry.coordinates.first
            case .lineString, .multiLineString: geometry.coordinates[safe: geometry.coordinates.count / 2]
            default: geometry.boundingBox?.center
            }
        return coordinate.flatMap { projection($0) }.flatMap { isNear($0) ? $0 : nil }
    }

    /// Whether a symbol at `point` can be seen.
    private func isNear(_ point: Point) -> Bool {
        Rectangle(viewport.imageSize, margin: FeatureStep.symbolReach * viewport.pixelRatio).contains(point)
    }
}

extension Array {
    /// The element at `index`, or `nil` when there is none.
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
