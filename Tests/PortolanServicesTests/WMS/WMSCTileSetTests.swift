import PortolanGeo
import PortolanServices
import PortolanWeb
import TestHelpers
import Testing

@Suite struct WMSCTileSetTests {
    private func tileSets(_ file: String = "mapproxy/wmsc-caps-1.1.1.xml") throws -> [WMSCTileSet] {
        try WMSCapabilitiesReader.read(Fixture.bytes(file)).tileSets
    }

    private func tileSets(text: String) throws -> WMSCapabilities {
        try WMSCapabilitiesReader.read(
            Array(
                ("<WMT_MS_Capabilities version='1.1.1'><Capability><VendorSpecificCapabilities>" + text
                    + "</VendorSpecificCapabilities></Capability></WMT_MS_Capabilities>").utf8))
    }

    @Test(arguments: [("mapproxy/wmsc-caps-1.1.1.xml", "EPSG:3857"), ("mapproxy/wmsc-caps-1.1.0.xml", "OSGEO:41001")])
    func `the tile sets of a real document are read`(file: String, crsName: String) throws {
        let sets = try tileSets(file)
        let relief = try #require(sets.first)
        #expect(sets.count == 15)
        #expect(relief.crsName == crsName)
        #expect(relief.crs == .webMercator)
        #expect(relief.format == "image/jpeg")
        #expect(relief.layers == ["relief"])
        #expect(relief.styles == [])
        #expect(relief.resolutions.count == 18)
        #expect(relief.resolutions.first?.unitsPerPixel == 78271.51696402048)
        #expect(sets.contains { $0.tileWidth == 512 })
        #expect(sets.allSatisfy { (try? $0.grid()) != nil })
    }

    @Test(arguments: ["mapproxy/caps-1.1.1.xml", "mapserver/caps-1.1.1.xml", "mapproxy/caps-1.3.0.xml"])
    func `a document without tile sets is a plain WMS`(file: String) throws {
        let sets = try tileSets(file)
        #expect(sets.isEmpty)
        #expect(throws: WMSCTileSet.InvalidError.noTileSets) { try WMSCTileSet.select(from: sets, layers: ["relief"]) }
    }

    @Test func `resolutions are split at any white space and layers can be in several elements`() throws {
        let sets = try tileSets(
            text: """
                <TileSet><SRS>OSGEO:41001</SRS><Resolutions>
                \t1e3  500.0\n250 </Resolutions><Width>256</Width><Height>128</Height><Format>image/png</Format>
                <Layers>a,b</Layers><Layers>c</Layers><Styles>,x</Styles><Styles></Styles></TileSet>
                """
        ).tileSets
        let set = try #require(sets.first)
        #expect(set.resolutions.map(\.unitsPerPixel) == [1000, 500, 250])
        #expect(set.layers == ["a", "b", "c"])
        #expect(set.styles == ["", "x", ""])
        let grid = try set.grid()
        #expect(grid.originCorner == .bottomLeft)
        // No bounding box: the grid begins at the lower left corner of the world.
        #expect(abs((grid.matrices.first?.origin.x ?? 0) + 20_037_508.342789244) < 1e-6)
        #expect(grid.matrices.first?.tileHeight == 128)
    }

    @Test func `invalid tile sets are skipped with a warning`() throws {
        let capabilities = try tileSets(
            text: """
                <TileSet/><TileSet><SRS>EPSG:4326</SRS><Resolutions>1 x</Resolutions><Width>256</Width><Height>256</Height></TileSet>
                <TileSet><SRS>EPSG:4326</SRS><Resolutions>0</Resolutions><Width>256</Width><Height>256</Height></TileSet>
                <TileSet><SRS>EPSG:4326</SRS><Resolutions>1</Resolutions><Width>0</Width><Height>256</Height></TileSet>
                """)
        #expect(capabilities.tileSets.isEmpty)
        #expect(capabilities.warnings.count { $0.description.contains("tile set") } == 4)
    }

    @Test func `a tile set is selected by layers, format and CRS`() throws {
        let sets = try tileSets()
        #expect(try WMSCTileSet.select(from: sets, layers: ["political"], mapCRS: .webMercator).crsName == "EPSG:3857")
        #expect(
            try WMSCTileSet.select(from: sets, layers: ["political"], crs: .webMercator, crsName: "EPSG:900913").crsName
                == "EPSG:900913")
        #expect(try WMSCTileSet.select(from: sets, layers: ["political"], mapCRS: .epsg4326).crsName == "EPSG:4326")
        #expect(try WMSCTileSet.select(from: sets, layers: ["relief"], format: "IMAGE/JPEG").format == "image/jpeg")
        #expect(
            try WMSCTileSet.select(from: sets, layers: ["relief"], styles: [""], crs: CRS("EPSG:25830")).resolutions
                .count == 11)
        #expect {
            try WMSCTileSet.select(from: sets, layers: ["relief"], format: "image/png")
        } throws: { "\($0)".contains("relief in EPSG:25830 as image/jpeg") }
        #expect(throws: WMSCTileSet.InvalidError.self) {
            try WMSCTileSet.select(from: sets, layers: ["relief"], styles: ["odd"])
        }
    }

    @Test func `a manual grid needs an extent if its CRS has no known one`() throws {
        let resolution = try #require(Resolution(unitsPerPixel: 10))
        let set = WMSCTileSet(crsName: "EPSG:25830", extent: nil, resolutions: [resolution], layers: ["a"])
        #expect(throws: WMSCTileSet.InvalidError.noExtent("EPSG:25830")) { try set.grid() }
        let unknown = WMSCTileSet(crsName: "EPSG:0", extent: nil, resolutions: [resolution], layers: ["a"])
        #expect(throws: WMSCTileSet.InvalidError.self) { try unknown.grid() }
        let empty = WMSCTileSet(crsName: "EPSG:3857", extent: nil, resolutions: [], layers: ["a"])
        #expect(throws: WMSCTileSet.InvalidError.noGrid("EPSG:3857")) { try empty.grid() }
    }
}

@Suite struct WMSCTileRequestTests {
    private func requests(layer: String, crs: String, isTiled: Bool = true) throws -> WMSCTileSet.TileRequest {
        let sets = try WMSCapabilitiesReader.read(Fixture.bytes("mapproxy/wmsc-caps-1.1.1.xml")).tileSets
        let set = try WMSCTileSet.select(from: sets, layers: [layer], crs: CRS(crs), crsName: crs)
        return try WMSCTileSet.TileRequest(tileSet: set, baseURL: "http://127.0.0.1:18081/service?", isTiled: isTiled)
    }

    @Test func `a tile request equals the captured one`() throws {
        // The request of the captured answer wmsc-tile-es-lowerleft.png, and a background that lets others shine through.
        let requests = try requests(layer: "political", crs: "EPSG:25830")
        let tile = try #require(requests.grid.tile(level: 0, column: 0, row: 0))
        #expect(
            requests.url(for: tile)
                == "http://127.0.0.1:18081/service?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=political&STYLES="
                + "&SRS=EPSG:25830&BBOX=-100000,3900000,360800,4360800&WIDTH=256&HEIGHT=256&FORMAT=image/png&TRANSPARENT=TRUE&TILED=true"
        )
    }

    @Test func `the TILED parameter is sent only if requested`() throws {
        let requests = try requests(layer: "political", crs: "EPSG:900913", isTiled: false)
        let tile = try #require(requests.grid.tile(level: 0, column: 0, row: 1))
        let url = try #require(requests.url(for: tile))
        #expect(!url.contains("TILED"))
        #expect(url.contains("&SRS=EPSG:900913&BBOX=-20037"))
    }

    /// The box of a tile that a service is asked for that refuses the exact one.
    private func box(_ tile: TileIndex, of requests: WMSCTileSet.TileRequest) throws -> [Double] {
        let url = try #require(requests.innerRequest(for: tile)?.url)
        let box = try #require(url.split(separator: "&").first { $0.hasPrefix("BBOX=") })
        return box.dropFirst(5).split(separator: ",").compactMap { Double($0) }
    }

    /// The tile set of a city's service, and the box of one of its tiles, as they were printed.
    @Test func `a tile set of halving resolutions has the documented box for a column and row`() throws {
        let resolutions = (0..<7).compactMap { Resolution(unitsPerPixel: 3.4332275390625E-4 / Double(1 << $0)) }
        #expect(resolutions.last?.unitsPerPixel == 5.364418029785156E-6)
        let set = WMSCTileSet(
            crsName: "EPSG:4326", extent: Extent(minX: -180, minY: -90, maxX: 180, maxY: 90), resolutions: resolutions,
            format: "image/jpeg", layers: ["base"])
        #expect(set.tileWidth == 256)
        #expect(set.tileHeight == 256)
        let requests = try WMSCTileSet.TileRequest(tileSet: set, baseURL: "http://h/wms")
        let tile = try #require(requests.grid.tile(level: 2, column: 8151, row: 5992))
        let printed = [-0.90087890625, 41.66015625, -0.87890625, 41.68212890625]
        #expect(
            requests.grid.extent(of: tile)
                == Extent(minX: printed[0], minY: printed[1], maxX: printed[2], maxY: printed[3]))
        let url = try #require(requests.url(for: tile)), box = try box(tile, of: requests)
        #expect(url.contains("VERSION=1.1.1&"))
        #expect(url.contains("&LAYERS=base&"))
        #expect(url.contains("&FORMAT=image/jpeg"))
        #expect(url.contains("BBOX=-0.90087890625,41.66015625,-0.87890625,41.68212890625&"))
        let hair = resolutions[2].unitsPerPixel * 0.0031
        #expect(box.count == 4)
        #expect(zip(box, printed).allSatisfy { abs($0 - $1) < hair })
    }

    @Test func `the boxes of neighbouring tiles are shrunk by a fraction of a pixel`() throws {
        let requests = try requests(layer: "political", crs: "EPSG:4326")
        let left = try #require(requests.grid.tile(level: 7, column: 50, row: 31))
        let right = try #require(requests.grid.tile(level: 7, column: 51, row: 31))
        let one = try box(left, of: requests), other = try box(right, of: requests)
        let pixel = requests.grid.matrices[7].resolution.unitsPerPixel
        #expect((0.0009...0.0031).contains((other[0] - one[2]) / pixel) && one[1] == other[1])
        let url = try #require(requests.innerRequest(for: left)?.url)
        // Few decimals, none of them noise.
        #expect(
            url.firstMatch(of: /BBOX=-?\d+\.\d{1,8},-?\d+\.\d{1,8},-?\d+\.\d{1,8},-?\d+\.\d{1,8}&/) != nil, "\(url)")
    }

    /// The rounding of box corners by TileCache, MapProxy, MapCache and GeoWebCache, each for one tile.
    @Test func `the requested box selects the right tile under the rounding of each tile cache`() throws {
        let half = 20_037_508.342789244
        let resolutions = (0...20).compactMap { Resolution(unitsPerPixel: 2 * half / 256 / Double(1 << $0)) }
        let set = WMSCTileSet(
            crsName: "EPSG:900913", extent: Extent(minX: -half, minY: -half, maxX: half, maxY: half),
            resolutions: resolutions, layers: ["a"])
        let requests = try WMSCTileSet.TileRequest(tileSet: set, baseURL: "http://h/tilecache.cgi")
        var random = SeededGenerator(seed: 5), slips = 0
        for _ in 0..<3000 {
            let level = Int.random(in: 0...20, using: &random), count = 1 << level
            let column = Int.random(in: 0..<count, using: &random), row = Int.random(in: 0..<count, using: &random)
            let tile = try #require(requests.grid.tile(level: level, column: column, row: row))
            let sides = try box(tile, of: requests), pixel = resolutions[level].unitsPerPixel
            let exact = try #require(requests.grid.extent(of: tile))
            func place(_ side: Double) -> Double { (side + half) / (pixel * 256) }
            // TileCache cuts off, from an origin that it may have written with twelve digits.
            for origin in [half, 20_037_508.3428] {
                #expect(Int((sides[0] + origin) / (pixel * 256)) == column)
                #expect(Int((sides[1] + origin) / (pixel * 256)) == row)
            }
            slips += Int(place(exact.minX)) == column && Int(place(exact.minY)) == row ? 0 : 1
            // MapProxy allows for a tenth of a pixel, MapCache for one, GeoWebCache for a tenth of a tile.
            #expect(abs(sides[0] - exact.minX) < pixel / 500 && abs(sides[1] - exact.minY) < pixel / 500)
            #expect(abs(sides[2] - exact.maxX) < pixel / 500 && abs(sides[3] - exact.maxY) < pixel / 500)
            #expect(sides[0] > exact.minX && sides[1] > exact.minY && sides[2] < exact.maxX && sides[3] < exact.maxY)
        }
        // The exact corners were those of the tile before now and then.
        #expect(slips > 0)
    }
}
