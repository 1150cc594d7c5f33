import PortolanCodecs
import Testing

@Suite struct JPEGSegmentsTests {
    @Test(
        arguments: [
            ("jpeg-full-chroma", 3), ("jpeg-half-chroma", 3), ("jpeg-progressive", 3), ("jpeg-grey", 1),
            ("jpeg-grey-progressive", 1), ("jpeg-restart-markers", 3),
            // Inks, and colours that programs take for others.
            ("jpeg-cmyk", nil), ("jpeg-ycck", nil), ("jpeg-cmyk-without-marker", nil), ("jpeg-rgb", nil),
        ] as [(String, Int?)])
    func `only files that all programs show alike can be embedded`(name: String, count: Int?) throws {
        let bytes = try Fixture(name: name + ".jpg").bytes()
        #expect(JPEGSegments.embeddableChannelCount(of: bytes) == count)
        for length in stride(from: 0, to: min(bytes.count, 700), by: 7) {
            _ = JPEGSegments.embeddableChannelCount(of: Array(bytes[..<length]))
        }
    }
}
