import PortolanServices
import Testing

@Suite struct WMSNegotiationErrorTests {
    @Test(
        arguments: [
            (
                "EPSG:2056", ["EPSG:27200", "EPSG:900913", "EPSG:3857", "IGNF:X", "EPSG:25830"],
                "the layers cannot be had in EPSG:2056; possible are: EPSG:900913, EPSG:25830, EPSG:27200"
            ),
            (
                "IGNF:X", ["IGNF:X", "EPSG:4326"],
                "the reference system IGNF:X is offered, but not known here; possible are: EPSG:4326"
            ),
            (
                nil, ["IGNF:X"],
                "the layers cannot be had in a reference system with a known projection; of those that the service "
                    + "offers none is known here: IGNF:X"
            ),
        ] as [(String?, [String], String)])
    func `the systems that are possible are named, those with a projection first`(
        name: String?, offers: [String], words: String
    ) {
        #expect(WMSNegotiationError.crsNotOffered(name, offers: offers).description == words)
    }
}
