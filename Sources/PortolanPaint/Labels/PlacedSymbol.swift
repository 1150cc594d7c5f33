package import PortolanRaster

/// A placed text or icon of a style sheet, for hit tests.
package struct PlacedSymbol: Sendable {
    /// The name of the layer.
    package let layer: String
    /// The content number of its source, and the index of the feature in it.
    package let content: UInt64
    package let feature: Int32
    /// The boxes that it covers, in picture pixels.
    package let boxes: [Rectangle]
}
