import PortolanRaster
import Testing

/// Colours changed as MapLibre's shader of rasters changes them.
@Suite struct ColorAdjustmentTests {
    /// A change and what it makes of a colour.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let change: @Sendable (inout ColorAdjustment) -> Void
        let color: MapColor
        let wanted: MapColor
        var testDescription: String { name }
    }

    private static let orange = MapColor(red: 200, green: 100, blue: 50)

    @Test(arguments: [
        Case(name: "nothing", change: { _ in }, color: orange, wanted: orange),
        Case(
            name: "grey", change: { $0.saturation = -1 }, color: orange,
            wanted: MapColor(red: 117, green: 117, blue: 117)),
        Case(
            name: "no contrast", change: { $0.contrast = -1 }, color: orange,
            wanted: MapColor(red: 128, green: 128, blue: 128)),
        Case(
            name: "twice the contrast", change: { $0.contrast = 0.5 }, color: orange,
            wanted: MapColor(red: 255, green: 73, blue: 0)),
        Case(
            name: "brighter", change: { $0.leastBrightness = 0.5 }, color: orange,
            wanted: MapColor(red: 228, green: 178, blue: 153)),
        Case(
            name: "darker", change: { $0.mostBrightness = 0.5 }, color: orange,
            wanted: MapColor(red: 100, green: 50, blue: 25)),
        Case(
            name: "a third of a turn", change: { ($0.hueCosine, $0.hueSine) = (-0.5, 0.8660254037844386) },
            color: MapColor(red: 255, green: 0, blue: 0), wanted: MapColor(red: 0, green: 255, blue: 0)),
        Case(name: "clear", change: { $0.leastBrightness = 1 }, color: .clear, wanted: .clear),
    ])
    func `an adjustment changes the colours`(_ test: Case) throws {
        var adjustment = ColorAdjustment()
        test.change(&adjustment)
        let size = try #require(ImageSize(width: 2, height: 1))
        let image = PixelBuffer(size: size, filledWith: Pixel(test.color))
        let changed = adjustment.applied(to: image)[1, 0].color
        #expect(abs(Int(changed.red) - Int(test.wanted.red)) <= 1)
        #expect(changed.alpha == test.wanted.alpha)
        #expect(abs(Int(changed.green) - Int(test.wanted.green)) <= 1)
        #expect(abs(Int(changed.blue) - Int(test.wanted.blue)) <= 1)
    }
}
