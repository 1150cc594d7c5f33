/// A place on a picture: x to the right and y down, in pixels, with (0, 0) at the top-left corner of the first pixel.
public struct Point: Hashable, Sendable {
    /// Pixels to the right of the picture's left edge.
    public var x: Double
    /// Pixels below the picture's top edge.
    public var y: Double

    /// Makes a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
