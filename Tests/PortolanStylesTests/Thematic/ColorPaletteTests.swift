import PortolanRaster
import Testing

@testable import PortolanStyles

struct ColorPaletteTests {
    @Test func `palettes of ColorBrewer have its published colours`() throws {
        let table: [(String, Int, [String])] = [
            ("blues", 3, ["#deebf7", "#9ecae1", "#3182bd"]),
            ("ylgnbu", 5, ["#ffffcc", "#a1dab4", "#41b6c4", "#2c7fb8", "#253494"]),
            ("rdbu", 4, ["#ca0020", "#f4a582", "#92c5de", "#0571b0"]), ("set2", 2, ["#66c2a5", "#fc8d62"]),
            ("blues", 2, ["#deebf7", "#3182bd"]), ("blues", 1, ["#9ecae1"]),
        ]
        for (name, count, colors) in table {
            #expect(ColorPalette(named: name)?.colors(count)?.map(\.hexText) == colors)
        }
    }

    @Test func `all palettes give as many distinct colours as asked for, up to their maximum`() throws {
        #expect(ColorPalette.all.count == 41 && Set(ColorPalette.all.map(\.name)).count == 41)
        for palette in ColorPalette.all {
            for count in 1...min(palette.maximumCount, 32) {
                let colors = try #require(palette.colors(count))
                #expect(colors.count == count && Set(colors).count == count, "\(palette.name), \(count)")
            }
            #expect(palette.colors(palette.maximumCount + 1) == nil && palette.colors(0) == nil)
        }
    }

    @Test func `names are found in any case`() {
        #expect(ColorPalette(named: "YlOrRd")?.name == "ylorrd" && ColorPalette(named: "Viridis")?.kind == .sequential)
        #expect(ColorPalette(named: "rainbow") == nil)
        #expect(ColorPalette(named: "turbo")?.safeCount == 0 && ColorPalette(named: "rdylgn")?.safeCount == 0)
    }
}
