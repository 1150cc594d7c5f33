/// One step of a drawing.
enum DrawingOperation: Sendable {
    case clear(Pixel)
    case fill(Path, PathSurvey, FillRule, Color)
    case stroke(Path, PathSurvey, StrokeStyle, Color)
    /// A picture with its top-left pixel at a column and a row.
    case draw(PixelBuffer, x: Int, y: Int, Opacity)
    /// The same in place of what is there.
    case copy(PixelBuffer, x: Int, y: Int)
    case transform(TransformedImage, Opacity)
    case warp(WarpedImage, Opacity)

    /// A picture drawn through a transform, or `nil` when nothing of it can be seen.
    init?(_ image: PixelBuffer, _ transform: AffineTransform, _ opacity: Opacity, _ edges: ImageEdges) {
        if let (x, y) = transform.wholePixelShift(of: image.size) {
            self = .draw(image, x: x, y: y, opacity)
        } else if let image = TransformedImage(image, transform, edges) {
            self = .transform(image, opacity)
        } else {
            return nil
        }
    }

    /// The ys between which all that is painted lies, or `nil` where that is not known.
    var extent: ClosedRange<Double>? {
        switch self {
        case .clear, .warp: nil
        case .fill(_, let survey, _, _): survey.rows(reach: 1)
        case .stroke(_, let survey, let style, _): survey.rows(reach: style.reach + 1)
        case .draw(let image, _, let y, _), .copy(let image, _, let y):
            // One more on each side makes up for the rounding of numbers beyond 2⁵³, which are far off any canvas.
            (Double(y) - 1)...(Double(y) + Double(image.height) + 1)
        case .transform(let image, _): image.extent
        }
    }
}

extension AffineTransform {
    /// The shift in whole pixels that this transform is for a picture of `size`, to a millionth of a pixel.
    func wholePixelShift(of size: ImageSize) -> (x: Int, y: Int)? {
        let slack = 1e-6, w = Double(size.width), h = Double(size.height)
        guard abs(a - 1) * w <= slack, abs(b) * w <= slack, abs(c) * h <= slack, abs(d - 1) * h <= slack,
            abs(tx) < 1e9, abs(ty) < 1e9
        else { return nil }
        let x = tx.rounded(), y = ty.rounded()
        guard abs(tx - x) <= slack, abs(ty - y) <= slack else { return nil }
        return (Int(x), Int(y))
    }
}
