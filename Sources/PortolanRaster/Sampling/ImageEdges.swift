/// How a picture ends when it is drawn scaled, rotated or between pixels.
public enum ImageEdges: Sendable, Hashable {
    /// A pixel is painted when its centre is on the picture, and the outermost pixels' colour goes on to the edge.
    ///
    /// Pictures that lie side by side, such as map tiles, leave no gap.
    case clamped
    /// Outside the picture is clear, so that its edge fades over a pixel: right for symbols.
    case smooth
}
