package import PortolanRaster

/// A text or an icon of a style that has got a place in a picture, to be found by pointing at it.
package struct PlacedSymbol: Sendable {
    /// The name of the layer.
    package let layer: String
    /// The number of its source's content, and the feature's place in that.
    package let content: UInt64
    package let feature: Int32
    /// What it fills, in picture pixels.
    package let boxes: [Rectangle]
}
