import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb
import TestHelpers
import Testing

@Suite struct WMSPlannerTests {
    static func source(
        crs: CRS = .webMercator, version: WMSCapabilities.Version = .v1_3_0, maximum: Int? = nil
    ) throws -> WMSSource {
        let request = try GetMapRequest(
            version: version, baseURL: "http://h/wms", layers: ["a"], crs: crs,
            extent: #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)), width: 1, height: 1)
        return WMSSource(request: request, maximumWidth: maximum, maximumHeight: maximum)
    }

    static func mosaic(_ source: WMSSource, _ view: Viewport, margin: Int = 0) throws -> SeenMosaic {
        let mosaic = try source.seen(view, margin: margin).first
        return try #require(mosaic)
    }

    /// One parameter of an address.
    static func value(_ name: String, _ image: SeenImage) throws -> String {
        let parts = try #require(image.url.split(separator: "?").last).split(separator: "&")
        return String(try #require(parts.first { $0.hasPrefix("\(name)=") }).dropFirst(name.count + 1))
    }

    static func box(_ image: SeenImage) throws -> [Double] {
        try value("BBOX", image).split(separator: ",").compactMap { Double($0) }
    }

    @Test func `the request for a matching view is exact`() throws {
        let view = try View.make(x: 1000, y: -2000, resolution: 2.5, width: 300, height: 200)
        let mosaic = try Self.mosaic(Self.source(), view)
        #expect(
            mosaic.images.map(\.url) == [
                "http://h/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=a&STYLES=&CRS=EPSG:3857"
                    + "&BBOX=625,-2250,1375,-1750&WIDTH=300&HEIGHT=200&FORMAT=image/png&TRANSPARENT=TRUE"
                    + "&BGCOLOR=0xFFFFFF&EXCEPTIONS=XML"
            ])
        #expect(mosaic.size == ImageSize(width: 300, height: 200))
        #expect(mosaic.topLeft == Coordinate(x: 625, y: -1750))
        #expect(mosaic.resolutionX == 2.5)
        #expect(mosaic.resolutionY == 2.5)
        #expect(mosaic.margin.isEmpty)
    }

    @Test func `latitude comes first if the version and the CRS require it`() throws {
        let view = try View.make(x: 25, y: 60, resolution: 0.01, width: 100, height: 50, crs: .epsg4326)
        let new = try Self.mosaic(Self.source(crs: .epsg4326), view)
        let old = try Self.mosaic(Self.source(crs: .epsg4326, version: .v1_1_1), view)
        #expect(try Self.value("BBOX", new.images[0]) == "59.75,24.5,60.25,25.5")
        #expect(try Self.value("BBOX", old.images[0]) == "24.5,59.75,25.5,60.25")
    }

    @Test func `CRS84 and EPSG:4326 match pixel for pixel`() throws {
        let view = try View.make(x: 25, y: 60, resolution: 0.01, width: 101, height: 51, pixelRatio: 1.5, crs: .crs84)
        let mosaic = try Self.mosaic(Self.source(crs: .epsg4326), view)
        #expect(mosaic.size == view.imageSize)
    }

    @Test func `the margin is requested around the view`() throws {
        let view = try View.make(resolution: 2, width: 100, height: 60)
        let mosaic = try Self.mosaic(Self.source(), view, margin: 10)
        #expect(try Self.value("BBOX", mosaic.images[0]) == "-120,-80,120,80")
        #expect(mosaic.size == ImageSize(width: 120, height: 80))
    }

    @Test(arguments: [1.0, 1.25, 1.5, 2, 2.6, 3], [0, 1, 2, 3, 7])
    func `margin and pixel ratio keep the request aligned with the pixels of the picture`(
        ratio: Double, margin: Int
    ) throws {
        let view = try View.make(resolution: 3, width: 101, height: 64, pixelRatio: ratio)
        let plain = try Self.mosaic(Self.source(), view), wide = try Self.mosaic(Self.source(), view, margin: margin)
        #expect(abs(wide.resolutionX - view.imageResolution) < 1e-12)
        let x = (plain.topLeft.x - wide.topLeft.x) / wide.resolutionX
        let y = (wide.topLeft.y - plain.topLeft.y) / wide.resolutionY
        #expect(abs(x - x.rounded()) < 1e-9)
        #expect(abs(y - y.rounded()) < 1e-9)
        #expect(wide.size.width == plain.size.width + 2 * Int(x.rounded()))
        #expect(plain.size == view.imageSize)
    }

    @Test func `a rotated view requests the upright extent around it`() throws {
        let turned = try View.make(resolution: 2, width: 100, height: 60, rotation: 90)
        let mosaic = try Self.mosaic(Self.source(), turned)
        #expect(try Self.value("BBOX", mosaic.images[0]) == "-60,-100,60,100")
        #expect(mosaic.size == ImageSize(width: 60, height: 100))
        let askew = try Self.mosaic(Self.source(), View.make(resolution: 2, width: 100, height: 60, rotation: 30))
        // 100 cos 30° + 60 sin 30° = 116.6, 100 sin 30° + 60 cos 30° = 101.96.
        #expect(askew.size == ImageSize(width: 117, height: 102))
    }

    @Test func `a picture of too many pieces is requested smaller`() throws {
        let view = try View.make(resolution: 1, width: 1000, height: 500)
        let planned = try Self.source(maximum: 40).planned(view), mosaic = try #require(planned.seen.first)
        #expect(mosaic.size == ImageSize(width: 40, height: 20))
        #expect(try Self.value("BBOX", mosaic.images[0]) == "-500,-250,500,250")
        #expect(mosaic.resolutionX == 25)
        #expect(mosaic.resolutionY == 25)
        #expect(planned.warnings.map(\.message) == ["the service draws at most 40x40 pixels; enlarged"])
        let flat = try Self.mosaic(Self.source(maximum: 1), view)
        #expect(flat.size == ImageSize(width: 1, height: 1))
        #expect(try Self.mosaic(Self.source(maximum: -5), view).size == ImageSize(width: 1, height: 1))
    }

    @Test func `over the antimeridian each copy of the world is one piece`() throws {
        let view = try View.make(x: 180, y: 0, resolution: 0.5, width: 100, height: 40, crs: .crs84)
        let mosaic = try Self.mosaic(Self.source(crs: .crs84), view)
        try #require(mosaic.images.count == 2)
        #expect(try Self.box(mosaic.images[0]) == [155, -10, 180, 10])
        #expect(try Self.box(mosaic.images[1]) == [-180, -10, -155, 10])
        #expect(mosaic.images.map(\.x) == [0, 50])
        #expect(mosaic.images.map(\.size.width) == [50, 50])
    }

    @Test func `pieces are adjacent without gap or overlap, and within the world`() throws {
        var random = SeededGenerator(seed: 5)
        let width = 40_075_016.68557849
        for _ in 0..<500 {
            let view = try View.make(
                x: .random(in: -3 * width...3 * width, using: &random), y: 0,
                resolution: .random(in: 1e3...5e5, using: &random), width: .random(in: 50...900, using: &random),
                height: 50)
            let mosaic = try Self.mosaic(Self.source(), view)
            var column = 0
            for image in mosaic.images {
                #expect(image.x == column)
                column += image.size.width
                let box = try Self.box(image)
                #expect(box[0] >= -width / 2 - 1e-6 && box[2] <= width / 2 + 1e-6)
                // A piece that covers a whole world is stretched onto it, by at most half a pixel on each side.
                let stretch = box[2] - box[0] > width * 0.999 ? 1 / Double(image.size.width) : 1e-6
                #expect(abs((box[2] - box[0]) / Double(image.size.width) / mosaic.resolutionX - 1) < stretch)
            }
            #expect(column == mosaic.size.width)
        }
    }

    @Test func `in another CRS, the extent around the view is requested as fine as needed`() throws {
        let crs = try CRS("EPSG:25830")
        // Zaragoza by PROJ, see the tile planner's tests.
        let view = try View.make(x: -97_665.0421, y: 5_109_597.3279, resolution: 13.4, width: 400, height: 300)
        let mosaic = try Self.mosaic(Self.source(crs: crs), view)
        let box = try Self.box(mosaic.images[0])
        #expect(box[0] < 676_741 && box[2] > 676_742 && box[1] < 4_613_766 && box[3] > 4_613_767)
        // 13.4 m of the map are 10 m on the ground here.
        #expect(mosaic.resolutionX > 9.8)
        #expect(mosaic.resolutionX < 10.1)
        #expect(abs(mosaic.resolutionX / mosaic.resolutionY - 1) < 0.01)
    }

    @Test func `a view outside the domain of the service requests nothing`() throws {
        let crs = try CRS("EPSG:25830")
        let view = try View.slippy(170, 0, zoom: 6)
        #expect(try Self.source(crs: crs).seen(view).isEmpty)
    }

    @Test func `a request over the maximum picture size is rejected`() throws {
        let view = try View.make(width: 60000, height: 100)
        #expect(throws: PlanError.requestTooLarge) {
            try Self.source(maximum: .max).seen(view, margin: 4000).first
        }
    }

    @Test func `extreme views never crash the planner`() throws {
        let sources = try [CRS.webMercator, .epsg4326, CRS("EPSG:25830")].map {
            try Self.source(crs: $0, maximum: .max)
        }
        for (x, resolution) in [(9e11, 1.0), (-9e11, 1e11), (0, 1e-250), (0, 9e11), (2e7, 1e-6), (1e-300, 1e-300)] {
            for crs in [CRS.webMercator, .crs84, try CRS("EPSG:32631")] {
                for rotation in [0.0, 45] {
                    guard
                        let view = try? View.make(x: x, y: x / 2, resolution: resolution, rotation: rotation, crs: crs)
                    else { continue }
                    for source in sources {
                        let mosaic = try? source.seen(view, margin: 4096)
                            .first
                        #expect(mosaic.flatMap(\.self)?.images.count ?? 0 < 600)
                    }
                }
            }
        }
    }
}

/// Layers that can only be had whole or in one size (pitfall 21).
@Suite struct WMSPlannerWholeTests {
    @Test func `a layer without subsets is requested whole, as fine as the view`() throws {
        let whole = try #require(Extent(minX: -1000, minY: -500, maxX: 1000, maxY: 500))
        let source = try WMSPiecesTests.source(WMSRequestLimits(wholeExtent: whole))
        let mosaics = try WMSPiecesTests.planned(source, View.make(x: 10, resolution: 2)).mosaics
        let image = try #require(mosaics.first?.images.first)
        #expect(mosaics.count == 1)
        #expect(try WMSPlannerTests.box(image) == [-1000, -500, 1000, 500])
        #expect(image.size == ImageSize(width: 1000, height: 500))
        #expect(mosaics.first?.topLeft == Coordinate(x: -1000, y: 500))
        #expect(mosaics.first?.resolutionX == 2)
        #expect(try WMSPiecesTests.planned(source, View.make(x: 5000, resolution: 2)).mosaics.isEmpty)
    }

    @Test func `a whole layer is never requested larger than the service draws`() throws {
        let whole = try #require(Extent(minX: -1000, minY: -500, maxX: 1000, maxY: 500))
        let source = try WMSPiecesTests.source(WMSRequestLimits(maxWidth: 400, maxHeight: 400, wholeExtent: whole))
        let image = try #require(
            try WMSPiecesTests.planned(source, View.make(resolution: 0.01)).mosaics.first?.images.first)
        #expect(image.size == ImageSize(width: 400, height: 200))
    }

    @Test func `a fixed size is requested with square pixels around the view`() throws {
        let source = try WMSPiecesTests.source(WMSRequestLimits(fixedWidth: 400, fixedHeight: 100))
        let mosaic = try #require(
            try WMSPiecesTests.planned(source, View.make(resolution: 2, width: 200, height: 100)).mosaics.first)
        #expect(mosaic.size == ImageSize(width: 400, height: 100))
        #expect(mosaic.resolutionX == 2)
        #expect(mosaic.resolutionY == 2)
        #expect(try WMSPlannerTests.box(#require(mosaic.images.first)) == [-400, -100, 400, 100])
    }
}
