import PortolanFeatures
import PortolanGeo
import PortolanPlan
public import PortolanRaster

/// The style of a position: a circle for its accuracy, a cone for the heading of the device, and a dot.
public struct PositionStyle: Hashable, Sendable {
    /// The colour of a current position.
    public var color = MapColor(red: 0x1A, green: 0x73, blue: 0xE8)
    /// The colour of a stale position.
    public var staleColor = MapColor(red: 0x80, green: 0x86, blue: 0x8B)
    /// The radius of the dot in view pixels.
    public var radius = 7.0
    /// The length of the cone in view pixels; 0 for none.
    public var coneLength = 34.0
    /// The angle of the cone in degrees.
    public var coneAngle = 60.0
    /// The opacity of the accuracy circle, 0 to 1; 0 for none.
    public var accuracyOpacity = 0.15

    /// Creates the default style.
    public init() {}
}

/// The features of a position, for views of one scale.
struct PositionMark: Hashable {
    let fix: PositionFix
    let style: PositionStyle
    let isStale: Bool
    /// The scale and CRS of the view.
    ///
    /// Other properties do not matter, so that a drag renders only the newly visible area.
    let resolution: Resolution
    let crs: CRS

    /// Returns the circle, the cone and the dot, the lowest first, in longitude and latitude.
    func makeSource() -> FeatureSource {
        var source = FeatureSource(features: [])
        let color = isStale ? style.staleColor : style.color
        if let circle {
            let outline = LineSymbol(color: color.withOpacity(min(1, style.accuracyOpacity * 3)), width: 1)
            source.append(
                Feature(geometry: .polygon([circle])),
                style: Style(stroke: outline, fill: FillSymbol(color: color.withOpacity(style.accuracyOpacity))))
        }
        if let cone = cone {
            source.append(
                Feature(geometry: .polygon([cone])), style: Style(fill: FillSymbol(color: color.withOpacity(0.4))))
        }
        let dot = ShapeMarker(
            radius: style.radius, fill: FillSymbol(color: color), stroke: LineSymbol(color: .white, width: 2.5))
        source.append(Feature(geometry: .point(fix.place)), style: Style(marker: .shape(dot)))
        return source
    }

    /// The circle of the accuracy, or `nil` if the accuracy is unknown or the circle contains a pole.
    private var circle: [Coordinate]? {
        // A radius of a quarter of the earth has no information.
        guard let accuracy = fix.accuracy, accuracy > 0, accuracy < 1e7, style.accuracyOpacity > 0 else { return nil }
        let north = Geodesic.line(from: fix.place, to: Coordinate(longitude: fix.place.x, latitude: 90)).meters
        let south = Geodesic.line(from: fix.place, to: Coordinate(longitude: fix.place.x, latitude: -90)).meters
        guard min(north, south) > accuracy else { return nil }
        let count = 96
        // Counterclockwise, like outer rings in RFC 7946.
        return (0...count).map { number in
            Geodesic.place(
                from: fix.place, bearing: -360 * Double(number % count) / Double(count), meters: accuracy)
        }
    }

    /// The sector at the dot, or `nil` if the heading is unknown.
    private var cone: [Coordinate]? {
        guard !isStale, let heading = fix.heading, style.coneLength > 0, style.coneAngle > 0, style.coneAngle < 360,
            let transform = try? CoordinateTransform(from: .crs84, to: crs), let place = transform(fix.place)
        else { return nil }
        // The scale of the projection at this point, from a step of a few pixels on the ground.
        let unit = resolution.unitsPerPixel, step = max(unit * crs.metersPerUnit, 0.01) * 4
        guard let ahead = transform(Geodesic.place(from: fix.place, bearing: heading, meters: step)) else { return nil }
        let pixels = Libm.hypotenuse(ahead.x - place.x, ahead.y - place.y) / unit
        guard pixels > 0 else { return nil }
        let meters = min(style.coneLength / pixels * step, 5_000_000), steps = 16
        let arc = (0...steps).map { number in
            let turn = style.coneAngle * (0.5 - Double(number) / Double(steps))
            return Geodesic.place(from: fix.place, bearing: heading + turn, meters: meters)
        }
        return [fix.place] + arc + [fix.place]
    }
}
