/// An image stored as its file instead of its pixels: it is decoded each time it is painted.
///
/// The pixels of all tiles of a large picture need many times the memory of their files.
package struct StoredImage: Sendable {
    private let decode: @Sendable () -> PixelBuffer?

    /// Creates an image that has been decoded once without error.
    package init(decode: @escaping @Sendable () -> PixelBuffer?) { self.decode = decode }

    /// The pixels, or `nil` if there is not enough memory.
    ///
    /// - Complexity: that of decoding.
    package var pixels: PixelBuffer? { decode() }
}
