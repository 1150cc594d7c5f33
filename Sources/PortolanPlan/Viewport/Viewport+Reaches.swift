package import PortolanGeo
package import PortolanRaster

/// A coordinate and the box drawn around it, in view pixels.
package struct PointReach: Sendable {
    /// The coordinate, in units of the map's CRS.
    package var place: Coordinate
    /// The box of the drawing, relative to the coordinate.
    package var box: Rectangle

    package init(place: Coordinate, box: Rectangle) {
        self.place = place
        self.box = box
    }
}

extension Viewport {
    /// Returns the view moved, and zoomed out as little as necessary, so that the drawings at a number of coordinates
    /// are fully visible and a box keeps its padding.
    ///
    /// The view is unchanged if all are visible.
    ///
    /// - Parameters:
    ///   - box: the box to which the view was fitted, with `padding` view pixels around it.
    ///   - foot: the covered height at the bottom of the picture.
    ///   - margin: the free view pixels around the drawings.
    /// - Returns: `nil` if they are too large for the picture at any scale.
    /// - Complexity: O(reaches), a hundred times that if something is cut off.
    package func showing(
        _ reaches: [PointReach], around box: BoundingBox, padding: Double, foot: Double, margin: Double
    ) -> Viewport? {
        let width = Double(size.width), height = max(Double(size.height) - foot, 1)
        let (cosine, sine) = upAxis
        var items: [(u: Double, v: Double, box: Rectangle)] = []
        func add(_ place: Coordinate, _ box: Rectangle) {
            items.append((place.x * cosine - place.y * sine, -place.y * cosine - place.x * sine, box))
        }
        let frame = Rectangle(minX: -padding, minY: -padding, maxX: padding, maxY: padding)
        for x in [box.minX, box.maxX] { for y in [box.minY, box.maxY] { add(Coordinate(x: x, y: y), frame) } }
        for reach in reaches {
            var place = reach.place
            if let world = crs.worldWidth { place.x += ((box.center.x - place.x) / world).rounded() * world }
            // Content beyond the end of the map is never visible.
            let edge = resolution.unitsPerPixel
            guard place.x >= box.minX - edge, place.x <= box.maxX + edge, place.y >= box.minY - edge,
                place.y <= box.maxY + edge
            else { continue }
            let drawn = reach.box
            add(
                place,
                Rectangle(
                    minX: drawn.minX - margin, minY: drawn.minY - margin, maxX: drawn.maxX + margin,
                    maxY: drawn.maxY + margin))
        }
        let isWhole = items.dropFirst(4).allSatisfy { item in
            let centre = (u: center.x * cosine - center.y * sine, v: -center.y * cosine - center.x * sine)
            let x = (item.u - centre.u) / resolution.unitsPerPixel + width / 2
            let y = (item.v - centre.v) / resolution.unitsPerPixel + Double(size.height) / 2
            return x + item.box.minX >= 0 && x + item.box.maxX <= width && y + item.box.minY >= 0
                && y + item.box.maxY <= height
        }
        guard !isWhole else { return self }
        /// The size of all drawings at a number of pixels per unit.
        func span(_ scale: Double) -> Rectangle {
            var span = Rectangle(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
            for item in items {
                span.minX = min(span.minX, item.u * scale + item.box.minX)
                span.maxX = max(span.maxX, item.u * scale + item.box.maxX)
                span.minY = min(span.minY, item.v * scale + item.box.minY)
                span.maxY = max(span.maxY, item.v * scale + item.box.maxY)
            }
            return span
        }
        func fits(_ scale: Double) -> Bool {
            let span = span(scale)
            return span.width <= width && span.height <= height
        }
        // Finds the largest sufficient scale, between that of the view and one at which all coordinates coincide.
        var high = 1 / resolution.unitsPerPixel, low = high / 1e9
        guard fits(low) else { return nil }
        if fits(high) { low = high }
        for _ in 0..<96 where low < high {
            let middle = (low * high).squareRoot()
            if fits(middle) { low = middle } else { high = middle }
        }
        guard let fitted = Resolution(unitsPerPixel: 1 / low) else { return nil }
        let whole = span(low), u = (whole.minX + whole.maxX) / 2 / low, v = (whole.minY + whole.maxY + foot) / 2 / low
        return try? with(center: Coordinate(x: u * cosine - v * sine, y: -u * sine - v * cosine), resolution: fitted)
    }
}
