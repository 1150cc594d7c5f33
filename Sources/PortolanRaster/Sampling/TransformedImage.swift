/// A picture to draw through an affine transform, averaged first if it is reduced to half or less.
struct TransformedImage: Sendable {
    /// The original image, and the transform from its pixels to those of the canvas.
    let image: PaintImage
    let transform: AffineTransform
    /// The picture to sample.
    let source: ImageWindow
    /// The transform from the canvas's pixel coordinates to those of `source`.
    let inverse: AffineTransform
    /// The treatment of the edges.
    let edges: PaintImage.Edges
    /// The bounds of the painted pixels, or `nil` if unknown.
    private let bounds: Rectangle?

    /// Inverts the transform, or returns `nil` if it is singular or not finite.
    init?(_ given: PaintImage, _ transform: AffineTransform, _ edges: PaintImage.Edges) {
        guard let inverse = transform.inverse else { return nil }
        let image = given.pixels
        let source = given.resampling == .nearest ? image : image.reduced(to: image.size.forSampling(by: inverse))
        let scaleX = Double(source.width) / Double(image.width), scaleY = Double(source.height) / Double(image.height)
        self.init(
            given, transform, source: ImageWindow(source, given.resampling),
            inverse: source.size == image.size ? inverse : inverse.then(.scale(x: scaleX, y: scaleY)), edges,
            of: image.size)
    }

    /// Inverts the transform for a window of a picture that needs no averaging.
    init?(_ window: ImageWindow, _ transform: AffineTransform, _ edges: PaintImage.Edges) {
        guard let inverse = transform.inverse else { return nil }
        let place = AffineTransform.translation(
            x: Double(window.columns.lowerBound), y: Double(window.rows.lowerBound))
        self.init(
            PaintImage(window.pixels), place.then(transform), source: window, inverse: inverse, edges, of: window.size,
            by: transform)
    }

    private init(
        _ given: PaintImage, _ transform: AffineTransform, source: ImageWindow, inverse: AffineTransform,
        _ edges: PaintImage.Edges, of size: ImageSize, by way: AffineTransform? = nil
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

    /// The vertical range of the painted pixels, or `nil` if unknown.
    var extent: ClosedRange<Double>? { bounds.map { ($0.minY - 2)...($0.maxY + 2) } }

    /// The approximate number of painted pixels.
    var paintedArea: Double {
        let shrink = abs(inverse.a * inverse.d - inverse.b * inverse.c)
        return min(Double(source.size.pixelCount) / max(shrink, 1e-6), Double(1 << 28))
    }

    /// Returns a range of canvas columns that contains all painted ones.
    func columns(_ width: Int) -> Range<Int> {
        bounds.map { Self.range($0.minX, $0.maxX, width) } ?? 0..<width
    }

    /// Returns a range of canvas rows that contains all painted ones.
    func rows(_ height: Int) -> Range<Int> {
        bounds.map { Self.range($0.minY, $0.maxY, height) } ?? 0..<height
    }

    /// Adds a pixel on each side: the edge's slack and rounding may reach the next centre.
    private static func range(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
        let end = Double(limit)
        return Int(min(max(low - 1, 0), end))..<Int(min(max(high + 2, 0), end))
    }
}
