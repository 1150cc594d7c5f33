import PortolanServices
import Testing

@Suite struct GetCapabilitiesRequestTests {
    @Test(arguments: [
        (nil as WMSVersion?, false, "http://h/s?map=x&SERVICE=WMS&REQUEST=GetCapabilities"),
        (.v1_0_0, false, "http://h/s?map=x&SERVICE=WMS&WMTVER=1.0.0&REQUEST=capabilities"),
        (.v1_1_1, true, "http://h/s?map=x&SERVICE=WMS&VERSION=1.1.1&REQUEST=GetCapabilities&TILED=true"),
        (.v1_3_0, false, "http://h/s?map=x&SERVICE=WMS&VERSION=1.3.0&REQUEST=GetCapabilities"),
    ])
    func `the document is asked for in the words of the version`(version: WMSVersion?, isTiled: Bool, url: String) {
        let base = "http://h/s?map=x&request=GetCapabilities&service=WMS&version="
        #expect(GetCapabilitiesRequest(version: version, baseURL: base, isTiled: isTiled).url == url)
    }
}
