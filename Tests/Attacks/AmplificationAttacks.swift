import PortolanServices
import PortolanWeb
import Testing

/// Small documents that ask for much: what they cost is in proportion to their bytes, or bounded.
@Suite struct AmplificationAttacks {
    /// A WMS whose outermost layer lists much, and whose many layers inside each add a little to it.
    private static func wms(listing outer: String, layers count: Int, each inner: (Int) -> String) -> [UInt8] {
        var text = "<WMS_Capabilities version='1.3.0'><Service><Name>WMS</Name></Service><Capability><Request><GetMap>"
        text += "<Format>image/png</Format></GetMap></Request><Layer><Title>all</Title>" + outer
        for number in 0..<count { text += "<Layer><Name>l\(number)</Name>\(inner(number))</Layer>" }
        return Array((text + "</Layer></Capability></WMS_Capabilities>").utf8)
    }

    private static func list(_ count: Int, _ entry: (Int) -> String) -> String { (0..<count).map(entry).joined() }

    private static func box(_ crs: String) -> String {
        "<BoundingBox CRS='\(crs)' minx='0' miny='0' maxx='1' maxy='1'/>"
    }

    @Test func `layers that inherit the same thousands of CRSs share one list`() throws {
        let bytes = Self.wms(listing: Self.list(5000) { "<CRS>EPSG:\($0)</CRS>" }, layers: 1000) { _ in
            "<CRS>EPSG:7</CRS>"
        }
        let offered = try WMSCapabilitiesReader.read(bytes)
        #expect(offered.systemNames.count == 5000)
        #expect(!offered.warnings.contains { $0.description.contains("inherit") })
        #expect(offered.allLayers.allSatisfy { $0.crsNames.count == 5000 })
    }

    // What is listed, and how many of it layers have together.
    static let lists: [(name: String, bytes: [UInt8], count: @Sendable (WMSCapabilities.Layer) -> Int, limit: Int)] = [
        (
            "systems",
            wms(listing: list(7000) { "<CRS>EPSG:\($0)</CRS>" }, layers: 1500) { "<CRS>X:\($0)</CRS>" },
            { $0.crsNames.count }, 6_100_000
        ),
        (
            "bounding boxes",
            wms(listing: list(2000) { box("EPSG:\($0)") }, layers: 1000) { box("X:\($0)") },
            { $0.boundingBoxes.count }, 800_000
        ),
        (
            "styles",
            wms(listing: list(2000) { "<Style><Name>s\($0)</Name></Style>" }, layers: 1000) {
                "<Style><Name>x\($0)</Name></Style>"
            }, { $0.styles.count }, 400_000
        ),
        (
            "dimensions",
            wms(listing: list(2000) { "<Dimension name='d\($0)'/>" }, layers: 1000) { "<Dimension name='x\($0)'/>" },
            { $0.dimensions.count }, 550_000
        ),
    ]

    @Test(arguments: lists.indices)
    func `the lists that layers inherit are cut at a limit, with a warning`(place: Int) throws {
        let (name, bytes, count, limit) = Self.lists[place]
        let offered = try WMSCapabilitiesReader.read(bytes)
        #expect(offered.allLayers.reduce(0) { $0 + count($1) } < limit, "\(name)")
        #expect(offered.warnings.contains { $0.description.contains("inherit") }, "\(name)")
        // What a layer lists itself is always there.
        #expect(offered.allLayers.last.map(count) == 1, "\(name)")
    }

    @Test func `a document with more than 65,536 different names is rejected`() {
        let names = (0..<70_000).map { "<e\($0)/>" }.joined(separator: "\n")
        let text =
            "<WMS_Capabilities version='1.3.0'><Service><Name>WMS</Name></Service><Capability>\(names)</Capability></WMS_Capabilities>"
        let error = #expect(throws: CapabilitiesError.self) { try WMSCapabilitiesReader.read(Array(text.utf8)) }
        #expect(error?.description.contains("65536 different names") == true)
    }

    @Test func `one layer may list 20,000 styles and bounding boxes`() throws {
        let bytes = Self.wms(listing: "", layers: 1) { _ in
            Self.list(20_000) { "<Style><Name>s\($0)</Name></Style>" + Self.box("X:\($0)") }
        }
        let layer = try #require(WMSCapabilitiesReader.read(bytes).allLayers.last)
        #expect(layer.styles.count == 20_000)
        #expect(layer.boundingBoxes.count == 20_000)
    }

    @Test func `a tile matrix set that is linked a thousand times counts once`() throws {
        let link = "<TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet></TileMatrixSetLink>"
        let text = """
            <Capabilities version='1.0.0'><Contents><Layer><Identifier>a</Identifier><Format>image/png</Format>\
            \(String(repeating: link, count: 1000))</Layer><TileMatrixSet><Identifier>m</Identifier>\
            <SupportedCRS>EPSG:3857</SupportedCRS><TileMatrix><Identifier>0</Identifier>\
            <ScaleDenominator>559082264.0287178</ScaleDenominator><TopLeftCorner>-20037508.34 20037508.34</TopLeftCorner>\
            <TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>1</MatrixWidth><MatrixHeight>1</MatrixHeight>\
            </TileMatrix></TileMatrixSet></Contents></Capabilities>
            """
        let layer = try #require(WMTSCapabilitiesReader.read(Array(text.utf8)).layers.first)
        #expect(layer.links.map(\.matrixSet) == ["m"])
    }
}
