import PortolanGeo
import PortolanPlan
import Testing

@Suite struct WMSSourceTests {
    @Test(arguments: [(nil, 4096), (100, 100), (0, 1), (-3, 1), (Int.max, Int.max)] as [(Int?, Int)])
    func `limits are at least a pixel, and 4096 where none is stated`(given: Int?, expected: Int) throws {
        let source = try WMSPlannerTests.source(maximum: given)
        #expect(source.maximumWidth == expected && source.maximumHeight == expected)
        #expect(source.crs == .webMercator)
    }
}
