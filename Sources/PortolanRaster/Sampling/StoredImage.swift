/// An image of which the file is kept in place of the pixels: it is decoded each time it is painted.
///
/// The pixels of all tiles of a large picture take many times the memory of their files.
package struct StoredImage: Sendable {
    private let decode: @Sendable () -> PixelBuffer?

    /// Keeps an image that was decoded once without a fault.
    package init(decode: @escaping @Sendable () -> PixelBuffer?) { self.decode = decode }

    /// The pixels, or `nil` where memory is wanting.
    ///
    /// - Complexity: that of decoding.
    package var pixels: PixelBuffer? { decode() }
}
