#if Text
import PortolanFeatures
import Testing

@testable import PortolanPaint

/// The ways in which the name of an area is written.
@Suite struct AreaNamesTests {
    @Test(arguments: ["Switzerland", "United Kingdom"])
    func `variants of a label share its list of variants, so that letters are reduced only once`(_ text: String) {
        let names = AreaNames()
        let label = SharedLabel(LabelSymbol(template: text, size: 20))
        let ways = names.ways(of: label, for: text)
        #expect(ways.first === label)
        #expect(ways.count > 2)
        #expect(ways.map(\.symbol.size).min() == 14)
        for way in ways {
            #expect(names.ways(of: way, for: text).map { ObjectIdentifier($0) } == ways.map { ObjectIdentifier($0) })
        }
    }
}
#endif
