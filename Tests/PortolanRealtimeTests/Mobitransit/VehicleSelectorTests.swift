import Foundation
import PortolanGeo
import Testing

@testable import PortolanRealtime

@Suite struct VehicleSelectorTests {
    @Test func `an interest becomes a selector of positions and lines`() {
        let extent = Extent(minX: 24.9, minY: 60.15, maxX: 24.98, maxY: 60.21)
        #expect(
            VehicleSelector.text(for: VehicleInterest(extent: extent, lines: ["1009", "1001"]))
                == "(longitude < 24.980000 and longitude > 24.900000 and latitude < 60.210000 and latitude > 60.150000) and "
                + "(line = '1001' or line = '1009' or line = '-')")
        #expect(VehicleSelector.text(for: VehicleInterest()) == nil)
        #expect(VehicleSelector.text(for: VehicleInterest(lines: [])) == "(line = '-')")
    }

    @Test(arguments: ["o'clock", "' or 1 = 1 or line = '", "''", "convert_string_expressions:", "\\'"])
    func `line names cannot inject parts of a selector`(line: String) throws {
        let text = try #require(VehicleSelector.text(for: VehicleInterest(lines: [line])))
        #expect(text.hasPrefix("(line = '"))
        // Out of the literals, whose quotes are doubled, nothing of the name is left.
        var outside = "", isInside = false
        for character in text {
            if character == "'" { isInside.toggle() } else if !isInside { outside.append(character) }
        }
        #expect(!isInside)
        #expect(outside == "(line =  or line = )")
    }

    @Test(arguments: [
        (0.0, "0.000000"), (-74.0817501, "-74.081750"), (1e-7, "0.000001"), (1e-300, "0.000001"), (180, "180.000000"),
        (-0.5, "-0.500000"), (.infinity, "0.000000"), (1e300, "1000000.000000"),
    ])
    func `numbers are written without exponent and comma`(number: Double, text: String) {
        #expect(VehicleSelector.number(number, .up) == text)
    }

    @Test func `a large number of lines is filtered by the client alone`() {
        #expect(VehicleSelector.text(for: VehicleInterest(lines: Set((0..<201).map(String.init)))) == nil)
    }
}
