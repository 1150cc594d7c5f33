import PortolanRaster
import Testing

@Suite struct ImageResamplingTests {
    private static func enlarged(_ resampling: ImageResampling, _ values: [UInt8], by factor: Int) throws -> [UInt8] {
        let size = try #require(ImageSize(width: values.count, height: 1))
        let pixels = values.map { Pixel(MapColor(red: $0, green: $0, blue: $0)).bits }
        var image = PaintImage(try #require(PixelBuffer(size: size, pixels: pixels)))
        image.resampling = resampling
        var canvas = Canvas(size: try #require(ImageSize(width: values.count * factor, height: factor)))
        canvas.draw(image, transform: .scale(x: Double(factor), y: Double(factor)), opacity: 1, edges: .clamped)
        return (0..<values.count * factor).map { canvas.buffer[$0, 0].red }
    }

    @Test func `the nearest pixel keeps its colour`() throws {
        #expect(try Self.enlarged(.nearest, [0, 100, 255], by: 3) == [0, 0, 0, 100, 100, 100, 255, 255, 255])
    }

    /// Keys' convolution with the parameter -0.5, by its formula.
    @Test func `cubic convolution overshoots at edges, and is cut to the range of colours`() throws {
        // The weights at 0.25 are -0.0703125, 0.8671875, 0.2265625 and -0.0234375.
        #expect(try Self.enlarged(.cubic, [50, 50, 200, 200], by: 2) == [50, 46, 39, 80, 170, 211, 204, 200])
        #expect(try Self.enlarged(.cubic, [0, 0, 255, 255], by: 2)[2] == 0)
        #expect(try Self.enlarged(.cubic, [7, 7, 7, 7], by: 3) == [UInt8](repeating: 7, count: 12))
    }

    @Test func `nearest pixels of reduced pictures are not averaged`() throws {
        let size = try #require(ImageSize(width: 8, height: 8))
        let pixels = (0..<64).map { Pixel($0 % 2 == 0 ? MapColor.black : .white).bits }
        var image = PaintImage(try #require(PixelBuffer(size: size, pixels: pixels)))
        image.resampling = .nearest
        var canvas = Canvas(size: try #require(ImageSize(width: 2, height: 2)))
        canvas.draw(image, transform: .scale(x: 0.25, y: 0.25), opacity: 1, edges: .clamped)
        #expect([0, 255].contains(canvas.buffer[0, 0].red))
    }
}
