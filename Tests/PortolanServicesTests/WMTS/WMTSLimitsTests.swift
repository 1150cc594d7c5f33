import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

/// Limits that count rows in another way, as MapCache up to 1.14 writes them: named with the set's name before the
/// level's, grown by a metatile on each side, and counted from the bottom.
@Suite struct WMTSLimitsTests {
    /// A world of six levels; the limits of level 4 and 5 are those given, all others are whole levels.
    private static func text(fourth: ClosedRange<Int>, fifth: ClosedRange<Int>, box: String) -> WMTSText {
        var text = WMTSText.world(levels: 6)
        let limits = (0..<6).map { level in
            let all = 0...((1 << level) - 1), rows = level == 4 ? fourth : level == 5 ? fifth : all
            return """
                <TileMatrixLimits><TileMatrix>m:\(level)</TileMatrix><MinTileRow>\(rows.lowerBound)</MinTileRow>
                <MaxTileRow>\(rows.upperBound)</MaxTileRow><MinTileCol>0</MinTileCol>
                <MaxTileCol>\(all.upperBound)</MaxTileCol></TileMatrixLimits>
                """
        }.joined()
        text.layer = """
            \(box)<Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet>
            <TileMatrixSetLimits>\(limits)</TileMatrixSetLimits></TileMatrixSetLink>
            """
        return text
    }

    /// The Mediterranean, which is in row 5 and 6 of level 4, and in 11 and 12 of level 5.
    private static let mediterranean = """
        <ows:WGS84BoundingBox><ows:LowerCorner>-10 30</ows:LowerCorner><ows:UpperCorner>30 45</ows:UpperCorner>
        </ows:WGS84BoundingBox>
        """

    @Test(
        arguments: [
            // Counted from the top; larger and smaller than the box; one row smaller than it.
            (5...6, 11...13, 5...6, 11...13, nil), (4...8, 8...15, 4...8, 8...15, nil),
            (5...5, 12...12, 5...5, 12...12, nil),
            (6...9, 12...20, 6...9, 12...20, nil),
            // Counted from the bottom.
            (9...10, 18...20, 5...6, 11...13, "from the bottom"), (9...11, 13...25, 4...6, 6...18, "from the bottom"),
            // A level where both agree decides nothing.
            (4...15, 18...20, 0...11, 11...13, "from the bottom"), (0...15, 0...31, 0...15, 0...31, nil),
            // Elsewhere in both ways.
            (0...1, 0...1, 0...15, 0...31, "outside the layer's box"), (5...6, 30...31, 0...15, 0...31, "outside"),
            // Beyond the level.
            (5...900, 11...900, 5...15, 11...31, nil),
        ] as [(ClosedRange<Int>, ClosedRange<Int>, ClosedRange<Int>, ClosedRange<Int>, String?)])
    func `limit rows are checked against the layer's box`(
        fourth: ClosedRange<Int>, fifth: ClosedRange<Int>, wanted: ClosedRange<Int>, wantedFifth: ClosedRange<Int>,
        note: String?
    ) throws {
        let request = try Self.text(fourth: fourth, fifth: fifth, box: Self.mediterranean).request()
        #expect(request.grid.matrices.map(\.id) == ["0", "1", "2", "3", "4", "5"])
        #expect(request.grid.matrices[4].rows == wanted && request.grid.matrices[5].rows == wantedFifth)
        #expect(request.warnings.contains { $0.description.contains("limits") } == (note != nil), "\(request.warnings)")
        if let note { #expect(request.warnings.contains { $0.description.contains(note) }, "\(request.warnings)") }
    }

    @Test func `limits of a layer without a box are kept`() throws {
        let request = try Self.text(fourth: 9...10, fifth: 18...20, box: "").request()
        #expect(request.grid.matrices[4].rows == 9...10)
        #expect(request.warnings.isEmpty)
    }

    @Test(arguments: [Int.max, Int.max - 1, 1 << 40]) func `huge limits do not overflow`(row: Int) throws {
        let request = try Self.text(fourth: row...Int.max, fifth: 0...Int.max, box: Self.mediterranean).request()
        #expect(!request.grid.matrices.isEmpty)
    }
}
