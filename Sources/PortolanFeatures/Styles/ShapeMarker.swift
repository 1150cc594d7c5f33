/// A marker that is drawn as a shape.
public struct ShapeMarker: Hashable, Sendable {
    /// The shape.
    public var shape: MarkerShape
    /// Half the size of the shape in pixels; see ``MarkerShape``.
    public var radius: Double
    /// The inside, or `nil` when it is left open.
    public var fill: FillSymbol?
    /// The outline, or `nil` when there is none.
    public var stroke: LineSymbol?
    /// How far the shape is turned about the point, in degrees clockwise.
    public var rotation: Double

    /// Makes a marker.
    public init(
        shape: MarkerShape = .circle, radius: Double, fill: FillSymbol?, stroke: LineSymbol? = nil, rotation: Double = 0
    ) {
        self.shape = shape
        self.radius = radius
        self.fill = fill
        self.stroke = stroke
        self.rotation = rotation
    }
}
