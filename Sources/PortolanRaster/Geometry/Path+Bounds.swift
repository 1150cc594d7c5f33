extension Path {
    /// The smallest upright rectangle around the path itself, curves included, or `nil` when the path has no point.
    ///
    /// Points that are not finite are left out.
    public var boundingRectangle: Rectangle? {
        var rectangle: Rectangle?
        func include(_ point: Point) {
            guard point.isFinite else { return }
            if rectangle == nil {
                rectangle = Rectangle(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
            } else {
                rectangle?.include(point)
            }
        }
        var current = Point(x: 0, y: 0)
        for element in elements {
            switch element {
            case .move(let end), .line(let end):
                include(end)
                current = end
            case .quad(let control, let end):
                include(end)
                // A quadratic is the cubic with its arms at two thirds.
                let curve = CubicCurve(
                    current, current.toward(control, fraction: 2.0 / 3), end.toward(control, fraction: 2.0 / 3), end)
                curve.turningPoints(include)
                current = end
            case .cubic(let control1, let control2, let end):
                include(end)
                CubicCurve(current, control1, control2, end).turningPoints(include)
                current = end
            case .close: break
            }
        }
        return rectangle
    }
}
