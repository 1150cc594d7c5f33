import PortolanCodecs
import Testing

@Suite struct ImageFormatTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let format: ImageFormat?

        init(_ description: String, _ bytes: [UInt8], _ format: ImageFormat?) {
            testDescription = description
            self.bytes = bytes
            self.format = format
        }

        init(text: String, _ format: ImageFormat?) { self.init(text, Array(text.utf8), format) }
    }

    @Test(arguments: [
        Case("PNG", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0], .png),
        Case("PNG sent as text", [0x89, 0x50, 0x4e, 0x47, 0x0a, 0x1a, 0x0a], nil),
        Case("half a PNG signature", [0x89, 0x50, 0x4e, 0x47], nil),
        Case("JFIF", [0xff, 0xd8, 0xff, 0xe0], .jpeg),
        Case("JPEG with tables first", [0xff, 0xd8, 0xff, 0xdb], .jpeg),
        Case("half a JPEG signature", [0xff, 0xd8], nil),
        Case("GIF", Array("GIF89a".utf8), .gif),
        Case("old GIF", Array("GIF87a".utf8), .gif),
        Case("WebP", Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBPVP8 ".utf8), .webp),
        Case("WAVE", Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WAVEfmt ".utf8), nil),
        Case("little-endian TIFF", [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0], .tiff),
        Case("big-endian TIFF", [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8], .tiff),
        Case("BigTIFF", [0x49, 0x49, 0x2b, 0, 8, 0, 0, 0], .tiff),
        Case("BMP", [0x42, 0x4d, 9, 9, 0, 0, 0, 0, 0, 0, 54], .bmp),
        Case("nothing", [], nil),
        Case(text: "%PDF-1.7", .pdf),
        Case(text: "BMW is a car", nil),
        Case(text: "<svg xmlns='http://www.w3.org/2000/svg'/>", .svg),
        Case(text: "\u{feff}<?xml version='1.0'?>\n<!-- a > b --><svg>", .svg),
        Case(text: "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"x\">\n<svg", .svg),
        Case(text: "<!-- never ends", nil),
        Case(text: "<!-- <svg> -->", nil),
        Case(text: "<svgx/>", nil),
        Case(text: "<?xml version='1.0'?><ServiceException/>", nil),
        Case(text: "<html><svg/></html>", nil),
        Case(text: "<?xml", nil),
    ])
    func recognizes(_ test: Case) {
        #expect(ImageFormat(recognizing: test.bytes) == test.format)
    }

    @Test func `every format has its own media type`() {
        #expect(Set(ImageFormat.allCases.map(\.mediaType)).count == ImageFormat.allCases.count)
        #expect(ImageFormat.svg.mediaType == "image/svg+xml")
    }
}
