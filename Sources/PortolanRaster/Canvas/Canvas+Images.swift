extension Canvas {
    /// Draws a picture with its top-left pixel at column `x` and row `y`; what is outside the canvas is cut off.
    ///
    /// `opacity` is clamped to 0 through 1 and applied in steps of 1/255.
    public mutating func draw(_ image: PixelBuffer, atX x: Int, y: Int, opacity: Double = 1) {
        let factor = Self.factor(opacity)
        guard factor > 0 else { return }
        unsafe place(image, x, y) { source, pixels, count in
            unsafe PixelRow.draw(source, over: pixels, count, opacity: factor)
        }
    }

    /// Puts a picture with its top-left pixel at column `x` and row `y` in place of the pixels there.
    public mutating func copy(_ image: PixelBuffer, atX x: Int, y: Int) {
        unsafe place(image, x, y) { source, pixels, count in unsafe pixels.update(from: source, count: count) }
    }

    /// Draws a picture through `transform`, which leads from the picture's pixel coordinates to the canvas's.
    ///
    /// Colours are interpolated bilinearly; a picture shrunk to half or less is averaged first, so fine detail does not
    /// break up. A shift by whole pixels is the same as ``draw(_:atX:y:opacity:)``. A transform that flattens the
    /// picture or is not finite paints nothing.
    ///
    /// - Complexity: O(painted pixels), and O(pixels of the picture) when it is shrunk to half or less.
    public mutating func draw(
        _ image: PixelBuffer, transform: AffineTransform, opacity: Double = 1, edges: ImageEdges = .clamped
    ) {
        if let (x, y) = transform.wholePixelShift(of: image.size) { return draw(image, atX: x, y: y, opacity: opacity) }
        let factor = Self.factor(opacity)
        guard factor > 0, var inverse = transform.inverse else { return }
        let stepX = (inverse.a * inverse.a + inverse.c * inverse.c).squareRoot()
        let stepY = (inverse.b * inverse.b + inverse.d * inverse.d).squareRoot()
        let source = image.reduced(to: image.sizeForSampling(stepX: stepX, stepY: stepY))
        let scaleX = Double(source.width) / Double(image.width), scaleY = Double(source.height) / Double(image.height)
        if source.size != image.size { inverse = inverse.then(.scale(x: scaleX, y: scaleY)) }
        let (columns, rows) = covered(image.size, transform, margin: edges == .smooth ? 0.5 : 0, scaleX, scaleY)
        let sampler = ImageSampler(size: source.size, edges: edges)
        if inverse.b == 0, inverse.c == 0 {
            return drawUpright(source, sampler, columns, rows, inverse, factor)
        }
        let width = buffer.width, start = self.rows.lowerBound
        let texels = source.pixels.span
        var pixels = buffer.pixels.mutableSpan
        for row in rows {
            let y = Double(row) + 0.5
            for column in columns {
                let place = inverse(Point(x: Double(column) + 0.5, y: y))
                guard let pixel = sampler.sample(texels, x: place.x, y: place.y) else { continue }
                let index = (row - start) * width + column
                pixels[index] = SourceOver.blend(SourceOver.scale(pixel, by: factor), over: pixels[index])
            }
        }
    }

    /// An opacity in 255ths.
    static func factor(_ opacity: Double) -> UInt32 {
        opacity >= 0 ? UInt32(min(opacity, 1) * 255 + 0.5) : 0
    }

    /// Canvas columns and rows among which are all pixels of a transformed picture.
    private func covered(
        _ image: ImageSize, _ transform: AffineTransform, margin: Double, _ scaleX: Double, _ scaleY: Double
    ) -> (columns: Range<Int>, rows: Range<Int>) {
        let right = Double(image.width) + margin / scaleX, bottom = Double(image.height) + margin / scaleY
        let left = -margin / scaleX, top = -margin / scaleY
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
            .map { transform(Point(x: $0.0, y: $0.1)) }
        guard corners.allSatisfy(\.isFinite) else { return (0..<size.width, self.rows) }
        // A pixel more on each side: the edge's slack and rounding may reach the next centre.
        func range(_ values: [Double], _ limit: Int) -> Range<Int> {
            let end = Double(limit)
            let low = min(max((values.min() ?? 0) - 1, 0), end), high = min(max((values.max() ?? 0) + 2, 0), end)
            return Int(low)..<Int(high)
        }
        return (range(corners.map(\.x), size.width), range(corners.map(\.y), size.height).clamped(to: self.rows))
    }

    /// Draws a picture that is scaled and shifted but not turned, row by row.
    private mutating func drawUpright(
        _ source: PixelBuffer, _ sampler: ImageSampler, _ columns: Range<Int>, _ rows: Range<Int>,
        _ inverse: AffineTransform, _ factor: UInt32
    ) {
        imageRows.columns.locate(columns, scale: inverse.a, offset: inverse.tx, isOnPicture: sampler.isOnColumns)
        imageRows.rows.locate(rows, scale: inverse.d, offset: inverse.ty, isOnPicture: sampler.isOnRows)
        let width = buffer.width, start = self.rows.lowerBound, range = imageRows.columns.range
        unsafe buffer.withPixels { pixels in
            unsafe imageRows.forEach(of: source, edges: sampler.edges) { row, result in
                unsafe PixelRow.draw(
                    result, over: pixels + ((row - start) * width + range.lowerBound), range.count, opacity: factor)
            }
        }
    }

    /// Calls `body` for each row where a picture at (`x`, `y`) and the canvas overlap, with the first pixels of both
    /// and their count.
    private mutating func place(
        _ image: PixelBuffer, _ x: Int, _ y: Int,
        _ body: (UnsafePointer<UInt32>, UnsafeMutablePointer<UInt32>, Int) -> Void
    ) {
        // The comparisons also bound x and y, so that no sum below can overflow.
        guard x < size.width, y < size.height, x > -image.width, y > -image.height else { return }
        let columns = max(x, 0)..<min(x + image.width, size.width)
        let rows = (max(y, 0)..<min(y + image.height, size.height)).clamped(to: self.rows)
        let width = buffer.width, start = self.rows.lowerBound
        unsafe buffer.withPixels { pixels in
            unsafe image.pixels.withUnsafeBufferPointer { source in
                guard let source = source.baseAddress else { return }
                for row in rows {
                    unsafe body(
                        source + ((row - y) * image.width + columns.lowerBound - x),
                        pixels + ((row - start) * width + columns.lowerBound), columns.count)
                }
            }
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
