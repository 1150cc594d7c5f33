import PortolanRaster
import Testing

@Suite struct ColorCSSTests {
    @Test(arguments: [
        ("#fff", MapColor.white), ("#0F08", MapColor(red: 0, green: 255, blue: 0, alpha: 0x88)),
        ("#1a2B3c", MapColor(red: 0x1a, green: 0x2b, blue: 0x3c)),
        ("#1a2b3c4D", MapColor(red: 0x1a, green: 0x2b, blue: 0x3c, alpha: 0x4d)),
        ("rgb(1, 2,3)", MapColor(red: 1, green: 2, blue: 3)),
        ("RGBA(255,0,300,.5)", MapColor(red: 255, green: 0, blue: 255, alpha: 128)),
        ("rgb(10 20 30 / 25%)", MapColor(red: 10, green: 20, blue: 30, alpha: 64)),
        ("rgb(10 20 30/1)", MapColor(red: 10, green: 20, blue: 30)),
        ("rgba(100%,50%,0%,100%)", MapColor(red: 255, green: 128, blue: 0)),
        ("rgb(-5,1e2,0)", MapColor(red: 0, green: 100, blue: 0)),
        (" RebeccaPurple ", MapColor(red: 0x66, green: 0x33, blue: 0x99)),
        ("darkslategrey", MapColor(red: 0x2f, green: 0x4f, blue: 0x4f)),
        ("cornflowerblue", MapColor(red: 100, green: 149, blue: 237)), ("TRANSPARENT", .clear),
    ])
    func `CSS colours are parsed`(text: String, color: MapColor) {
        #expect(MapColor(css: text) == color)
    }

    @Test(arguments: [
        "", "#", "#12", "#12345", "#1234567", "#ggg", "#１２３", "reddish", "rgb()", "rgb(1,2)", "rgb(1,2,3,4,5)",
        "rgb(1 2 3 4)", "rgb(1,2,3", "rgb(1 2 3 / 1 / 1)", "rgb(a,b,c)", "rgb(nan,0,0)", "rgb(inf,0,0)",
        "rgb(0x10,0,0)",
        "hsl(1,2,3)", "rgb(1,,3)", "rgb(1e999,0,0)",
    ])
    func `invalid CSS colours give nil`(text: String) {
        #expect(MapColor(css: text) == nil)
    }
}
