public import PortolanGeo

/// The box of a layer in one coordinate reference system.
public struct WMSBoundingBox: Hashable, Sendable {
    /// The system's name as the document writes it.
    public var crsName: String
    /// The system, or `nil` when it is not in the catalogue.
    public var crs: CRS?
    /// The box, x east, in units of the system.
    public var box: BoundingBox
    /// Whether the document writes its axes the wrong way round; ``box`` is put right.
    public var isFlipped = false
    /// Units a pixel of the data along x, or `nil`.
    public var resolutionX: Double?
    /// Units a pixel of the data along y, or `nil`.
    public var resolutionY: Double?
}
