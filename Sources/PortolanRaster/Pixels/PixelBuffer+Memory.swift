extension PixelBuffer {
    /// Lends the pixels as memory, `size.pixelCount` of them, for as long as `body` works.
    mutating func withPixels(_ body: (UnsafeMutablePointer<UInt32>) -> Void) {
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            if let first = pixels.baseAddress { unsafe body(first) }
        }
    }

    /// Gives every pixel the same value.
    mutating func fill(_ pixel: Pixel) {
        let count = pixels.count
        unsafe withPixels { unsafe $0.update(repeating: pixel.bits, count: count) }
    }
}
