import PortolanCodecs
import PortolanRaster
import Testing

@Suite struct CodecErrorTests {
    @Test func `the description is one line with the position`() {
        let error = CodecError(code: .corrupt, format: "png", byteOffset: 57, detail: "IDAT: CRC error")
        #expect(error.description == "png corrupt at byte 57: IDAT: CRC error")
        #expect(error.shortDescription == "png corrupt")
    }

    @Test func `the description has no position if the error has none`() {
        let error = CodecError(code: .limitExceeded, format: "jpeg", detail: "too large")
        #expect(error.description == "jpeg too large: too large")
    }
}

@Suite struct CodecLimitsTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let file: String
        let limits: ImageDecoders.Limits
        let isAllowed: Bool
    }

    private static let allowed: [(String, ImageDecoders.Limits)] = [
        ("side fits", ImageDecoders.Limits(maximumSide: 13)),
        ("pixels fit", ImageDecoders.Limits(maximumPixelCount: 143)),
    ]

    private static let refused: [(String, ImageDecoders.Limits)] = [
        ("side too long", ImageDecoders.Limits(maximumSide: 12)),
        ("too many pixels", ImageDecoders.Limits(maximumPixelCount: 142)),
        ("too many bytes", ImageDecoders.Limits(maximumByteCount: 100)),
        ("too little memory", ImageDecoders.Limits(maximumMemory: 571)),
        ("nothing allowed", ImageDecoders.Limits(maximumPixelCount: -1, maximumMemory: -1)),
    ]

    private static let cases = ["png-rgba-8bit.png", "jpeg-full-chroma.jpg"].flatMap { file in
        allowed.map { Case(testDescription: "\(file): \($0)", file: file, limits: $1, isAllowed: true) }
            + refused.map { Case(testDescription: "\(file): \($0)", file: file, limits: $1, isAllowed: false) }
    }

    @Test(arguments: cases)
    func limits(_ test: Case) throws {
        let bytes = try Fixture(name: test.file).bytes()
        if test.isAllowed {
            #expect(try ImageDecoders.standard.decode(bytes, limits: test.limits).size.description == "13x11")
        } else {
            let error = #expect(throws: CodecError.self) {
                try ImageDecoders.standard.decode(bytes, limits: test.limits)
            }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test func `a progressive JPEG counts the memory of the decoder`() throws {
        let size = try #require(ImageSize(width: 640, height: 640))
        let bytes = try Fixture(name: "jpeg-progressive.jpg").bytes()
        let frame = try #require(bytes.firstRange(of: [0xff, 0xc2]))
        var large = bytes
        // Height and width in the frame header; the data then ends early, but memory is asked for before.
        large.replaceSubrange((frame.lowerBound + 5)..<(frame.lowerBound + 9), with: [2, 128, 2, 128])
        let pixels = size.pixelCount * 4
        let error = #expect(throws: CodecError.self) {
            try ImageDecoders.standard.decode(large, limits: .init(maximumMemory: pixels + 1_000_000))
        }
        #expect(error?.code == .limitExceeded)
        let other = #expect(throws: CodecError.self) { try ImageDecoders.standard.decode(large) }
        #expect(other?.code != .limitExceeded)
    }

    @Test func `the defaults allow 8192 by 8192 pixels`() {
        let limits = ImageDecoders.Limits()
        #expect(limits.maximumPixelCount == 8192 * 8192)
        #expect(limits.maximumSide == 65536)
        #expect(limits.maximumByteCount == 64 << 20)
        #expect(limits.maximumMemory == 1 << 30)
    }
}
