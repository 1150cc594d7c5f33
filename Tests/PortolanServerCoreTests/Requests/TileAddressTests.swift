import PortolanServerCore
import Testing

@Suite struct TileAddressTests {
    @Test(arguments: [
        ("m/3/4/5.png", 3, 4, 5, 1, ServedFormat.png), ("m/3/4/5@2x.jpg", 3, 4, 5, 2, .jpg),
        ("m/3/4/5@4x.webp", 3, 4, 5, 4, .webp), ("m/0/0/0.jpeg", 0, 0, 0, 1, .jpg),
    ])
    func `a tile address is parsed from its path`(
        path: String, level: Int, column: Int, row: Int, ratio: Int, format: ServedFormat
    ) throws {
        let tile = try TileAddress(path.split(separator: "/").map(String.init))
        #expect(tile.map == "m" && tile.grid == "WebMercatorQuad")
        #expect((tile.level, tile.column, tile.row) == (level, column, row))
        #expect(tile.ratio == ratio && tile.format == format)
    }

    @Test(arguments: [
        ("m/3/4", ProblemFacts(404)), ("m/a/4/5.png", ProblemFacts(400, "z")), ("m/3/-4/5.png", ProblemFacts(400, "x")),
        ("m/3/4/5.5.png", ProblemFacts(400, "y")), ("m/3/4/5", ProblemFacts(400, "format")),
        ("m/3/4/5.gif", ProblemFacts(400, "format")), ("m/3/4/5.svg", ProblemFacts(400, "format")),
        ("m/3/4/5@5x.png", ProblemFacts(400, "ratio")), ("m/3/4/5@2.png", ProblemFacts(400, "ratio")),
        ("m/99999999999999999999/4/5.png", ProblemFacts(400, "z")), ("m/3/+4/5.png", ProblemFacts(400, "x")),
    ])
    func `an error in a path is named`(path: String, facts: ProblemFacts) {
        do throws(Problem) {
            _ = try TileAddress(path.split(separator: "/").map(String.init))
            Issue.record("it was read")
        } catch { #expect(ProblemFacts(error) == facts) }
    }
}
