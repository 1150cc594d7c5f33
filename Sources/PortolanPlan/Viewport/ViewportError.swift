import PortolanRaster

/// Why a viewport cannot be made.
public enum ViewportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The centre is not finite, or farther than 10¹² units away.
    case centerOutOfRange
    /// The resolution is too fine to tell pixels apart this far from the origin, or not finite.
    case resolutionOutOfRange
    /// The rotation is not finite.
    case rotationNotFinite
    /// The pixel ratio is not between 0.1 and 16.
    case pixelRatioOutOfRange(Double)
    /// The picture would have too many pixels.
    case pictureTooLarge(width: Int, height: Int, pixelRatio: Double)
    /// Nothing remains to be seen after the padding.
    case paddingTooLarge(Double)

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .centerOutOfRange: "the centre of the map is out of range"
        case .resolutionOutOfRange: "the resolution is out of range for this place on the map"
        case .rotationNotFinite: "the rotation is not a finite number of degrees"
        case .pixelRatioOutOfRange(let ratio): "the pixel ratio \(ratio) is not between 0.1 and 16"
        case .pictureTooLarge(let width, let height, let ratio):
            "a picture of \(width)x\(height) at pixel ratio \(ratio) is too large or has no pixels; "
                + "at most \(ImageSize.maximumPixelCount) pixels and \(ImageSize.maximumSide) a side"
        case .paddingTooLarge(let padding): "a padding of \(padding) pixels leaves nothing of the picture"
        }
    }
}
