import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

/// Grids from what services write: each test is a way in which they deviate.
@Suite struct WMTSGridTests {
    private static let half = 20_037_508.342789244

    @Test(arguments: ["wmts-kvp-caps.xml", "wmts-rest-caps.xml"])
    func `the Web Mercator set of a real service equals the XYZ grid exactly`(file: String) throws {
        let offered = try WMTSCapabilitiesReader.read(Fixture.bytes("mapproxy/\(file)"))
        let grid = try #require(offered.matrixSet(named: "webmercator")?.grid().grid)
        let xyz = try #require(TileGrid.webMercator(levels: 0...18))
        #expect(grid.crs == .webMercator)
        #expect(grid.matrices.first?.id == "00")
        #expect(
            zip(grid.matrices, xyz.matrices).allSatisfy { $0.resolution == $1.resolution && $0.origin == $1.origin })
        #expect(grid.matrices.map(\.columnCount) == xyz.matrices.map(\.columnCount))
    }

    @Test func `scale denominators assume the OGC pixel size and degrees at the equator`() throws {
        let offered = try WMTSCapabilitiesReader.read(Fixture.bytes("mapproxy/wmts-kvp-caps.xml"))
        let geodetic = try #require(offered.matrixSet(named: "geodetic_nw")?.grid().grid)
        // 360 degrees in 512 pixels; the corner is written north first.
        #expect(geodetic.matrices[0].resolution.unitsPerPixel == 0.703125)
        #expect(geodetic.matrices[0].tileWidth == 512)
        #expect(geodetic.matrices[0].origin == Coordinate(x: -180, y: 90))
        // MapProxy was given 1800, 900, 450, 225, 120, 50, 25, 10, 5, 2 and 1 metres.
        let utm = try #require(offered.matrixSet(named: "es_utm30_nw")?.grid().grid)
        let wanted = [1800.0, 900, 450, 225, 120, 50, 25, 10, 5, 2, 1]
        #expect(utm.matrices.count == wanted.count)
        #expect(zip(utm.matrices, wanted).allSatisfy { abs($0.resolution.unitsPerPixel / $1 - 1) < 1e-12 })
        #expect(utm.matrices[0].origin == Coordinate(x: -100_000, y: 4_900_000))
        #expect(utm.crs.name == "EPSG:25830")
    }

    /// Pitfall 13.
    @Test(arguments: [
        ("urn:ogc:def:crs:EPSG::4326", "90 -180", false), ("urn:ogc:def:crs:EPSG::4326", "-180 90", true),
        ("EPSG:4326", "90 -180", false), ("EPSG:4326", "-180 90", true),
        ("urn:ogc:def:crs:OGC:1.3:CRS84", "-180 90", false), ("urn:ogc:def:crs:OGC:1.3:CRS84", "90 -180", true),
        ("http://www.opengis.net/def/crs/EPSG/0/4258", "90 -180", false),
    ])
    func `a corner with swapped axes is corrected`(crs: String, corner: String, isOdd: Bool) throws {
        var text = WMTSText()
        text.crs = crs
        for level in 0...2 {
            let denominator = 279_541_132.0143589 / Double(1 << level)
            text.matrices.append((String(level), String(denominator), corner, 2 << level, 1 << level))
        }
        let request = try text.request(mapCRS: .epsg4326)
        #expect(request.grid.matrices.allSatisfy { $0.origin == Coordinate(x: -180, y: 90) })
        #expect(request.grid.extent(ofLevel: 2) == Extent(minX: -180, minY: -90, maxX: 180, maxY: 90))
        #expect(request.warnings.contains { $0.description.contains("axes swapped") } == isOdd)
    }

    /// Pitfall 13: a national grid, where the box of the layer tells.
    @Test(arguments: [("5800000 100000", false), ("100000 5800000", true)])
    func `in a projected CRS the layer's box decides the axis order of a corner`(
        corner: String, isOdd: Bool
    ) throws {
        var text = WMTSText()
        text.crs = "urn:ogc:def:crs:EPSG::2180"
        text.layer +=
            "<ows:WGS84BoundingBox><ows:LowerCorner>14.1 49</ows:LowerCorner><ows:UpperCorner>24.2 54.9</ows:UpperCorner>"
            + "</ows:WGS84BoundingBox>"
        let northing = corner.replacing("5800000", with: "850000")
        text.matrices = [("0", "10000000", northing, 2, 2), ("1", "5000000", northing, 3, 3)]
        let request = try text.request(mapCRS: CRS("EPSG:2180"))
        #expect(request.grid.matrices.allSatisfy { $0.origin == Coordinate(x: 100_000, y: 850_000) })
        #expect(request.warnings.contains { $0.description.contains("axes swapped") } == isOdd)
    }

    /// Quirk 13 and pitfall 14.
    @Test(arguments: [
        "urn:ogc:def:crs:EPSG:3857", "urn:ogc:def:crs:EPSG::3857", "urn:ogc:def:crs:EPSG:6.18.3:3857", "EPSG:900913",
        "http://www.opengis.net/def/crs/EPSG/0/3857", "urn:ogc:def:crs:EPSG::102100",
    ])
    func `each spelling of a CRS is understood`(crs: String) throws {
        var text = WMTSText.world()
        text.crs = crs
        #expect(try text.request().grid.crs == .webMercator)
    }

    /// Pitfall 51.
    @Test func `scale denominators for 96 dpi are detected`() throws {
        var text = WMTSText()
        for level in 0...3 {
            let denominator = 591_657_527.591555 / Double(1 << level)
            text.matrices.append(
                (String(level), String(denominator), "-20037508.3427892 20037508.3427892", 1 << level, 1 << level))
        }
        let request = try text.request()
        #expect(request.warnings.contains { $0.description.contains("96 dpi") })
        for (level, matrix) in request.grid.matrices.enumerated() {
            #expect(matrix.resolution.unitsPerPixel == 2 * Self.half / 256 / Double(1 << level))
        }
        #expect(try WMTSText.world().request().warnings == [])
    }

    /// Pitfall 51: in a system where nothing tells, numbers are taken as the standard has them.
    @Test func `denominators of a CRS that does not span the world are kept`() throws {
        var text = WMTSText()
        text.matrices = [("0", "591657527.591555", "-20037508.3427892 20037508.3427892", 1, 1)]
        text.crs = "urn:ogc:def:crs:EPSG::25830"
        let grid = try text.request(mapCRS: CRS("EPSG:25830")).grid
        #expect(abs(grid.matrices[0].resolution.unitsPerPixel - 591_657_527.591555 * 0.00028) < 1e-6)
    }

    /// Pitfall 51.
    @Test func `matrices are sorted by scale and keep their exact names`() throws {
        var text = WMTSText()
        let corner = "-20037508.3427892 20037508.3427892"
        text.matrices = [
            ("EPSG:900913:5", "17471320.7508974", corner, 32, 32), ("00", "559082264.0287178", corner, 1, 1),
            ("zwölf & mehr".replacing("&", with: "&amp;"), "136494.69336639", corner, 4096, 4096),
        ]
        let request = try text.request()
        #expect(request.grid.matrices.map(\.id) == ["00", "EPSG:900913:5", "zwölf & mehr"])
        let tile = try #require(request.grid.tile(level: 2, column: 7, row: 9))
        #expect(request.url(for: tile)?.contains("&TILEMATRIX=zw%C3%B6lf%20%26%20mehr&TILEROW=9&TILECOL=7") == true)
        let fifth = try #require(request.grid.tile(level: 1, column: 1, row: 2))
        #expect(request.url(for: fifth)?.contains("&TILEMATRIX=EPSG:900913:5&") == true)
        // A sparse pyramid: between the levels the nearer by ratio is taken.
        let coarse = try #require(Resolution(unitsPerPixel: 20_000)), fine = try #require(Resolution(unitsPerPixel: 30))
        #expect(request.grid.level(nearest: coarse) == 1)
        #expect(request.grid.level(nearest: fine) == 2)
    }

    /// Pitfall 51: `<TileGrid.Matrix>` of limits with and without the prefix of the set.
    @Test(arguments: ["m:1", "1"]) func `tiles outside the limits are not requested`(name: String) throws {
        var text = WMTSText.world()
        text.layer = """
            <Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet><TileMatrixSetLimits>
            <TileMatrixLimits><TileMatrix>\(name)</TileMatrix><MinTileRow>1</MinTileRow><MaxTileRow>1</MaxTileRow>
            <MinTileCol>0</MinTileCol><MaxTileCol>7</MaxTileCol></TileMatrixLimits></TileMatrixSetLimits>
            </TileMatrixSetLink>
            """
        if name == "1" { text.matrices = text.matrices.map { ("m:" + $0.id, $0.1, $0.2, $0.3, $0.4) } }
        let grid = try text.request().grid
        // Matrices that the limits do not name have no tiles.
        #expect(grid.matrices.map(\.id) == [name == "1" ? "m:1" : "1"])
        #expect(grid.tile(level: 0, column: 1, row: 1) != nil)
        #expect(grid.tile(level: 0, column: 0, row: 0) == nil)
        #expect(grid.tile(level: 0, column: 2, row: 1) == nil)
        let world = try #require(CRS.webMercator.worldExtent)
        #expect(grid.tiles(level: 0, in: world)?.count == 2)
        #expect(grid.extent(ofLevel: 0).map { abs($0.maxY) < 1e-6 } == true)
    }

    @Test func `limits of unknown matrices are ignored with a warning`() throws {
        var text = WMTSText.world()
        text.layer = text.layer.replacing(
            "</TileMatrixSetLink>",
            with: """
                <TileMatrixSetLimits><TileMatrixLimits><TileMatrix>other</TileMatrix><MinTileRow>0</MinTileRow>
                <MaxTileRow>0</MaxTileRow><MinTileCol>0</MinTileCol><MaxTileCol>0</MaxTileCol></TileMatrixLimits>
                </TileMatrixSetLimits></TileMatrixSetLink>
                """)
        let request = try text.request()
        #expect(request.grid.matrices.count == 3)
        #expect(request.warnings.contains { $0.description.contains("name none") })
    }

    @Test(arguments: ["5.59082264029e8", "559082264.029", "559082264"])
    func `a rounded denominator spans the world exactly once`(denominator: String) throws {
        var text = WMTSText()
        text.matrices = [("0", denominator, "-20037508.3427892 20037508.3427892", 1, 1)]
        #expect(try text.request().grid.matrices[0].tileSpanX == 2 * Self.half)
    }

    @Test func `tile sizes can differ between levels`() throws {
        var offered = try WMTSText.world().capabilities()
        offered.matrixSets[0].matrices[1].tileWidth = 512
        offered.matrixSets[0].matrices[1].columnCount = 1
        let grid = try #require(offered.matrixSets[0].grid().grid)
        #expect(grid.matrices.map(\.tileWidth) == [256, 512, 256])
        #expect(grid.extent(ofLevel: 1) == grid.extent(ofLevel: 0))
    }

    @Test func `extreme numbers in a matrix set do not crash`() throws {
        let big = Int.max
        for denominator in ["1e-300", "1e300", "5e-324", "1"] {
            for corner in ["1e308 -1e308", "0 0", "-1e300 1e300"] {
                for crs in ["EPSG:4326", "EPSG:3857", "EPSG:25830"] {
                    var text = WMTSText()
                    text.crs = crs
                    text.matrices = [
                        ("a", denominator, corner, big, big), ("b", denominator, corner, 1 << 31, 1 << 31),
                        ("c", denominator, corner, 1, 1),
                    ]
                    let request = try? text.request(mapCRS: CRS(crs))
                    for level in request?.grid.matrices.indices ?? 0..<0 {
                        _ = request?.grid.extent(ofLevel: level)
                    }
                }
            }
        }
    }
}
