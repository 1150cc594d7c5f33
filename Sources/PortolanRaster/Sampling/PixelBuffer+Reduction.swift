extension PixelBuffer {
    /// Returns the picture reduced to a size not larger in any direction; each pixel is the exactly rounded mean of the
    /// corresponding area.
    ///
    /// - Complexity: O(pixels of this picture).
    package func reduced(to target: ImageSize) -> PixelBuffer {
        guard target != size else { return self }
        var reduction = ImageReduction(of: size, to: target)
        for row in 0..<height { reduction.add(pixels[(row * width)..<((row + 1) * width)]) }
        return reduction.finish()
    }
}

extension ImageSize {
    /// Returns the size to which to reduce a picture before it is sampled with steps of this many of its pixels.
    ///
    /// The factors are integers that leave steps of at least one pixel; steps below two need no reduction.
    package func forSampling(stepX: Double, stepY: Double) -> ImageSize {
        func side(_ length: Int, _ step: Double) -> Int {
            guard step >= 2 else { return length }
            let factor = step < Double(length) ? Int(step) : length
            return (length + factor - 1) / factor
        }
        return ImageSize(width: side(width, stepX), height: side(height, stepY)) ?? self
    }

    /// Returns the size to which to reduce a picture before it is sampled through a transform to its pixels.
    package func forSampling(by inverse: AffineTransform) -> ImageSize {
        forSampling(
            stepX: (inverse.a * inverse.a + inverse.c * inverse.c).squareRoot(),
            stepY: (inverse.b * inverse.b + inverse.d * inverse.d).squareRoot())
    }
}
