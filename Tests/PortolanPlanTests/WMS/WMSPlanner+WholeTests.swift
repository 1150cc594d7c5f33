import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import Testing

/// Layers that can only be had whole or in one size (pitfall 21).
@Suite struct WMSPlannerWholeTests {
    @Test func `a layer without subsets is asked for whole, as fine as the view`() throws {
        let whole = try #require(Extent(minX: -1000, minY: -500, maxX: 1000, maxY: 500))
        let source = try WMSPiecesTests.source(WMSRequestLimits(wholeExtent: whole))
        let mosaics = try WMSPiecesTests.planned(source, View.make(x: 10, resolution: 2)).mosaics
        let image = try #require(mosaics.first?.images.first)
        #expect(mosaics.count == 1)
        #expect(try WMSPlannerTests.box(image) == [-1000, -500, 1000, 500])
        #expect(image.size == ImageSize(width: 1000, height: 500))
        #expect(mosaics.first?.topLeft == Coordinate(x: -1000, y: 500) && mosaics.first?.resolutionX == 2)
        #expect(try WMSPiecesTests.planned(source, View.make(x: 5000, resolution: 2)).mosaics.isEmpty)
    }

    @Test func `the whole is never larger than the service draws`() throws {
        let whole = try #require(Extent(minX: -1000, minY: -500, maxX: 1000, maxY: 500))
        let source = try WMSPiecesTests.source(WMSRequestLimits(maxWidth: 400, maxHeight: 400, wholeExtent: whole))
        let image = try #require(
            try WMSPiecesTests.planned(source, View.make(resolution: 0.01)).mosaics.first?.images.first)
        #expect(image.size == ImageSize(width: 400, height: 200))
    }

    @Test func `a fixed size is asked for with square pixels that hold the view`() throws {
        let source = try WMSPiecesTests.source(WMSRequestLimits(fixedWidth: 400, fixedHeight: 100))
        let mosaic = try #require(
            try WMSPiecesTests.planned(source, View.make(resolution: 2, width: 200, height: 100)).mosaics.first)
        #expect(mosaic.size == ImageSize(width: 400, height: 100))
        #expect(mosaic.resolutionX == 2 && mosaic.resolutionY == 2)
        #expect(try WMSPlannerTests.box(#require(mosaic.images.first)) == [-400, -100, 400, 100])
    }
}
