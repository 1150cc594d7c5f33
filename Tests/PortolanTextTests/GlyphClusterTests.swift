import PortolanRaster
import PortolanText
import Testing

@Suite struct GlyphClusterTests {
    @Test(arguments: ["AV A", "e\u{301}a", "", " "])
    func `the parts follow each other from left to right and hold all of the outline`(text: String) throws {
        let line = try Fixture.book(Fixture.sans).shape(text, request: FontRequest(), size: 64)
        #expect(line.clusters.count == text.count)
        var x = 0.0, element = 0
        for cluster in line.clusters {
            #expect(abs(cluster.x - x) < 1e-9)
            #expect(cluster.elements.lowerBound == element)
            x = cluster.x + cluster.advance
            element = cluster.elements.upperBound
        }
        #expect(abs(x - line.advance) < 1e-9)
        #expect(element == line.outline.elements.count)
    }

    @Test(arguments: [("سلام", true), ("A سلام", true), ("Ω Ж", false)])
    func `a line with joined letters is kept whole`(text: String, isWhole: Bool) throws {
        let line = try Fixture.book(Fixture.sans).shape(text, request: FontRequest(), size: 64)
        #expect(line.clusters.isEmpty == isWhole)
    }
}
