import PortolanArchives
import PortolanGeo
import Testing

@Suite struct ImagePyramidTests {
    @Test func `the pixels of a level that reaches beyond the image keep their size`() throws {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 585, maxY: 917))
        let pyramid = ImagePyramid(
            extent: extent, sizes: [(585, 917), (293, 459), (147, 230)],
            spans: [(585, 917), (292.5, 458.5), (146.25, 229.25)], tileSize: 256)
        let grid = try #require(pyramid.grid(in: .webMercator))
        #expect(grid.matrices.map(\.resolution.unitsPerPixel) == [4, 2, 1])
        #expect(grid.matrices.map(\.columnCount) == [1, 2, 3])
        // Overviews in a file span the image.
        let plain = try #require(
            ImagePyramid(extent: extent, sizes: [(585, 917), (293, 459)], tileSize: 256).grid(in: .webMercator))
        #expect(plain.matrices[0].resolution.unitsPerPixel == 585.0 / 293)
    }
}
