import PortolanRaster

extension Canvas {
    /// A clear canvas of a size known to be valid.
    static func clear(_ width: Int, _ height: Int) throws -> Canvas {
        Canvas(size: try size(width, height))
    }

    /// A size known to be valid.
    static func size(_ width: Int, _ height: Int) throws -> ImageSize {
        guard let size = ImageSize(width: width, height: height) else { throw MeasureError.size(width, height) }
        return size
    }

    /// The painted area in pixels, as told by alpha.
    var area: Double { buffer.pixels.reduce(0) { $0 + Double($1 >> 24) } / 255 }

    /// The alpha of one pixel.
    func alpha(_ x: Int, _ y: Int) -> Int { Int(buffer[x, y].alpha) }
}

/// A test's own mistake.
enum MeasureError: Error {
    case size(Int, Int)
}
