import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanWeb

/// Leaves out the marks of points that the border of an atlas page cuts, if another page shows them whole.
///
/// The names of these points are left out as well. Points of style sheets stay, since their marks and names are in
/// separate layers.
struct WholeMarks {
    let viewport: Viewport
    /// The corners of the maps of other pages in picture pixels.
    let others: [[Point]]
    let images: [NamedURL: PixelBuffer]

    /// Returns the scene without cut marks.
    ///
    /// - Complexity: O(features in view).
    func scene(_ scene: Scene) -> Scene {
        guard !others.isEmpty else { return scene }
        var scene = scene
        for number in scene.layers.indices {
            scene.layers[number].nodes = scene.layers[number].nodes.map(whole)
        }
        return scene
    }

    private func whole(_ node: Scene.Node) -> Scene.Node {
        switch node {
        case .mosaic, .points: node
        case .features(let step): .features(whole(step))
        case .group(let opacity, let nodes): .group(opacity: opacity, nodes.map(whole))
        }
    }

    private func whole(_ step: Scene.FeatureStep) -> Scene.FeatureStep {
        guard step.content.source.sheet == nil, step.content.source.tileZoom == nil, step.mayHaveSymbols,
            let shapes = FeatureShapes(step, in: viewport)
        else { return step }
        let looks = PixelStyles(step, viewport: viewport, images: images), picture = Rectangle(viewport.imageSize)
        var cut: Set<Int> = []
        for shift in step.worldShifts {
            let projection = PixelProjection(shapes.transform, to: viewport, shift: shift)
            for (index, run) in shapes.runs.enumerated() where run.first + 1 == run.end {
                let shape = shapes.columns[Int(run.block)].shapes[Int(run.first)]
                guard shape.kind == .points, shape.firstPart + 1 == shape.endPart,
                    let symbol = looks.all[looks.number(ofFeature: index)].symbol
                else { continue }
                let range = shapes.columns[Int(run.block)].range(ofPart: Int(shape.firstPart))
                guard range.count == 1, let place = range.first,
                    let point = shapes.point(Int(run.block), place, projection),
                    let extent = looks.markers.extent(
                        of: symbol, image: looks.image(ofIcon: step.shown[index].icon) ?? symbol.ownImage)
                else { continue }
                let box = extent.moved(x: point.x, y: point.y)
                guard box.overlaps(picture), !picture.encloses(box) else { continue }
                // Pages may be rotated.
                let reach = [extent.minX, extent.minY, extent.maxX, extent.maxY].map(abs).max() ?? 0
                if others.contains(where: { Self.isInside(point, $0, by: 1.5 * reach) }) { cut.insert(index) }
            }
        }
        return cut.isEmpty ? step : step.filtered { !cut.contains($0) }
    }

    /// Returns whether a point is inside a convex polygon by a distance.
    static func isInside(_ point: Point, _ corners: [Point], by distance: Double) -> Bool {
        let depths = zip(corners, corners.dropFirst() + corners.prefix(1)).map { start, end in
            let x = end.x - start.x, y = end.y - start.y, length = (x * x + y * y).squareRoot()
            return (x * (point.y - start.y) - y * (point.x - start.x)) / max(length, 1e-9)
        }
        return depths.allSatisfy { $0 >= distance } || depths.allSatisfy { $0 <= -distance }
    }
}
