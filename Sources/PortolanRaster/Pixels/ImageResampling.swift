/// The colours of a scaled or transformed picture between the centres of its pixels.
public enum ImageResampling: String, Hashable, Sendable, CaseIterable {
    /// The colour of the nearest pixel; reduced pictures are not averaged.
    case nearest
    /// The mean of four pixels, weighted by their distance.
    case bilinear
    /// The cubic convolution of sixteen pixels, with the parameter -0.5.
    case cubic
}
