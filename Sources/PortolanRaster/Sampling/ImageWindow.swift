/// A picture of which a part is in memory: all that is sampled of it.
package struct ImageWindow: Sendable {
    /// The part.
    package let pixels: PixelBuffer
    /// The size of the whole picture.
    package let size: ImageSize
    /// The columns and the rows of the whole picture that the part has.
    let columns: Range<Int>
    let rows: Range<Int>

    /// Takes a picture as a whole.
    init(_ whole: PixelBuffer) {
        pixels = whole
        size = whole.size
        columns = 0..<whole.width
        rows = 0..<whole.height
    }

    /// Takes a part whose top-left pixel is at a column and a row of a picture of a size; `nil` where it reaches out of that.
    package init?(_ part: PixelBuffer, x: Int, y: Int, of size: ImageSize) {
        guard x >= 0, y >= 0, x <= size.width - part.width, y <= size.height - part.height else { return nil }
        pixels = part
        self.size = size
        columns = x..<x + part.width
        rows = y..<y + part.height
    }
}
