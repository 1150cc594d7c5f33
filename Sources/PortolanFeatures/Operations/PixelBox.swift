public import PortolanRaster

/// A rectangle on a picture in pixels, y down, such as the part that lines are clipped to.
public struct PixelBox: Hashable, Sendable {
    /// The left side.
    public let minX: Double
    /// The top.
    public let minY: Double
    /// The right side.
    public let maxX: Double
    /// The bottom.
    public let maxY: Double

    /// Makes a box, or `nil` when a number is not finite or a side is shorter than zero.
    public init?(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        guard minX.isFinite, minY.isFinite, maxX.isFinite, maxY.isFinite, minX <= maxX, minY <= maxY else { return nil }
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// The box of a picture grown by a margin on all sides; a margin below zero counts as none.
    public init(_ size: ImageSize, margin: Double = 0) {
        let margin = margin > 0 ? min(margin, 1e6) : 0
        minX = -margin
        minY = -margin
        maxX = Double(size.width) + margin
        maxY = Double(size.height) + margin
    }

    /// Whether `point` lies inside or on the border.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }
}
