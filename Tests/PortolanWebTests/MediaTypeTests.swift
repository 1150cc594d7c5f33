import PortolanWeb
import Testing

@Suite struct MediaTypeTests {
    @Test(arguments: [
        ("image/png", "image/png", nil), (" Image/PNG ; mode=8bit", "image/png", nil), ("", "", nil),
        ("text/xml;charset=\"UTF-8\"", "text/xml", "utf-8"), ("a/b; x; Charset = ISO-8859-1 ;y", "a/b", "iso-8859-1"),
        ("a/b;charset", "a/b", nil), (";charset=utf-8", "", "utf-8"),
    ])
    func `a type is read with its charset`(text: String, essence: String, charset: String?) {
        #expect(MediaType(text).essence == essence)
        #expect(MediaType(text).charset == charset)
    }

    @Test(arguments: [
        ("png", "image/png"), ("JPG", "image/jpeg"), ("image/png; mode=8bit", "image/png; mode=8bit"),
    ])
    func `a short name of images has a type`(name: String, type: String) {
        #expect(MediaType.text(ofImages: name) == type)
    }

    @Test func `a usual slip is mended`() {
        #expect(MediaType("image/JPG").registered == "image/jpeg")
        #expect(MediaType("image/JPG").isImage && !MediaType("text/html").isImage)
    }
}
