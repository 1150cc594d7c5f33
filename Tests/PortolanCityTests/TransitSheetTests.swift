import Portolan
import PortolanCity
import PortolanTransit
import Testing

@Suite struct TransitSheetTests {
    @Test(arguments: [(true, true, true), (true, false, true), (false, true, false), (false, false, false)])
    func `every choice of parts is a style`(lines: Bool, stops: Bool, names: Bool) {
        var parts = TransitSheet.Parts()
        parts.lines = lines
        parts.stops = stops
        parts.names = names
        _ = TransitSheet.sheet(parts)
    }

    @Test func `every kind of vehicle has a badge with a sign`() {
        for mode in TransitMode.allCases {
            let badge = LiveStyle.transit.badges[mode.rawValue]
            #expect(badge?.symbol != nil && badge?.color == mode.color)
        }
    }
}
