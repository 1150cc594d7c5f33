import PortolanRaster
import TestHelpers
import Testing

@Suite struct ImageReductionTests {
    /// The mean of the area that a target pixel covers, channel by channel, computed directly.
    private static func mean(_ picture: PixelBuffer, _ target: ImageSize, _ column: Int, _ row: Int) -> [Double] {
        let stepX = Double(picture.width) / Double(target.width), stepY = Double(picture.height) / Double(target.height)
        let left = Double(column) * stepX, top = Double(row) * stepY
        var sums = [0.0, 0, 0, 0]
        for y in 0..<picture.height {
            let high = min(Double(y + 1), top + stepY) - max(Double(y), top)
            guard high > 0 else { continue }
            for x in 0..<picture.width {
                let wide = min(Double(x + 1), left + stepX) - max(Double(x), left)
                guard wide > 0 else { continue }
                let pixel = picture[x, y]
                for (channel, value) in [pixel.red, pixel.green, pixel.blue, pixel.alpha].enumerated() {
                    sums[channel] += Double(value) * wide * high
                }
            }
        }
        return sums.map { $0 / (stepX * stepY) }
    }

    @Test(arguments: [(12, 12, 3, 4), (13, 11, 5, 3), (40, 9, 7, 9), (9, 30, 9, 4), (5, 5, 1, 1), (17, 3, 16, 2)])
    func `reduced pixels are the means of their areas`(_ width: Int, _ height: Int, _ columns: Int, _ rows: Int) throws
    {
        var generator = SeededGenerator(seed: UInt64(width * height))
        let size = try #require(ImageSize(width: width, height: height))
        let target = try #require(ImageSize(width: columns, height: rows))
        let pixels = (0..<size.pixelCount).map { _ in UInt32.random(in: 0...(.max), using: &generator) }
        let picture = try #require(PixelBuffer(size: size, pixels: pixels))
        var reduction = ImageReduction(of: size, to: target)
        for row in 0..<height { reduction.add(pixels[row * width..<(row + 1) * width]) }
        let reduced = reduction.finish()
        #expect(reduced.size == target)
        for row in 0..<rows {
            for column in 0..<columns {
                let mean = Self.mean(picture, target, column, row), pixel = reduced[column, row]
                for (channel, value) in [pixel.red, pixel.green, pixel.blue, pixel.alpha].enumerated() {
                    #expect(abs(Double(value) - mean[channel]) <= 0.5 + 1e-6)
                }
            }
        }
    }

    @Test(arguments: [
        (8000, 8000, 256, 256, 533, 533), (1024, 1024, 256, 256, 512, 512), (1023, 4000, 256, 256, 1023, 4000),
        (256, 256, 256, 256, 256, 256), (8000, 5000, 24, 1, 48, 30), (65536, 256, 256, 256, 65536, 256),
    ])
    func `an image four times as large as shown is reduced to about twice that size`(
        _ width: Int, _ height: Int, _ placeWidth: Int, _ placeHeight: Int, _ columns: Int, _ rows: Int
    ) throws {
        let size = try #require(ImageSize(width: width, height: height))
        let place = try #require(ImageSize(width: placeWidth, height: placeHeight))
        let target = ImageReduction.target(for: size, shownIn: place)
        #expect(target == (columns == width ? nil : ImageSize(width: columns, height: rows)))
    }
}
