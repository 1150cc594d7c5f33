import PortolanRaster

/// The part of a picture of an animation that differs from the previous picture.
struct AnimationChange {
    /// The rectangle that contains all differences.
    let columns: Range<Int>, rows: Range<Int>
    /// The pixels of the rectangle, row by row.
    ///
    /// If the change is drawn over the previous picture, unchanged pixels are transparent.
    let pixels: [UInt32]
    /// Whether it is drawn over the previous picture, not in place of it.
    let isOver: Bool

    /// Finds the change, or returns `nil` if the pictures are equal.
    ///
    /// - Parameters:
    ///   - last: the previous picture, or `nil` for the first one.
    ///   - alignment: the left and upper sides of the rectangle are multiples of this number.
    init?(from last: PixelBuffer?, to image: PixelBuffer, alignment: Int = 1) {
        guard let last else {
            (columns, rows, pixels, isOver) = (0..<image.width, 0..<image.height, image.pixels, false)
            return
        }
        guard let (columns, rows) = image.difference(from: last, in: 0..<image.height) else { return nil }
        self.columns = (columns.lowerBound / alignment * alignment)..<columns.upperBound
        self.rows = (rows.lowerBound / alignment * alignment)..<rows.upperBound
        var pixels: [UInt32] = [], changes: [UInt32] = []
        pixels.reserveCapacity(self.columns.count * self.rows.count)
        changes.reserveCapacity(self.columns.count * self.rows.count)
        // A picture with transparent pixels cannot be drawn over the previous content.
        var isOver = true
        for row in self.rows {
            let start = row * image.width
            for index in (start + self.columns.lowerBound)..<(start + self.columns.upperBound) {
                let pixel = image.pixels[index], isSame = last.pixels[index] == pixel
                pixels.append(pixel)
                changes.append(isSame ? 0 : pixel)
                if !isSame, pixel < 0xff00_0000 { isOver = false }
            }
        }
        self.pixels = isOver ? changes : pixels
        self.isOver = isOver
    }

    /// Rejects a picture of another size than the previous one.
    static func check(_ image: PixelBuffer, fits last: PixelBuffer, _ format: ImageFormat) throws(CodecError) {
        guard image.size == last.size else {
            throw CodecError(
                .unsupported, format: format,
                detail:
                    "a picture of \(image.width) x \(image.height) in an animation of \(last.width) x \(last.height)")
        }
    }
}
