/// The values of one band in a tile, rows from the top, NaN without data.
package struct RasterValues: Sendable {
    /// The width and height in pixels.
    package let width: Int, height: Int
    /// The values, `width * height` of them, row by row.
    package var values: [Float]

    /// Creates the values of a tile, all without data.
    package init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        values = [Float](repeating: .nan, count: width * height)
    }
}
