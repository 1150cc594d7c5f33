import PortolanFeatures
import Testing

/// Dash styles and their pixels.
struct DashStyleTests {
    @Test(
        arguments: [
            ("solid", []), ("dot", [1, 8]), ("dash", [8, 8]), ("dashdot", [8, 8, 1, 8]), ("longdash", [16, 8]),
            ("LongDashDot", [16, 8, 1, 8]), ("4 2", [4, 2]), ("4,2, 1", [4, 2, 1]),
        ] as [(String, [Double])])
    func `a dash name or list gives pixels on a line two pixels wide`(text: String, pixels: [Double]) {
        #expect(LineSymbol.DashStyle(text)?.dashes(width: 2) == pixels)
    }

    @Test(arguments: ["dashy", "1 -1", "0 0", "nan 1", ", ,", "1e9"])
    func `invalid dash styles give nil`(text: String) {
        #expect(LineSymbol.DashStyle(text) == nil)
    }
}
