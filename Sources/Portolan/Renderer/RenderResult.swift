import PortolanPaint
public import PortolanRaster

/// A picture and what is to be known about how it came to be.
public struct RenderResult: Sendable {
    /// The picture, in picture pixels.
    public let image: PixelBuffer

    /// What was asked for, what came and what is missing.
    public let report: RenderReport

    /// What painted the picture and can paint it again.
    let painter: MapPainter
}
