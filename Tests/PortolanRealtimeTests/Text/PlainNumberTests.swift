import Testing

@testable import PortolanRealtime

@Suite struct PlainNumberTests {
    @Test(arguments: [
        ("1.5", 1.5 as Double?), (" -7 ", -7), ("1e3", 1000), ("nan", nil), ("inf", nil), ("0x10", nil), ("1,5", nil),
        ("", nil), ("1e999", nil),
    ])
    func `only plain numbers are parsed`(text: String, number: Double?) { #expect(PlainNumber.double(text) == number) }
}
