extension PixelBuffer {
    /// Lends the pixels as memory, `size.pixelCount` of them, for as long as `body` works.
    mutating func withPixels(_ body: (UnsafeMutablePointer<UInt32>) -> Void) {
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            if let first = pixels.baseAddress { unsafe body(first) }
        }
    }

    /// Gives every pixel the same value.
    mutating func fill(_ pixel: Pixel) {
        let count = pixels.count, start = min(count, 2048)
        unsafe withPixels { pixels in
            unsafe pixels.update(repeating: pixel.bits, count: start)
            // Copies of what is still in the nearest cache.
            var filled = start
            while filled < count {
                let piece = min(start, count - filled)
                unsafe (pixels + filled).update(from: pixels, count: piece)
                filled += piece
            }
        }
    }
}
