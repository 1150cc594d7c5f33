import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// Gathers what the marks of points fill, so that labels keep clear of them.
struct MarkCollector {
    private struct Kind: Hashable {
        let marker: MarkerSymbol
        let image: ImageSize?
    }

    /// What is filled, the marks of selection included.
    private(set) var obstacles: [LabelObstacle] = []
    /// The box around the marks at each place.
    private(set) var boxes: [Point: Rectangle] = [:]
    private var extents: [Kind: Rectangle?] = [:]

    /// Adds the marks of a layer that can be seen.
    mutating func collect(_ step: FeatureStep, viewport: Viewport, images: [String: PixelBuffer]) {
        for shift in step.worldShifts {
            guard let projection = PixelProjection(from: step.crs, to: viewport, shift: shift) else { continue }
            for feature in step.features {
                guard let geometry = feature.feature.geometry else { continue }
                collect(geometry, feature, step, viewport, images, projection)
            }
        }
    }

    private mutating func collect(
        _ geometry: Geometry, _ feature: StyledFeature, _ step: FeatureStep, _ viewport: Viewport,
        _ images: [String: PixelBuffer], _ projection: PixelProjection
    ) {
        switch geometry.kind {
        case .collection:
            for child in geometry.children { collect(child, feature, step, viewport, images, projection) }
        case .point, .multiPoint:
            guard let marker = feature.style.marker else { return }
            let painter = MarkerPainter(pixelRatio: viewport.pixelRatio)
            let image = feature.iconURL.flatMap { images[$0] }
            guard let extent = extent(of: marker, image: image, painter) else { return }
            let picture = Rectangle(viewport.imageSize)
            for coordinate in geometry.coordinates {
                guard let point = projection(coordinate) else { continue }
                let box = extent.moved(x: point.x, y: point.y)
                guard box.overlaps(picture) else { continue }
                obstacles.append(LabelObstacle(box: box, place: point))
                boxes[point] = boxes[point]?.union(box) ?? box
                if feature.isSelected, step.selectionMarkSize > 0 {
                    let reach = painter.height(of: marker, image: image)
                    let mark = painter.selectionOutline(size: step.selectionMarkSize, above: point, reach: reach)
                    if let box = mark.boundingRectangle {
                        obstacles.append(
                            LabelObstacle(box: box.grown(by: 1.5 * viewport.pixelRatio), place: point))
                    }
                }
            }
        default: break
        }
    }

    private mutating func extent(
        of marker: MarkerSymbol, image: PixelBuffer?, _ painter: MarkerPainter
    ) -> Rectangle? {
        let kind = Kind(marker: marker, image: image?.size)
        if let known = extents[kind] { return known }
        let extent = painter.extent(of: marker, image: image)
        extents[kind] = .some(extent)
        return extent
    }
}
