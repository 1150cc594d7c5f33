import PortolanRaster
import Testing

@testable import PortolanStyles

@Suite struct StyleColorTests {
    @Test(arguments: [
        ("#f80", [255, 136, 0, 255]), ("#ff880080", [255, 136, 0, 128]), ("Navy", [0, 0, 128, 255]),
        ("transparent", [0, 0, 0, 0]), ("rgb(255, 0, 51)", [255, 0, 51, 255]), ("rgb(100% 0% 20%)", [255, 0, 51, 255]),
        ("rgba(255,0,51,.5)", [255, 0, 51, 128]), ("rgb(300 -5 0 / 50%)", [255, 0, 0, 128]),
        // The examples of CSS Color 4 section 7.
        ("hsl(120, 100%, 25%)", [0, 128, 0, 255]), ("hsl(120deg 75% 25% / 60%)", [16, 112, 16, 153]),
        ("hsl(-240,100%,25%)", [0, 128, 0, 255]), ("hsla(0, 0%, 100%, 0.7)", [255, 255, 255, 179]),
    ])
    func `CSS colours are parsed`(_ text: String, _ channels: [Int]) throws {
        let color = try #require(StyleColor(css: text)).color
        #expect([color.red, color.green, color.blue, color.alpha].map(Int.init) == channels)
    }

    @Test(arguments: [
        "", "#ff", "#ggg", "rgb(1,2)", "rgb(1 2,3)", "rgb(1,2,3,4,5)", "rgb(1%,2,3)", "hsl(1,2,3)", "hsl(1,2%,3%",
        "hwb(1 2% 3%)", "rgb(1,2,3)x", "rgb(1;2;3)", "redd", "rgb(nan,0,0)",
    ])
    func `an invalid colour is nil`(_ text: String) { #expect(StyleColor(css: text) == nil) }

    @Test func `interpolation in Lab and HCL differs from interpolation in RGB`() {
        let red = StyleColor(red: 1, green: 0, blue: 0), blue = StyleColor(red: 0, green: 0, blue: 1)
        #expect(red.interpolated(to: blue, at: 0.5, in: .rgb) == StyleColor(red: 0.5, green: 0, blue: 0.5))
        // CSS Color 4's sample code (D50): lab(41.9 74.5 -20.9) and lch(41.9 119 351.1).
        let lab = red.interpolated(to: blue, at: 0.5, in: .lab).color
        #expect((lab.red, lab.green, lab.blue) == (193, 0, 136))
        let hcl = red.interpolated(to: blue, at: 0.5, in: .hcl).color
        #expect((hcl.red, hcl.green, hcl.blue) == (245, 0, 134))
        for space in [ColorSpace.rgb, .lab, .hcl] {
            for part in [0.0, 1] {
                let end = red.interpolated(to: blue, at: part, in: space).color
                #expect(end == (part == 0 ? red : blue).color)
            }
        }
    }

    @Test func `a mix with grey in HCL keeps the hue of the colour`() {
        let white = StyleColor(red: 1, green: 1, blue: 1), green = StyleColor(red: 0, green: 0.5, blue: 0)
        let middle = white.interpolated(to: green, at: 0.5, in: .hcl).color
        #expect(middle.green > middle.red)
        #expect(middle.green > middle.blue)
    }
}
