import PortolanFeatures
import PortolanRaster

/// The outlines of the marker shapes, in style pixels about the point they mark, y down.
enum MarkerOutline {
    static func path(of shape: MarkerShape, radius r: Double) -> Path {
        switch shape {
        case .circle: .circle(center: Point(x: 0, y: 0), radius: r)
        case .square: .rectangle(x: -r, y: -r, width: 2 * r, height: 2 * r)
        case .triangle: polygon([(0, -1), (0.8660254037844386, 0.5), (-0.8660254037844386, 0.5)], r)
        case .star: polygon(star, r)
        case .cross: polygon(cross, r)
        case .x: polygon(cross.map { (x: ($0 - $1) * diagonal, y: ($0 + $1) * diagonal) }, r)
        case .pin: pin(r)
        }
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

    /// A drop: the upper part of a circle two radii above the tip, drawn out to the tip by two curves.
    private static func pin(_ r: Double) -> Path {
        // The arm of a cubic that stands for a quarter circle.
        let k = 0.5522847498307934 * r, cy = -2 * r
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
