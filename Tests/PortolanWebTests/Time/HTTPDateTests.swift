import PortolanWeb
import Testing

@Suite struct HTTPDateTests {
    /// The example of RFC 9110, section 5.6.7, in its three forms, and moments told by `date -u -d … +%s`.
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Sun, 06 Nov 1994 08:49:37", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
        ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ("Mon, 18 Jan 2038 03:14:07 GMT", 2_147_397_247),
        ("Sun, 31 Dec 1899 12:00:00 GMT", -2_209_032_000),
    ])
    func `the three HTTP date formats are parsed`(text: String, seconds: Int) {
        #expect(HTTPDate.read(text) == seconds)
    }

    @Test(arguments: [
        "", "0", "-1", "never", "Sun, 06 Nov 1994", "Sun, 06 Xyz 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 99999 08:00:00 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 0000 08:49:37 GMT",
    ])
    func `an invalid date is refused`(text: String) {
        #expect(HTTPDate.read(text) == nil)
    }

    @Test func `a written date is read back`() {
        #expect(HTTPDate.text(of: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        for seconds in stride(from: -4_000_000_000, to: 40_000_000_000, by: 86_399_999) {
            #expect(HTTPDate.read(HTTPDate.text(of: seconds)) == seconds)
        }
    }
}
