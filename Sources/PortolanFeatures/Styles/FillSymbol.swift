public import PortolanRaster

/// How an area is filled.
public struct FillSymbol: Hashable, Sendable {
    /// The colour with its opacity.
    public var color: Color

    /// Makes a fill.
    public init(color: Color) { self.color = color }
}
