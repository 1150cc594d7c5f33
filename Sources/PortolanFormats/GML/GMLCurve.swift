import PortolanFeatures
import PortolanGeo
import PortolanXML

/// Approximates the curves of GML 3 (OGC 07-036 clause 10.4) by chords.
enum GMLCurve {
    /// Adds the coordinates of a curve, a ring or a segment to the open part.
    static func add(_ element: XMLElement, _ outer: GMLNotation, to builder: inout GeometryBuilder) {
        let notation = outer.inside(element)
        switch element.word {
        case .curve, .segments, .compositeCurve, .ring, .curveMember, .curveMembers, .segmentMember:
            // In documents that mix GML versions, positions may be direct children of the curve.
            for child in element.children { add(child, notation, to: &builder) }
        case .orientableCurve, .baseCurve:
            guard element.attribute("orientation") == "-" else {
                for child in element.children { add(child, notation, to: &builder) }
                return
            }
            var line = GeometryBuilder()
            for child in element.children { add(child, notation, to: &line) }
            append(line, to: &builder, isReversed: true)
        case .arc, .arcString, .circle: addArcs(element, notation, &builder)
        case .arcByCenterPoint, .circleByCenterPoint: addAround(element, notation, &builder)
        case .lineString, .linearRing, .lineStringSegment, .geodesicString, .geodesic, .cubicSpline, .bSpline,
            .bezier:
            guard builder.openCount > 0 else { return notation.add(element, to: &builder) }
            var line = GeometryBuilder()
            notation.add(element, to: &line)
            append(line, to: &builder)
        default: break
        }
    }

    /// Adds the coordinates of a segment, which starts at the end of the previous one.
    private static func append(_ piece: GeometryBuilder, to builder: inout GeometryBuilder, isReversed: Bool = false) {
        let line = piece.geometry(.multiPoint)
        let order = isReversed ? Array(line.coordinates.indices.reversed()) : Array(line.coordinates.indices)
        for (number, index) in order.enumerated() {
            if number == 0, line.coordinates[index] == builder.last { continue }
            builder.add(line.coordinates[index], altitude: line.altitude(at: index))
        }
    }

    private static func addArcs(_ element: XMLElement, _ notation: GMLNotation, _ builder: inout GeometryBuilder) {
        var places = GeometryBuilder()
        notation.add(element, to: &places)
        let line = places.geometry(.multiPoint)
        var points = line.coordinates
        if element.word == .circle, points.count == 3 {
            // Three points on the circle: a full turn from the first through the others.
            let chords = CircularArc.chords(from: points[0], through: points[1], to: points[2])
            points = [points[0]]
            var circle = GeometryBuilder()
            for place in [points[0]] + chords
                + CircularArc.chords(
                    from: line.coordinates[2], through: opposite(line.coordinates), to: line.coordinates[0])
            {
                circle.add(place)
            }
            return append(circle, to: &builder)
        }
        if points.first == builder.last { builder.dropLast() }
        var arcs = ArcGathering()
        for (index, place) in points.enumerated() { arcs.add(place, line.altitude(at: index), to: &builder) }
        arcs.end(to: &builder)
    }

    /// Returns a point on the circle through three points, between the last and the first.
    private static func opposite(_ points: [Coordinate]) -> Coordinate {
        let whole = CircularArc.circle(through: points[0], points[1], points[2])
        guard let (center, radius) = whole else { return points[0] }
        func angle(_ place: Coordinate) -> Double {
            Libm.arcTangent(y: place.y - center.y, x: place.x - center.x)
        }
        func turn(_ from: Double, _ to: Double) -> Double {
            let turn = (to - from).remainder(dividingBy: 2 * .pi)
            return turn < 0 ? turn + 2 * .pi : turn
        }
        let first = angle(points[0]), last = angle(points[2])
        let isCounterClockwise = turn(first, angle(points[1])) <= turn(first, last)
        let rest = isCounterClockwise ? turn(last, first) : -turn(first, last)
        let middle = last + rest / 2
        return Coordinate(x: center.x + radius * Libm.cosine(middle), y: center.y + radius * Libm.sine(middle))
    }

    /// Adds an arc around a centre.
    ///
    /// Angles are in degrees: clockwise from north if north is the first axis, otherwise counterclockwise from east, as
    /// defined by the CRS.
    private static func addAround(_ element: XMLElement, _ notation: GMLNotation, _ builder: inout GeometryBuilder) {
        var places = GeometryBuilder()
        notation.add(element, to: &places)
        guard let center = places.last, let radius = element.text(of: "radius")?.decimalValue, radius > 0 else {
            return
        }
        var first = 0.0, sweep = 2 * Double.pi
        if element.word == .arcByCenterPoint {
            guard let start = element.text(of: "startAngle")?.decimalValue,
                let end = element.text(of: "endAngle")?.decimalValue, abs(start) < 1e6, abs(end) < 1e6
            else { return }
            func angle(_ degrees: Double) -> Double {
                (notation.isNorthFirst ? 90 - degrees : degrees) * .pi / 180
            }
            first = angle(start)
            sweep = max(min(angle(end) - first, 2 * .pi), -2 * .pi)
        }
        func place(_ angle: Double) -> Coordinate {
            Coordinate(x: center.x + radius * Libm.cosine(angle), y: center.y + radius * Libm.sine(angle))
        }
        var arc = GeometryBuilder()
        let isCircle = element.word == .circleByCenterPoint
        arc.add(place(first))
        for next in CircularArc.places(center, radius, from: first, sweep: sweep) { arc.add(next) }
        arc.add(isCircle ? place(first) : place(first + sweep))
        append(arc, to: &builder)
    }
}
