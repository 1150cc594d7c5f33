/// The part of a picture that is in memory because it is sampled.
package struct ImageWindow: Sendable {
    /// The part.
    package let pixels: PixelBuffer
    /// The size of the whole picture.
    package let size: ImageSize
    /// The columns and rows of the part in the whole picture.
    let columns: Range<Int>
    let rows: Range<Int>
    /// The colours between the centres of pixels.
    package var resampling = ImageResampling.bilinear

    /// Creates a window of a whole picture.
    init(_ whole: PixelBuffer) {
        pixels = whole
        size = whole.size
        columns = 0..<whole.width
        rows = 0..<whole.height
    }

    /// Creates a window of a whole picture that is sampled in a way.
    init(_ whole: PixelBuffer, _ resampling: ImageResampling) {
        self.init(whole)
        self.resampling = resampling
    }

    /// Creates a window with its top-left pixel at a column and row of a picture, or returns `nil` if it exceeds that.
    package init?(_ part: PixelBuffer, x: Int, y: Int, of size: ImageSize) {
        guard x >= 0, y >= 0, x <= size.width - part.width, y <= size.height - part.height else { return nil }
        pixels = part
        self.size = size
        columns = x..<x + part.width
        rows = y..<y + part.height
    }
}
