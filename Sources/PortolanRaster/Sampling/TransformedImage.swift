/// A picture to be drawn through an affine transform, averaged first when it is shrunk to half or less.
struct TransformedImage: Sendable {
    /// The image as it was given, and the way from its pixels to the canvas's.
    let image: PaintImage
    let transform: AffineTransform
    /// The picture that is sampled.
    let source: ImageWindow
    /// The way from the canvas's pixel coordinates to those of `source`.
    let inverse: AffineTransform
    /// How the picture ends.
    let edges: ImageEdges
    /// What contains all that is painted, or `nil` when that is not known.
    private let bounds: Rectangle?

    /// Finds the way back, or gives `nil` when the transform flattens the picture or is not finite.
    init?(_ given: PaintImage, _ transform: AffineTransform, _ edges: ImageEdges) {
        guard let inverse = transform.inverse else { return nil }
        let image = given.pixels, source = image.reduced(to: image.size.forSampling(by: inverse))
        let scaleX = Double(source.width) / Double(image.width), scaleY = Double(source.height) / Double(image.height)
        self.init(
            given, transform, source: ImageWindow(source),
            inverse: source.size == image.size ? inverse : inverse.then(.scale(x: scaleX, y: scaleY)), edges,
            of: image.size)
    }

    /// Finds the way back of a window of a picture that is not to be averaged first.
    init?(_ window: ImageWindow, _ transform: AffineTransform, _ edges: ImageEdges) {
        guard let inverse = transform.inverse else { return nil }
        let place = AffineTransform.translation(
            x: Double(window.columns.lowerBound), y: Double(window.rows.lowerBound))
        self.init(
            PaintImage(window.pixels), place.then(transform), source: window, inverse: inverse, edges, of: window.size,
            by: transform)
    }

    private init(
        _ given: PaintImage, _ transform: AffineTransform, source: ImageWindow, inverse: AffineTransform,
        _ edges: ImageEdges, of size: ImageSize, by way: AffineTransform? = nil
    ) {
        image = given
        self.transform = transform
        self.source = source
        self.inverse = inverse
        let scaleX = Double(source.size.width) / Double(size.width)
        let scaleY = Double(source.size.height) / Double(size.height)
        self.edges = edges
        let margin = edges == .smooth ? 0.5 : 0
        let right = Double(size.width) + margin / scaleX, bottom = Double(size.height) + margin / scaleY
        let left = -margin / scaleX, top = -margin / scaleY
        var bounds = Rectangle(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
        var isFinite = true
        for (x, y) in [(left, top), (right, top), (left, bottom), (right, bottom)] {
            let corner = (way ?? transform)(Point(x: x, y: y))
            bounds.include(corner)
            if !corner.isFinite { isFinite = false }
        }
        self.bounds = isFinite ? bounds : nil
    }

    /// The ys between which all that is painted lies, or `nil` where that is not known.
    var extent: ClosedRange<Double>? { bounds.map { ($0.minY - 2)...($0.maxY + 2) } }

    /// About how many of the canvas's pixels are painted.
    var paintedArea: Double {
        let shrink = abs(inverse.a * inverse.d - inverse.b * inverse.c)
        return min(Double(source.size.pixelCount) / max(shrink, 1e-6), Double(1 << 28))
    }

    /// Canvas columns among which are all that are painted.
    func columns(_ width: Int) -> Range<Int> {
        bounds.map { Self.range($0.minX, $0.maxX, width) } ?? 0..<width
    }

    /// Those canvas rows among which are all that are painted.
    func rows(_ height: Int) -> Range<Int> {
        bounds.map { Self.range($0.minY, $0.maxY, height) } ?? 0..<height
    }

    /// A pixel more on each side: the edge's slack and rounding may reach the next centre.
    private static func range(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
        let end = Double(limit)
        return Int(min(max(low - 1, 0), end))..<Int(min(max(high + 2, 0), end))
    }
}
