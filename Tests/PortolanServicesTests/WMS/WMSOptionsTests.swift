import PortolanServices
import Testing

@Suite struct WMSNegotiationErrorTests {
    @Test(
        arguments: [
            (
                "EPSG:2056", ["EPSG:27200", "EPSG:900913", "EPSG:3857", "IGNF:X", "EPSG:25830"],
                "the layers are not available in EPSG:2056; available: EPSG:900913, EPSG:25830, EPSG:27200"
            ),
            (
                "IGNF:X", ["IGNF:X", "EPSG:4326"],
                "the CRS IGNF:X is offered, but not supported here; available: EPSG:4326"
            ),
            (
                nil, ["IGNF:X"],
                "the layers are not available in a supported CRS; none of the offered ones "
                    + "is supported here: IGNF:X"
            ),
        ] as [(String?, [String], String)])
    func `the error lists the possible CRSs, those with a known projection first`(
        name: String?, offers: [String], words: String
    ) {
        #expect(WMSNegotiationError.crsNotOffered(name, offers: offers).description == words)
    }
}
