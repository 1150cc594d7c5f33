import Portolan
import PortolanCity
import PortolanStyles
import PortolanTransit
import Testing

@Suite struct TransitStyleTests {
    @Test(arguments: [
        (true, true, true, ["line-casings", "lines", "stop-rings", "stop-centres", "stop-names", "line-names"]),
        (true, false, true, ["line-casings", "lines", "line-names"]),
        (false, true, false, ["stop-rings", "stop-centres"]), (false, false, false, []),
    ])
    func `each combination of parts gives a style`(lines: Bool, stops: Bool, names: Bool, layers: [String]) {
        var parts = TransitStyle.Parts()
        parts.lines = lines
        parts.stops = stops
        parts.names = names
        #expect(TransitStyle.sheet(parts).layers.map(\.id) == layers)
    }

    @Test func `each vehicle mode has a badge with a symbol`() {
        for mode in TransitMode.allCases {
            let badge = LiveLayer.Appearance.transit.badges[mode.rawValue]
            #expect(badge?.symbol != nil)
            #expect(badge?.color == mode.color)
        }
    }
}
