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

    /// Puts another picture's pixels in place of those from number `first` on, which are there.
    mutating func copyMemory(of other: PixelBuffer, toPixel first: Int) {
        let count = other.pixels.count
        unsafe withPixels { pixels in
            unsafe other.pixels.withUnsafeBufferPointer { source in
                if let source = source.baseAddress { unsafe (pixels + first).update(from: source, count: count) }
            }
        }
    }
}
