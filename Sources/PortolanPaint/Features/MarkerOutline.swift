import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// The outlines of the marker shapes, in style pixels relative to the marked point, with y down.
enum MarkerOutline {
    static func path(of shape: ShapeMarker.Shape, radius r: Double) -> Path {
        switch shape {
        case .circle: .circle(center: Point(x: 0, y: 0), radius: r)
        case .square: .rectangle(x: -r, y: -r, width: 2 * r, height: 2 * r)
        case .roundedSquare: roundedBox(Rectangle(minX: -r, minY: -r, maxX: r, maxY: r), radius: r / 2)
        case .triangle: polygon([(0, -1), (0.8660254037844386, 0.5), (-0.8660254037844386, 0.5)], r)
        case .star: polygon(star, r)
        case .cross: polygon(cross, r)
        case .x: polygon(cross.map { (x: ($0 - $1) * diagonal, y: ($0 + $1) * diagonal) }, r)
        case .pin: pin(r)
        case .arrow: polygon(arrow, r)
        case .flag: polygon(flag, r)
        }
    }

    /// The control distance of a cubic that approximates a quarter of a circle of radius 1.
    private static let quarter = 0.5522847498307934

    /// A box with corners that are quarter circles.
    static func roundedBox(_ box: Rectangle, radius: Double) -> Path {
        let r = min(radius, box.width / 2, box.height / 2), arm = (1 - quarter) * r
        guard r > 0 else { return .rectangle(x: box.minX, y: box.minY, width: box.width, height: box.height) }
        var path = Path()
        path.move(to: Point(x: box.minX + r, y: box.minY))
        func turn(_ x: Double, _ y: Double, _ from: (Double, Double), _ to: (Double, Double)) {
            path.line(to: Point(x: x + from.0 * r, y: y + from.1 * r))
            path.cubic(
                control1: Point(x: x + from.0 * arm, y: y + from.1 * arm),
                control2: Point(x: x + to.0 * arm, y: y + to.1 * arm), to: Point(x: x + to.0 * r, y: y + to.1 * r))
        }
        turn(box.maxX, box.minY, (-1, 0), (0, 1))
        turn(box.maxX, box.maxY, (0, -1), (-1, 0))
        turn(box.minX, box.maxY, (1, 0), (0, -1))
        turn(box.minX, box.minY, (0, 1), (1, 0))
        path.close()
        return path
    }

    /// A triangle with its base inside a disc or a square, and its tip outside.
    static func beak(_ beak: ShapeMarker.Beak, of shape: ShapeMarker.Shape, radius r: Double) -> Path? {
        guard r > 0, beak.length > 0, beak.length < 1e4, beak.direction.isFinite else { return nil }
        let (cosine, sine) = Bearing.axes(degrees: beak.direction)
        // A square extends farther at its corners, slightly less if they are rounded.
        let corner = shape == .circle ? 0 : (1 / max(abs(cosine), abs(sine)) - 1) * (shape == .square ? 1 : 0.5)
        return .polyline(
            [(0, r * (1 + corner) + beak.length), (0.8 * r, 0.6 * r), (-0.8 * r, 0.6 * r)].map { x, y in
                Point(x: x * cosine + y * sine, y: x * sine - y * cosine)
            }, closed: true)
    }

    private static let diagonal = 0.5.squareRoot()

    /// Ten corners on two circles; the inner radius is that of the pentagram.
    private static let star: [(x: Double, y: Double)] = [
        (0, -1), (0.22451398828979269, -0.30901699437494742), (0.95105651629515357, -0.30901699437494742),
        (0.36327126400268045, 0.11803398874989485), (0.58778525229247313, 0.80901699437494742),
        (0, 0.38196601125010515), (-0.58778525229247313, 0.80901699437494742),
        (-0.36327126400268045, 0.11803398874989485), (-0.95105651629515357, -0.30901699437494742),
        (-0.22451398828979269, -0.30901699437494742),
    ]

    /// A broad head on a shaft half as wide.
    private static let arrow: [(x: Double, y: Double)] = [
        (0, -1), (0.72, -0.1), (0.28, -0.1), (0.28, 0.9), (-0.28, 0.9), (-0.28, -0.1), (-0.72, -0.1),
    ]

    /// A pole with a notched flag.
    private static let flag: [(x: Double, y: Double)] = [
        (-0.15, 0), (-0.15, -3), (1.85, -2.8), (1.35, -2.15), (1.85, -1.5), (0.15, -1.5), (0.15, 0),
    ]

    /// A cross whose arms are four tenths of its size wide.
    private static let cross: [(x: Double, y: Double)] = {
        let arm = 0.28, reach = 0.96
        return [
            (-arm, -reach), (arm, -reach), (arm, -arm), (reach, -arm), (reach, arm), (arm, arm), (arm, reach),
            (-arm, reach), (-arm, arm), (-reach, arm), (-reach, -arm), (-arm, -arm),
        ]
    }()

    private static func polygon(_ corners: [(x: Double, y: Double)], _ r: Double) -> Path {
        .polyline(corners.map { Point(x: $0.x * r, y: $0.y * r) }, closed: true)
    }

    /// A drop: the upper part of a circle two radii above the tip, connected to the tip by two curves.
    private static func pin(_ r: Double) -> Path {
        let k = quarter * r, cy = -2 * r
        var path = Path()
        path.move(to: Point(x: 0, y: 0))
        path.cubic(
            control1: Point(x: -0.12 * r, y: -0.55 * r), control2: Point(x: -r, y: cy + 0.95 * r),
            to: Point(x: -r, y: cy))
        path.cubic(
            control1: Point(x: -r, y: cy - k), control2: Point(x: -k, y: cy - r), to: Point(x: 0, y: cy - r))
        path.cubic(control1: Point(x: k, y: cy - r), control2: Point(x: r, y: cy - k), to: Point(x: r, y: cy))
        path.cubic(
            control1: Point(x: r, y: cy + 0.95 * r), control2: Point(x: 0.12 * r, y: -0.55 * r), to: Point(x: 0, y: 0))
        path.close()
        return path
    }
}
