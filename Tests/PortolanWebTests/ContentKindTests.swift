import PortolanWeb
import Testing

@Suite struct ContentKindTests {
    private static let signatures: [(bytes: [UInt8], kind: ContentKind?)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], ContentKind.png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        (Array("GIF89a..".utf8), .gif), (Array("RIFF....WEBPVP8 ".utf8), .webp), (Array("RIFF....WAVEfmt ".utf8), nil),
        ([0x49, 0x49, 0x2A, 0], .tiff), ([0x4D, 0x4D, 0, 0x2B], .tiff),
        (Array("BM".utf8) + [9, 9, 9, 9, 0, 0, 0, 0], .bmp), (Array("BMW is a make".utf8), nil),
        ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D], .jpeg2000), ([0, 0, 0, 0x20] + Array("ftypavif".utf8), .avif),
        (Array("%PDF-1.7".utf8), .pdf), (Array("SQLite format 3\0".utf8), .sqlite),
        (Array("PK\u{3}\u{4}".utf8), .zip), ([0x1F, 0x8B, 8], .gzip), ([0, 0, 0x27, 0x0A, 0], .shapefile),
        (Array("fgb\u{3}".utf8), .flatGeobuf), ([], nil), ([0, 0, 0], nil), (Array("plain".utf8), nil),
    ]

    @Test(arguments: signatures)
    func `a signature determines the kind`(bytes: [UInt8], kind: ContentKind?) {
        #expect(ContentKind(recognizing: bytes) == kind)
    }

    @Test(arguments: [
        ("<html>", ContentKind.markup), ("\u{FEFF} \n<?xml version='1.0'?><a/>", .markup), ("  {\"a\":1}", .json),
        ("[1]", .json), ("<svg/>", .svg), ("<svgs/>", .markup), ("<?xml version='1.0'?><!-- > --><svg ", .svg),
        ("<!DOCTYPE svg PUBLIC ''>\n<svg>", .svg), ("<!DOCTYPE html><svg>", .markup), ("<!-- <svg>", .markup),
    ])
    func `text formats are recognised by their first characters`(text: String, kind: ContentKind) {
        #expect(ContentKind(recognizing: Array(text.utf8)) == kind)
    }

    @Test func `text in UTF-16 is recognised as well`() {
        let wide = "<a/>".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(ContentKind(recognizing: [0xFF, 0xFE] + wide) == .markup)
    }

    @Test func `a raster image is not text`() {
        #expect(ContentKind.allCases.filter { $0.isRaster }.count == 8)
        #expect(ContentKind.allCases.filter { $0.isMarkup } == [.svg, .markup])
    }
}

@Suite struct MediaTypeTests {
    @Test(arguments: [
        ("image/png", "image/png", nil), (" Image/PNG ; mode=8bit", "image/png", nil), ("", "", nil),
        ("text/xml;charset=\"UTF-8\"", "text/xml", "utf-8"), ("a/b; x; Charset = ISO-8859-1 ;y", "a/b", "iso-8859-1"),
        ("a/b;charset", "a/b", nil), (";charset=utf-8", "", "utf-8"),
    ])
    func `a media type is parsed with its charset`(text: String, essence: String, charset: String?) {
        #expect(MediaType(text).essence == essence)
        #expect(MediaType(text).charset == charset)
    }

    @Test(arguments: [
        ("png", "image/png"), ("JPG", "image/jpeg"), ("image/png; mode=8bit", "image/png; mode=8bit"),
    ])
    func `a short image format name gives a media type`(name: String, type: String) {
        #expect(MediaType.text(ofImages: name) == type)
    }

    @Test func `a common misspelling of a media type is corrected`() {
        #expect(MediaType("image/JPG").registered == "image/jpeg")
        #expect(MediaType("image/JPG").isImage)
        #expect(!MediaType("text/html").isImage)
    }
}
