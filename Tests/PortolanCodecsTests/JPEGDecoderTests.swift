import PortolanCodecs
import PortolanRaster
import TestHelpers
import Testing

@Suite struct JPEGDecoderTests {
    @Test(arguments: Fixture.jpeg)
    func `decoded pixels agree with those of another decoder`(_ fixture: Fixture) throws {
        let image = try ImageDecoders.standard.decode(fixture.bytes())
        // The inverse transform and the chroma filter may round otherwise from version to version.
        #expect(try largestDifference(image, fixture.colors()) <= 2)
        #expect(image.pixels.allSatisfy { $0 >> 24 == 255 })
    }

    @Test(arguments: Fixture.jpeg)
    func `damaged files never crash`(_ fixture: Fixture) throws {
        #expect(try failures(of: fixture, format: "jpeg", header: 3) > 100)
    }

    private func fullChroma(_ change: (inout [UInt8], _ frame: Int) -> Void) throws -> CodecError? {
        var bytes = try Fixture(name: "jpeg-full-chroma.jpg").bytes()
        let frame = try #require(bytes.firstRange(of: [0xff, 0xc0])).lowerBound
        change(&bytes, frame)
        return #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(bytes) }
    }

    @Test func `a sample precision of 12 bits is not supported`() throws {
        #expect(try fullChroma { $0[$1 + 4] = 12 }?.code == .unsupported)
    }

    @Test func `a lossless frame is not supported`() throws {
        #expect(try fullChroma { $0[$1 + 1] = 0xc3 }?.code == .unsupported)
    }

    @Test func `a width or height of zero is corrupt`() throws {
        #expect(try fullChroma { $0.replaceSubrange(($1 + 5)..<($1 + 7), with: [0, 0]) }?.code == .corrupt)
        #expect(try fullChroma { $0.replaceSubrange(($1 + 7)..<($1 + 9), with: [0, 0]) }?.code == .corrupt)
    }

    @Test func `a huge size is rejected before memory is allocated`() throws {
        let error = try fullChroma { $0.replaceSubrange(($1 + 5)..<($1 + 9), with: [0xea, 0x60, 0xea, 0x60]) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.detail.contains("60000x60000") == true)
    }

    @Test func `a size that the file cannot hold is rejected before memory is allocated`() throws {
        let error = try fullChroma { $0.replaceSubrange(($1 + 5)..<($1 + 9), with: [0x20, 0, 0x20, 0]) }
        #expect(error?.code == .truncated)
        #expect(error?.detail.contains("cannot hold") == true)
    }

    @Test func `stray bytes between segments are ignored`() throws {
        let bytes = try Fixture(name: "jpeg-grey-progressive.jpg").bytes()
        let picture = try ImageDecoders.standard.decode(bytes)
        let scan = try #require(bytes.firstRange(of: [0xff, 0xda])).lowerBound
        let quantization = try #require(bytes.firstRange(of: [0xff, 0xdb])).lowerBound
        for place in [quantization, scan, bytes.count - 2] {
            var odd = bytes
            odd.insert(contentsOf: [1, 2, 3], at: place)
            #expect(try ImageDecoders.standard.decode(odd) == picture)
        }
    }

    @Test(arguments: 1...8, [false, true])
    func `the Exif orientation is applied`(orientation: UInt8, isLittle: Bool) throws {
        // Red at the left and blue at the right above, white below, in blocks of eight pixels.
        var upright = PixelBuffer(size: try #require(ImageSize(width: 16, height: 24)))
        for y in 0..<24 {
            for x in 0..<16 {
                upright[x, y] = Pixel(
                    y > 7
                        ? .white : x < 8 ? MapColor(red: 255, green: 0, blue: 0) : MapColor(red: 0, green: 0, blue: 255)
                )
            }
        }
        // As the camera's chip saw it.
        let swaps = orientation > 4
        var seen = PixelBuffer(size: try #require(ImageSize(width: swaps ? 24 : 16, height: swaps ? 16 : 24)))
        for y in 0..<24 {
            for x in 0..<16 {
                let (column, row) = [
                    (x, y), (15 - x, y), (15 - x, 23 - y), (x, 23 - y), (y, x), (y, 15 - x), (23 - y, 15 - x),
                    (23 - y, x),
                ][Int(orientation) - 1]
                seen[column, row] = upright[x, y]
            }
        }
        let short: [UInt8] = isLittle ? [orientation, 0, 0, 0] : [0, orientation, 0, 0]
        func words(_ numbers: [UInt8]) -> [UInt8] { isLittle ? numbers.reversed() : numbers }
        let tiff: [UInt8] =
            (isLittle ? [0x49, 0x49] : [0x4D, 0x4D]) + words([0, 42]) + words([0, 0, 0, 8]) + words([0, 1])
            + words([0x01, 0x12]) + words([0, 3]) + words([0, 0, 0, 1]) + short + [0, 0, 0, 0]
        let segment = [0xFF, 0xE1, 0, UInt8(tiff.count + 8)] + Array("Exif\0\0".utf8) + tiff
        var bytes = try JPEGEncoder.encode(seen, quality: 100)
        bytes.insert(contentsOf: segment, at: 2)
        let picture = try ImageDecoders.standard.decode(bytes)
        #expect(try picture.size == upright.size && ImageDecoders.standard.size(of: bytes) == upright.size)
        for (x, y) in [(3, 3), (12, 3), (3, 20), (12, 20)] {
            let found = picture[x, y], wanted = upright[x, y]
            #expect(
                abs(Int(found.red) - Int(wanted.red)) < 40 && abs(Int(found.blue) - Int(wanted.blue)) < 40, "\(x) \(y)")
        }
        // What cannot be read counts as upright.
        for cut in 0..<tiff.count {
            var broken = try JPEGEncoder.encode(seen, quality: 100)
            broken.insert(
                contentsOf: [0xFF, 0xE1, 0, UInt8(cut + 8)] + Array("Exif\0\0".utf8) + tiff.prefix(cut), at: 2)
            #expect(throws: Never.self) { try ImageDecoders.standard.decode(broken) }
        }
    }

    @Test func `a warning of the decoder is an error with its position`() throws {
        let error = try fullChroma { bytes, _ in
            bytes.insert(contentsOf: [UInt8](repeating: 1, count: 100), at: bytes.count - 2)
        }
        #expect(error?.code == .corrupt)
        #expect(error?.byteOffset != nil)
        #expect(error?.detail.contains("extraneous bytes") == true)
    }

    /// A progressive picture of 2 by 2 blocks with well-formed scans that each refine one coefficient by nothing.
    private func scans(_ count: Int) throws -> [UInt8] {
        let bytes = try Fixture(name: "jpeg-grey-progressive.jpg").bytes()
        let first = try #require(bytes.firstRange(of: [0xff, 0xda])).lowerBound
        let end = try #require(bytes[first...].firstRange(of: [0xff, 0xc4])).lowerBound
        let component = bytes[first + 5]
        // A Huffman table whose only code, one bit 0, ends a block.
        let table: [UInt8] = [0xff, 0xc4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 16)
        var file = Array(bytes.prefix(end)) + table
        for index in 0..<count {
            let coefficient = UInt8(1 + index % 63)
            let bit = UInt8(13 - index / 63)
            let approximation = (index < 63 ? 0 : (bit + 1) << 4) | bit
            file += [0xff, 0xda, 0, 8, 1, component, 0, coefficient, coefficient, approximation, 0b0000_1111]
        }
        return file + [0xff, 0xd9]
    }

    @Test func `hundreds of scans are refused`() throws {
        #expect(try ImageDecoders.standard.decode(scans(450)).size.description == "13x11")
        let bytes = try scans(800)
        let error = #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(bytes) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.detail == "the picture is made of too many scans")
    }
}
