/// One step of a drawing.
enum DrawingOperation: Sendable {
    case clear(Pixel)
    case fill(Path, PathSurvey, FillRule, Color)
    case stroke(Path, PathSurvey, StrokeStyle, Color)
    /// An image with its top-left pixel at a column and a row.
    case draw(PaintImage, x: Int, y: Int, Opacity)
    /// The same in place of what is there.
    case copy(PixelBuffer, x: Int, y: Int)
    indirect case transform(TransformedImage, Opacity)
    indirect case warp(WarpedImage, Opacity)
    indirect case text(ShapedText, PathSurvey, Color, TextHalo?)
    indirect case group(Drawing, PaintGroup)
    /// Takes away what is outside a path.
    case cut(Path, PathSurvey, FillRule)

    /// An image drawn through a transform, or `nil` when nothing of it can be seen.
    init?(_ image: PaintImage, _ transform: AffineTransform, _ opacity: Opacity, _ edges: ImageEdges) {
        if let (x, y) = transform.wholePixelShift(of: image.pixels.size) {
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
        case .clear, .warp, .cut: nil
        case .fill(_, let survey, _, _): survey.rows(reach: 1)
        case .stroke(_, let survey, let style, _): survey.rows(reach: style.reach + 1)
        case .draw(let image, _, let y, _): Self.extent(of: image.pixels, y)
        case .copy(let image, _, let y): Self.extent(of: image, y)
        case .transform(let image, _): image.extent
        case .text(_, let survey, _, let halo): survey.rows(reach: max(1, (halo?.style.reach ?? 0) + 1))
        case .group(let drawing, _): drawing.extent
        }
    }

    private static func extent(of image: PixelBuffer, _ y: Int) -> ClosedRange<Double> {
        // One more on each side makes up for the rounding of numbers beyond 2⁵³, which are far off any canvas.
        (Double(y) - 1)...(Double(y) + Double(image.height) + 1)
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
