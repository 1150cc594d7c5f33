public import PortolanGeo

extension FeatureCollection {
    /// An image that a feature document places on the ground.
    public struct GroundOverlay: Hashable, Sendable {
        /// The URL of the image, relative to the document unless it has a scheme.
        public var address: String
        /// The corners in longitude and latitude: lower left, lower right, upper right, upper left.
        public var corners: [Coordinate]
        /// The opacity, 0 to 1.
        public var opacity: Double
        /// The drawing order; overlays with higher numbers are above those with lower ones.
        public var order: Int

        /// Creates an overlay, or returns `nil` unless there are four valid corners.
        public init?(address: String, corners: [Coordinate], opacity: Double = 1, order: Int = 0) {
            guard corners.count == 4, corners.allSatisfy({ abs($0.x) <= 1260 && abs($0.y) <= 90 }) else { return nil }
            self.address = address
            self.corners = corners
            self.opacity = min(max(opacity, 0), 1)
            self.order = order
        }
    }
}

extension [FeatureCollection.GroundOverlay] {
    /// Sorts overlays into drawing order.
    ///
    /// Overlays with the same number keep their order.
    package mutating func sortForDrawing() {
        self = enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element)
    }
}
