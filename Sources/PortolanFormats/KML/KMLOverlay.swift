import PortolanFeatures
import PortolanGeo
import PortolanXML

/// Reads ground overlays (OGC 12-007r2 clause 11.3).
enum KMLOverlay {
    /// Returns the overlay of a `FeatureCollection.GroundOverlay`, or `nil` without an image or a valid position.
    ///
    /// - Parameter picture: returns the URL of an image for the one in the document.
    static func overlay(_ element: XMLElement, picture: (String) -> String) -> FeatureCollection.GroundOverlay? {
        guard let address = element.child("Icon")?.text(of: "href"), !address.isEmpty else { return nil }
        let found =
            element.child("LatLonQuad").flatMap { Self.corners(ofQuad: $0) }
            ?? element.child("LatLonBox").flatMap { Self.corners(ofBox: $0) }
        guard let corners = found else { return nil }
        let opacity = element.text(of: "color").flatMap { KMLStyle.paint($0) }?.paint.opacity ?? 1
        let order = element.text(of: "drawOrder").flatMap { Int($0) } ?? 0
        return FeatureCollection.GroundOverlay(
            address: picture(address), corners: corners, opacity: opacity, order: order)
    }

    /// Returns the corners of a box, rotated counterclockwise about its centre.
    static func corners(ofBox element: XMLElement) -> [Coordinate]? {
        var sides = ["west", "south", "east", "north"].compactMap { element.text(of: $0)?.decimalValue }
        guard sides.count == 4 else { return nil }
        // From west to east, across the antimeridian if west is greater.
        if sides[2] < sides[0] { sides[2] += 360 }
        let corners = [(0, 1), (2, 1), (2, 3), (0, 3)].map { Coordinate(x: sides[$0.0], y: sides[$0.1]) }
        guard let turn = element.text(of: "rotation")?.decimalValue, turn != 0 else { return corners }
        let (cosine, sine) = Bearing.axes(degrees: turn)
        let middle = Coordinate(x: (sides[0] + sides[2]) / 2, y: (sides[1] + sides[3]) / 2)
        return corners.map { corner in
            let x = corner.x - middle.x, y = corner.y - middle.y
            return Coordinate(x: middle.x + x * cosine - y * sine, y: middle.y + x * sine + y * cosine)
        }
    }

    /// Returns the four corners of a `gx:LatLonQuad`, counterclockwise from the lower left.
    private static func corners(ofQuad element: XMLElement) -> [Coordinate]? {
        guard let text = element.child("coordinates") else { return nil }
        var builder = GeometryBuilder()
        _ = text.withText { KMLCoordinates.add($0, to: &builder) }
        var corners = builder.geometry(.multiPoint).coordinates
        // Some documents close it like a ring.
        if corners.count == 5, corners.first == corners.last { corners.removeLast() }
        guard corners.count == 4 else { return nil }
        // Across the antimeridian if a side is wider than half the earth.
        for index in 1..<4 {
            let way = corners[index].x - corners[index - 1].x
            if abs(way) > 180 { corners[index] = AntimeridianCut.moved(corners[index], by: way > 0 ? -1 : 1) }
        }
        return corners
    }
}
