import PortolanServices
import PortolanWeb
import Testing

@Suite struct WMTSDocumentAddressTests {
    private static let query = "SERVICE=WMTS&REQUEST=GetCapabilities&VERSION=1.0.0"

    @Test(arguments: [
        (
            "http://h/service?",
            [
                "http://h/service?\(query)", "http://h/service/1.0.0/WMTSCapabilities.xml",
                "http://h/wmts/1.0.0/WMTSCapabilities.xml",
            ]
        ),
        (
            "http://h/a/wmts/?map=x",
            [
                "http://h/a/wmts/?map=x&\(query)", "http://h/a/wmts/1.0.0/WMTSCapabilities.xml?map=x",
            ]
        ),
        ("http://h/WMTSCapabilities.xml?key=1", ["http://h/WMTSCapabilities.xml?key=1"]),
        (
            "http://h/s?request=GetCapabilities&service=WMTS&v=1",
            [
                "http://h/s?request=GetCapabilities&service=WMTS&v=1", "http://h/s?v=1&\(query)",
                "http://h/s/1.0.0/WMTSCapabilities.xml?v=1", "http://h/wmts/1.0.0/WMTSCapabilities.xml?v=1",
            ]
        ),
        (
            "http://h",
            [
                "http://h?\(query)", "http://h/1.0.0/WMTSCapabilities.xml", "http://h/wmts/1.0.0/WMTSCapabilities.xml",
            ]
        ),
    ])
    func `a service is tried with KVP parameters first, then by REST path`(url: String, candidates: [String]) {
        #expect(WMTSDocumentAddress.candidates(for: url) == candidates)
    }
}
