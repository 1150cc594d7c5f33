import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import Testing

/// Tiles of one system on a map in another; reference places are PROJ's (`cs2cs` 9).
@Suite struct TilePlannerReprojectionTests {
    static func geographic(_ levels: Int = 12) throws -> TileSource {
        let world = try #require(CRS.epsg4326.worldExtent)
        let resolutions = (0..<levels).compactMap { Resolution(unitsPerPixel: 0.703125 / Double(1 << $0)) }
        let grid = try #require(
            TileGrid(crs: .epsg4326, extent: world, resolutions: resolutions, originCorner: .topLeft))
        return try TileSource(grid: grid, address: .xyz(XYZTemplate("g:{z}/{x}/{y}")))
    }

    /// The tile of a mosaic that shows a coordinate of the mosaic's CRS.
    static func tile(at place: Coordinate, in mosaics: [SeenMosaic]) -> SeenImage? {
        for mosaic in mosaics {
            let x = (place.x - mosaic.topLeft.x) / mosaic.resolutionX,
                y = (mosaic.topLeft.y - place.y) / mosaic.resolutionY
            if let image = mosaic.images.first(where: {
                x >= Double($0.x) && x < Double($0.x + $0.size.width) && y >= Double($0.y)
                    && y < Double($0.y + $0.size.height)
            }) {
                return image
            }
        }
        return nil
    }

    @Test func `geographic tiles are planned for a web mercator map`() throws {
        // Helsinki by PROJ: 24.93545, 60.16952 is 2775801.5967, 8437576.7425.
        let view = try View.make(x: 2_775_801.5967, y: 8_437_576.7425, resolution: 600, width: 400, height: 300)
        let mosaics = try Self.geographic().seen(view)
        let tile = try #require(Self.tile(at: Coordinate(longitude: 24.93545, latitude: 60.16952), in: mosaics))
        // A pixel shows 600 m / 111 319.49 m a degree, northward half of it (cos 60.17°): 0.00268°, between levels 8 and 7.
        #expect(mosaics[0].resolutionX == 0.703125 / 256)
        // Tile sizes of level 8 are 0.703125°: column (24.93545 + 180) / 0.703125 = 291.5, row (90 − 60.16952) / … = 42.4.
        #expect(tile.url == "g:8/291/42")
    }

    @Test func `web mercator tiles are planned for a UTM map`() throws {
        let crs = try CRS("EPSG:25830")
        // Zaragoza by PROJ: −0.87734, 41.65606 is 676741.8933, 4613766.6706 in 25830 and −97665.0421, 5109597.3279 in 3857.
        let view = try View.make(x: 676_741.8933, y: 4_613_766.6706, resolution: 10, width: 300, height: 300, crs: crs)
        let source = try TilePlannerTests.xyz()
        let mosaics = try source.seen(view)
        let tile = try #require(Self.tile(at: Coordinate(x: -97_665.0421, y: 5_109_597.3279), in: mosaics))
        // Ten metres on the ground are 10 / cos 41.656° = 13.4 m of the map: level 13.5, nearest 14 or 13.
        let level = tile.url.dropFirst(2).prefix { $0 != "/" }
        #expect(["13", "14"].contains(level))
        if level == "14" { #expect(tile.url == "t:14/8152/6103") } else { #expect(tile.url == "t:13/4076/3051") }
        let covered = [(0.0, 0.0), (300, 0), (0, 300), (300, 300)].allSatisfy { x, y in
            let corner = view.coordinate(at: Point(x: x, y: y))
            let moved = (try? CoordinateTransform(from: crs, to: .webMercator)).flatMap { $0(corner) }
            return moved.flatMap { Self.tile(at: $0, in: mosaics) } != nil
        }
        #expect(covered)
    }

    @Test func `a UTM map over the antimeridian needs the tiles on both sides of it, and no others`() throws {
        let crs = try CRS("EPSG:32760")
        // −16.8 on the antimeridian by PROJ: 819789.0175, 8140148.3658.
        let view = try View.make(x: 819_789.0175, y: 8_140_148.3658, resolution: 100, width: 400, height: 300, crs: crs)
        let mosaics = try TilePlannerTests.xyz().seen(view)
        #expect(mosaics.count == 1)
        let columns = Set(mosaics.flatMap(\.images).map { $0.url.split(separator: "/")[1] })
        let levels = Set(mosaics.flatMap(\.images).map { $0.url.dropFirst(2).prefix { $0 != "/" } })
        #expect(levels == ["11"] || levels == ["10"])
        let last = levels == ["11"] ? 2047 : 1023
        #expect(columns.contains("0"))
        #expect(columns.contains("\(last)"))
        #expect(columns.count <= 6)
    }

    @Test(arguments: [-1.0, 1, 3])
    func `a web mercator map in a copy of the world finds the tiles of a UTM grid`(worlds: Double) throws {
        let crs = try CRS("EPSG:25830")
        let extent = try #require(Extent(minX: -100_000, minY: 3_900_000, maxX: 1_200_000, maxY: 4_900_000))
        let grid = try #require(
            TileGrid(
                crs: crs, extent: extent, resolutions: [View.resolution(100)],
                originCorner: .topLeft))
        let source = try TileSource(grid: grid, address: .xyz(XYZTemplate("{z}/{x}/{y}")))
        let here = try View.make(x: -97_665, y: 5_109_597, resolution: 134, width: 200, height: 200)
        let there = try View.make(
            x: -97_665 + worlds * 40_075_016.68557849, y: 5_109_597, resolution: 134, width: 200, height: 200)
        let one = try source.seen(here)
        let other = try source.seen(there)
        #expect(one.first?.images.isEmpty == false)
        #expect(one.first?.images == other.first?.images)
    }

    @Test func `a map outside the domain of the grid needs no tiles`() throws {
        let crs = try CRS("EPSG:25830")
        let extent = try #require(Extent(minX: -100_000, minY: 3_900_000, maxX: 1_200_000, maxY: 4_900_000))
        let grid = try #require(
            TileGrid(
                crs: crs, extent: extent, resolutions: [View.resolution(100)],
                originCorner: .topLeft))
        let source = try TileSource(grid: grid, address: .xyz(XYZTemplate("{z}/{x}/{y}")))
        // The Pacific, where the series of zone 30 has no place.
        let view = try View.slippy(170, 0, zoom: 6)
        #expect(try source.seen(view).isEmpty)
    }

    @Test func `a CRS without a projection is named in the error`() throws {
        let crs = try CRS("EPSG:27200")
        let view = try View.make(x: 500_000, y: 500_000, crs: crs)
        #expect(throws: PlanError.notTransformable(.noProjection("EPSG:27200"))) {
            try TilePlannerTests.xyz().seen(view)
        }
    }

    @Test func `the whole world is covered in both CRSs`() throws {
        let globe = try View.make(resolution: 40_075_016.68557849 / 512, width: 512, height: 512)
        let one = try Self.geographic().seen(globe)
        #expect(Set(one.flatMap(\.images).map(\.url)).count >= 2)
        let plate = try View.make(resolution: 360.0 / 512, width: 512, height: 300, crs: .crs84)
        let other = try TilePlannerTests.xyz().seen(plate)
        #expect(other.first?.images.isEmpty == false)
    }
}
