import PortolanRaster

/// An image reduced to the mean colours of its cells, to recognize whether others show the same area.
///
/// Lines and letters differ in each coordinate system; the means of cells hardly do.
struct PictureLikeness: Hashable, Sendable {
    private static let cellCount = 16
    private let cells: [Double]
    /// Whether all pixels are equal.
    let isBlank: Bool
    /// The mean deviation of the cells, 0 to 255.
    let contrast: Double

    /// Whether there is enough detail for another area to look different.
    var tells: Bool { contrast >= 5 }

    init(_ picture: PixelBuffer) {
        let count = Self.cellCount
        var sums = [Double](repeating: 0, count: count * count * 3)
        var pixels = [Double](repeating: 0, count: count * count)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let cell = y * count / picture.height * count + x * count / picture.width
                let pixel = picture[x, y]
                // Transparent pixels show white paper.
                let white = Double(255 - pixel.alpha)
                sums[cell * 3] += Double(pixel.red) + white
                sums[cell * 3 + 1] += Double(pixel.green) + white
                sums[cell * 3 + 2] += Double(pixel.blue) + white
                pixels[cell] += 1
            }
        }
        let cells = sums.indices.map { sums[$0] / max(pixels[$0 / 3], 1) }
        self.cells = cells
        let first = picture.pixels.first
        isBlank = picture.pixels.allSatisfy { $0 == first }
        var deviation = 0.0
        for channel in 0..<3 {
            let values = stride(from: channel, to: cells.count, by: 3).map { cells[$0] }
            let mean = values.reduce(0, +) / Double(values.count)
            deviation += values.reduce(0) { $0 + abs($1 - mean) }
        }
        contrast = deviation / Double(cells.count)
    }

    /// The mean difference of the cells, 0 to 255.
    func difference(from other: PictureLikeness) -> Double {
        zip(cells, other.cells).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(cells.count)
    }

    /// Whether the image equals the other except for a part that is white paper.
    func isPart(of other: PictureLikeness) -> Bool {
        var sum = 0.0, compared = 0
        for cell in stride(from: 0, to: cells.count, by: 3) {
            let place = cell..<(cell + 3)
            if cells[place].allSatisfy({ $0 > 254 }), other.cells[place].contains(where: { $0 <= 254 }) { continue }
            sum += zip(cells[place], other.cells[place]).reduce(0) { $0 + abs($1.0 - $1.1) }
            compared += 3
        }
        // At the edge of the part, cells are partly white.
        return compared * 4 >= cells.count && sum / Double(compared) <= max(3, 0.5 * other.contrast)
    }

    /// Whether two images show different areas: their difference is at least half of the variation in each.
    func differs(from other: PictureLikeness) -> Bool {
        let difference = difference(from: other)
        return difference > 3 && difference > 0.5 * max(contrast, other.contrast)
    }

    /// The index of the image that is most like the others, and the indices of those that differ from it.
    ///
    /// - Complexity: O(pictures²).
    static func oddOnes(among pictures: [PictureLikeness]) -> (common: Int, odd: [Int])? {
        let sums = pictures.map { picture in
            pictures.reduce(0) { $0 + (picture.differs(from: $1) ? 1000 : 0) + picture.difference(from: $1) }
        }
        guard let least = sums.min(), let common = sums.firstIndex(of: least) else { return nil }
        return (common, pictures.indices.filter { pictures[$0].differs(from: pictures[common]) })
    }
}
