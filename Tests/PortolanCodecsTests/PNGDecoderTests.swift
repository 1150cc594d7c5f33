import PortolanCodecs
import PortolanRaster
import TestHelpers
import Testing

@Suite struct PNGDecoderTests {
    @Test(arguments: Fixture.png.filter { !$0.name.contains("primaries-of-") || $0.name.contains("of-srgb") })
    func `decoded pixels equal the expected colours exactly`(_ fixture: Fixture) throws {
        let image = try ImageDecoders.standard.decode(fixture.bytes())
        let expected = try fixture.colors().map { Pixel($0).bits }
        #expect(image.pixels == expected)
    }

    @Test(arguments: ["png-primaries-of-adobe-rgb.png", "png-primaries-of-prophoto-rgb.png"])
    func `other primaries are converted to sRGB`(_ name: String) throws {
        let fixture = Fixture(name: name)
        // The published matrices have seven digits and slightly other whites.
        #expect(try largestDifference(ImageDecoders.standard.decode(fixture.bytes()), fixture.colors()) <= 1)
    }

    @Test(arguments: Fixture.png)
    func `any single changed byte is detected`(_ fixture: Fixture) throws {
        var generator = SeededGenerator(seed: 1)
        var bytes = try fixture.bytes()
        var undetected: [Int] = []
        for index in bytes.indices {
            let original = bytes[index]
            bytes[index] ^= UInt8.random(in: 1...255, using: &generator)
            if (try? ImageDecoders.standard.decode(bytes)) != nil { undetected.append(index) }
            bytes[index] = original
        }
        #expect(undetected == [])
    }

    @Test(arguments: Fixture.png)
    func `damaged files never crash`(_ fixture: Fixture) throws {
        var generator = SeededGenerator(seed: 2)
        let bytes = try fixture.bytes()
        for _ in 0..<100 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                damaged[Int.random(in: 8..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let image = try? ImageDecoders.standard.decode(damaged)
            #expect((image == nil) == (damaged != bytes))
        }
    }

    @Test func `damaged files with valid checksums never crash`() throws {
        var generator = SeededGenerator(seed: 3)
        for fixture in Fixture.png {
            let chunks = try PNGFile(fixture.bytes()).chunks
            for _ in 0..<60 {
                var file = PNGFile(chunks: chunks)
                let index = Int.random(in: chunks.indices, using: &generator)
                for _ in 0..<Int.random(in: 1...3, using: &generator) where !file.chunks[index].data.isEmpty {
                    let place = Int.random(in: file.chunks[index].data.indices, using: &generator)
                    file.chunks[index].data[place] = .random(in: 0...255, using: &generator)
                }
                if let image = try? ImageDecoders.standard.decode(file.bytes, limits: .init(maximumPixelCount: 1 << 16))
                {
                    #expect(image.pixels.allSatisfy { isPremultiplied(Pixel(bits: $0)) })
                }
            }
        }
    }

    @Test func `an error states the position and the cause`() throws {
        var bytes = try Fixture(name: "png-rgb-8bit.png").bytes()
        bytes[bytes.count - 13] ^= 1
        let error = #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(bytes) }
        #expect(error?.code == .corrupt)
        #expect(error?.format == "png")
        // The changed byte is the last of the data chunk, ahead of the twelve bytes of IEND.
        #expect(error?.byteOffset == bytes.count - 12)
        #expect(error?.detail == "IDAT: CRC error")
    }

    private func isPremultiplied(_ pixel: Pixel) -> Bool {
        max(pixel.red, pixel.green, pixel.blue) <= pixel.alpha
    }
}
