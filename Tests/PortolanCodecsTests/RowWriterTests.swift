import PortolanCodecs
import PortolanRaster
import TestHelpers
import Testing

/// Pictures that are encoded as their rows come.
@Suite struct RowWriterTests {
    struct Picture: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let image: PixelBuffer
        let isOpaque: Bool

        init?(_ name: String, isOpaque: Bool, _ pixel: (_ x: Int, _ y: Int) -> MapColor) {
            guard let size = ImageSize(width: 211, height: 333) else { return nil }
            testDescription = name
            self.isOpaque = isOpaque
            var image = PixelBuffer(size: size)
            for y in 0..<size.height { for x in 0..<size.width { image[x, y] = Pixel(pixel(x, y)) } }
            self.image = image
        }
    }

    static let pictures: [Picture] = [
        Picture("drawn", isOpaque: true) { x, y in x / 40 % 2 == y / 30 % 2 ? .white : .black },
        Picture("shaded", isOpaque: true) { x, y in
            MapColor(red: UInt8(x), green: UInt8(y % 256), blue: UInt8((x + y) % 256))
        },
        Picture("seen through", isOpaque: false) { x, y in
            MapColor(red: UInt8(x), green: 40, blue: UInt8(y % 256), alpha: UInt8((x * y) % 256))
        },
    ].compactMap(\.self)

    private static func bands(of image: PixelBuffer, _ height: Int) throws -> [PixelBuffer] {
        try stride(from: 0, to: image.height, by: height).map { first in
            let end = min(first + height, image.height)
            let size = try #require(ImageSize(width: image.width, height: end - first))
            let pixels = Array(image.pixels[(first * image.width)..<(end * image.width)])
            return try #require(PixelBuffer(size: size, pixels: pixels))
        }
    }

    @Test(arguments: pictures, PNGEncoder.Compression.allCases)
    func `a PNG written in bands decodes to the image and does not depend on the bands`(
        _ picture: Picture, _ compression: PNGEncoder.Compression
    ) throws {
        let files = try [64, 100, 333].map { height in
            var writer = try PNGRowWriter(
                size: picture.image.size, isOpaque: picture.isOpaque, compression: compression)
            var bytes: [UInt8] = []
            for band in try Self.bands(of: picture.image, height) { bytes += try writer.add(band) }
            return try bytes + writer.finish()
        }
        for file in files {
            #expect(try ImageDecoders.standard.decode(file) == picture.image)
            #expect(file == files[0])
        }
        // zlib does about as well as libdeflate, which drawings are not always compressed with if it has to be fast.
        let whole = try PNGEncoder.encode(picture.image, compression: compression == .fast ? .balanced : compression)
        #expect(files[0].count < whole.count * 3 / 2 + 1000)
    }

    @Test(arguments: pictures)
    func `a JPEG written in bands equals one written at once`(_ picture: Picture) throws {
        for height in [1, 64, 333] {
            var writer = try JPEGRowWriter(size: picture.image.size, quality: 80, background: .black)
            var bytes: [UInt8] = []
            for band in try Self.bands(of: picture.image, height) { bytes += try writer.add(band) }
            bytes += try writer.finish()
            #expect(try bytes == JPEGEncoder.encode(picture.image, quality: 80, background: .black))
        }
    }
}
