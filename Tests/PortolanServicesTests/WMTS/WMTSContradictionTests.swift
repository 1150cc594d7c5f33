import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

/// Documents that contradict themselves, or leave out what they must have: more is asked for rather than less, and it is reported.
@Suite struct WMTSContradictionTests {
    private static func limit(_ level: Int, _ rows: ClosedRange<Int>, _ columns: ClosedRange<Int>) -> String {
        """
        <TileMatrixLimits><TileMatrix>\(level)</TileMatrix><MinTileRow>\(rows.lowerBound)</MinTileRow>
        <MaxTileRow>\(rows.upperBound)</MaxTileRow><MinTileCol>\(columns.lowerBound)</MinTileCol>
        <MaxTileCol>\(columns.upperBound)</MaxTileCol></TileMatrixLimits>
        """
    }

    private static func link(_ limits: String...) -> String {
        "<TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet><TileMatrixSetLimits>\(limits.joined())</TileMatrixSetLimits>"
            + "</TileMatrixSetLink>"
    }

    private static let box = """
        <ows:WGS84BoundingBox><ows:LowerCorner>-180 -85.05</ows:LowerCorner><ows:UpperCorner>180 85.05</ows:UpperCorner>
        </ows:WGS84BoundingBox>
        """

    private static func request(_ layer: String, levels: Int = 4) throws -> WMTSTileRequest {
        var text = WMTSText.world(levels: levels)
        text.layer = layer + "<Format>image/png</Format>"
        return try text.request()
    }

    @Test func `several limits of a matrix are merged into one enclosing area`() throws {
        let request = try Self.request(
            Self.link(
                Self.limit(0, 0...0, 0...0), Self.limit(1, 0...1, 0...0), Self.limit(1, 0...1, 1...1),
                Self.limit(2, 1...1, 0...0), Self.limit(2, 2...2, 3...3)))
        #expect(request.grid.matrices.map(\.rows) == [0...0, 0...1, 1...2])
        #expect(request.grid.matrices.map(\.columns) == [0...0, 0...1, 0...3])
        #expect(request.warnings.map(\.message).contains { $0.contains("several limits for matrix '1' and 1 more") })
    }

    @Test func `identical duplicate limits give no warning`() throws {
        let request = try Self.request(Self.link(Self.limit(1, 0...1, 0...0), Self.limit(1, 0...1, 0...0)))
        #expect(request.grid.matrices.map(\.columns) == [0...0])
        #expect(request.warnings.isEmpty)
    }

    @Test func `two links to a matrix set are merged`() throws {
        let twice = try Self.request(
            Self.link(Self.limit(1, 0...1, 0...0)) + Self.link(Self.limit(1, 0...1, 1...1)))
        #expect(twice.grid.matrices.map(\.columns) == [0...1])
        let free = try Self.request(
            Self.link(Self.limit(1, 0...1, 0...0))
                + "<TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet></TileMatrixSetLink>")
        #expect(free.grid.matrices.count == 4 && free.grid.matrices[1].columns == 0...1)
    }

    /// MapCache counts from the bottom, and states the whole world for a box that was not configured.
    @Test func `rows of ambiguous direction are requested from the top and the bottom`() throws {
        let limits = Self.link(
            Self.limit(0, 0...0, 0...0), Self.limit(1, 0...1, 0...1), Self.limit(2, 1...1, 2...2),
            Self.limit(3, 2...3, 4...5))
        let request = try Self.request(Self.box + limits)
        #expect(request.grid.matrices.map(\.rows) == [0...0, 0...1, 1...2, 2...5])
        #expect(request.grid.matrices.map(\.columns) == [0...0, 0...1, 2...2, 4...5])
        #expect(request.warnings.map(\.message).contains { $0.contains("the top or the bottom") })
    }

    @Test(arguments: [(0...7, 4...7), (0...7, 0...7), (1...7, 0...7)])
    func `limits that span all or nearly all rows are kept`(
        rows: ClosedRange<Int>, columns: ClosedRange<Int>
    ) throws {
        let request = try Self.request(Self.box + Self.link(Self.limit(3, rows, columns)))
        #expect(request.grid.matrices.map(\.rows) == [rows])
        #expect(request.grid.matrices.map(\.columns) == [columns])
        #expect(request.warnings.isEmpty)
    }

    @Test func `duplicate layers and matrices are reported`() throws {
        var text = WMTSText.world(levels: 2)
        text.matrices.append(("1", "1000", "0 0", 5, 5))
        let document = text.text.replacing(
            "</Contents>", with: "<Layer><ows:Identifier>l</ows:Identifier></Layer></Contents>")
        let read = try WMTSCapabilitiesReader.read(Array(document.utf8))
        #expect(read.matrixSets[0].matrices.map(\.columnCount) == [1, 2])
        let messages = read.warnings.map(\.message)
        #expect(
            messages.contains { $0.contains("duplicate matrix '1'") }
                && messages.contains { $0.contains("duplicate layer 'l'") })
    }

    @Test func `several geographic boxes are merged into one`() throws {
        var text = WMTSText.world()
        text.layer += """
            <ows:WGS84BoundingBox><ows:LowerCorner>0 0</ows:LowerCorner><ows:UpperCorner>10 10</ows:UpperCorner>
            </ows:WGS84BoundingBox><ows:WGS84BoundingBox><ows:LowerCorner>20 20</ows:LowerCorner>
            <ows:UpperCorner>30 30</ows:UpperCorner></ows:WGS84BoundingBox>
            """
        #expect(try text.capabilities().layers[0].geographicBox == BoundingBox(minX: 0, minY: 0, maxX: 30, maxY: 30))
    }

    // MARK: What is missing

    @Test(arguments: ["MatrixWidth", "MatrixHeight"])
    func `a missing matrix size is derived from the world extent with a warning`(name: String) throws {
        let text = WMTSText.world().text.replacing(try Regex("<\(name)>[0-9]+</\(name)>"), with: "")
        let read = try WMTSCapabilitiesReader.read(Array(text.utf8))
        #expect(read.matrixSets[0].matrices.map(\.columnCount) == [1, 2, 4])
        #expect(read.matrixSets[0].matrices.map(\.rowCount) == [1, 2, 4])
        #expect(read.warnings.map(\.effect) == [.repaired])
        #expect(read.warnings.allSatisfy { $0.message.contains("\(name) is missing") })
    }

    @Test(arguments: ["ScaleDenominator", "TopLeftCorner", "TileWidth", "TileHeight", "MatrixWidth", "MatrixHeight"])
    func `an unusable matrix set is an error that names the missing element`(name: String) throws {
        // Where the world ends is not known of this system.
        var document = WMTSText.world()
        document.crs = "urn:ogc:def:crs:EPSG::25830"
        let text = document.text.replacing(try Regex("<\(name)>[^<]+</\(name)>"), with: "")
        let read = try WMTSCapabilitiesReader.read(Array(text.utf8))
        let error = #expect(throws: WMTSError.self) {
            try WMTSNegotiation.request(for: WMTSOptions(), of: read, baseURL: "http://h/wmts", mapCRS: .webMercator)
        }
        #expect("\(try #require(error))".contains("\(name) is missing"))
    }

    // MARK: Formats

    @Test(arguments: [
        (["tiles"], "tiles"), (["application/x-nobody"], "application/x-nobody"), (["png"], "png"),
        (["JPG", "tiles"], "JPG"),
        (["tiles", "image/png"], "image/png"), (["application/json", "tiles"], "tiles"),
        (["application/octet-stream"], "application/octet-stream"),
    ])
    func `an unknown format is used verbatim`(formats: [String], taken: String) throws {
        var text = WMTSText.world()
        text.layer =
            "<TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet></TileMatrixSetLink>"
            + formats.map { "<Format>\($0)</Format>" }.joined()
        #expect(try text.request().format == taken)
    }

    @Test(arguments: [
        "application/vnd.mapbox-vector-tile", "application/json", "application/x-protobuf", "image/tiff", "text/html",
        "application/json;type=utfgrid",
    ])
    func `formats that are not images are refused`(format: String) throws {
        var text = WMTSText.world()
        text.layer = "<TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet></TileMatrixSetLink><Format>\(format)</Format>"
        #expect(throws: WMTSError.formatNotOffered(nil, offers: [format])) { try text.request() }
    }

    // MARK: Systems and addresses

    @Test func `the key crs gives the CRS of a matrix set with an unknown one`() throws {
        var text = WMTSText.world()
        text.crs = "urn:example:own:crs"
        let error = #expect(throws: WMTSError.self) { try text.request() }
        #expect("\(try #require(error))".contains("the key crs"))
        let request = try text.request(WMTSOptions(crsName: "EPSG:3857"))
        #expect(request.grid.crs == .webMercator)
        #expect(request.grid.matrices.count == 3)
        #expect(throws: WMTSError.self) { try text.request(WMTSOptions(crsName: "EPSG:0")) }
    }

    @Test func `all tile addresses are alternatives, the first template first`() throws {
        var text = WMTSText.world()
        text.operations = """
            <ows:Operation name="GetTile"><ows:DCP><ows:HTTP><ows:Get xlink:href="http://h/kvp?"/>
            <ows:Get xlink:href="http://h2/kvp?"/></ows:HTTP></ows:DCP></ows:Operation>
            """
        for host in ["a", "b", "a"] {
            text.layer += """
                <ResourceURL format="image/png" resourceType="tile" template="http://\(host)/{TileMatrix}/{TileRow}/{TileCol}"/>
                """
        }
        func hosts(_ choice: WMTSOptions) throws -> [String] {
            let request = try text.request(choice)
            let tile = try #require(request.grid.tile(level: 0, column: 0, row: 0))
            return ([request.url(for: tile)].compactMap(\.self) + request.otherURLs(for: tile)).map {
                String($0.prefix { $0 != "?" })
            }
        }
        #expect(try hosts(WMTSOptions()) == ["http://a/0/0/0", "http://b/0/0/0", "http://h/kvp", "http://h2/kvp"])
        #expect(try hosts(WMTSOptions(encoding: .path)) == ["http://a/0/0/0", "http://b/0/0/0"])
        #expect(try hosts(WMTSOptions(encoding: .parameters)) == ["http://h/kvp", "http://h2/kvp"])
    }

    @Test func `an invalid template is named if there is no other address`() throws {
        var text = WMTSText.world()
        text.layer +=
            "<ResourceURL format='image/png' resourceType='tile' template='http://a/{{TileMatrix}}/{TileCol}'/>"
        let error = #expect(throws: WMTSError.self) { try text.request() }
        #expect("\(try #require(error))".contains("{{TileMatrix}}"))
    }
}
