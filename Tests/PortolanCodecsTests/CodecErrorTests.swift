import PortolanCodecs
import Testing

@Suite struct CodecErrorTests {
    @Test func `the description is one line with the place`() {
        let error = CodecError(code: .corrupt, format: "png", byteOffset: 57, detail: "IDAT: CRC error")
        #expect(error.description == "png corrupt at byte 57: IDAT: CRC error")
        #expect(error.shortDescription == "png corrupt")
    }

    @Test func `without a place none is made up`() {
        let error = CodecError(code: .limitExceeded, format: "jpeg", detail: "too large")
        #expect(error.description == "jpeg limitExceeded: too large")
    }
}
