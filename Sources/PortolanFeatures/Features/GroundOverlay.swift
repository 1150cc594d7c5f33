public import PortolanGeo

/// A picture that a document of features lays over the ground.
public struct GroundOverlay: Hashable, Sendable {
    /// The address of the picture, relative to the document unless it has a scheme.
    public var address: String
    /// Where its corners lie in longitude and latitude: lower left, lower right, upper right, upper left.
    public var corners: [Coordinate]
    /// 0 (clear) to 1.
    public var opacity: Double
    /// Overlays of higher numbers lie over those of lower ones.
    public var order: Int

    /// Makes an overlay, or `nil` unless it has four corners that are places on the earth.
    public init?(address: String, corners: [Coordinate], opacity: Double = 1, order: Int = 0) {
        guard corners.count == 4, corners.allSatisfy({ abs($0.x) <= 1260 && abs($0.y) <= 90 }) else { return nil }
        self.address = address
        self.corners = corners
        self.opacity = min(max(opacity, 0), 1)
        self.order = order
    }
}

extension [GroundOverlay] {
    /// Brings overlays into the order in which they are drawn; those of one order keep theirs.
    package mutating func sortForDrawing() {
        self = enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element)
    }
}
