extension PixelBuffer {
    /// Returns the picture with each channel multiplied by that of a colour, ignoring its alpha: white becomes the
    /// colour.
    ///
    /// - Complexity: O(pixels).
    package func multiplied(by color: MapColor) -> PixelBuffer {
        var result = self
        for index in result.pixels.indices {
            let pixel = Pixel(bits: result.pixels[index])
            result.pixels[index] =
                Pixel(
                    red: Pixel.multiply(pixel.red, color.red), green: Pixel.multiply(pixel.green, color.green),
                    blue: Pixel.multiply(pixel.blue, color.blue), alpha: pixel.alpha
                ).bits
        }
        return result
    }
}
