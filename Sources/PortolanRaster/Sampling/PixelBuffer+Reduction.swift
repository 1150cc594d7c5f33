extension PixelBuffer {
    /// The picture shrunk to a size no larger in either direction; each pixel is the exactly rounded mean of the area
    /// it stands for.
    ///
    /// - Complexity: O(pixels of this picture).
    package func reduced(to target: ImageSize) -> PixelBuffer {
        guard target != size else { return self }
        var reduction = ImageReduction(of: size, to: target)
        for row in 0..<height { reduction.add(pixels[(row * width)..<((row + 1) * width)]) }
        return reduction.finish()
    }

    /// The size to which the picture is reduced before it is sampled with steps of this many of its pixels: whole
    /// factors that leave steps of at least one pixel, and none below a step of two.
    func sizeForSampling(stepX: Double, stepY: Double) -> ImageSize {
        func side(_ length: Int, _ step: Double) -> Int {
            guard step >= 2 else { return length }
            let factor = step < Double(length) ? Int(step) : length
            return (length + factor - 1) / factor
        }
        return ImageSize(width: side(width, stepX), height: side(height, stepY)) ?? size
    }
}
