import PortolanGeo
import PortolanServices
import Testing

@Suite struct BoundingBoxWriterTests {
    private static let codes: [(name: String, isNorthFirst: Bool)] = [
        ("EPSG:4326", true), ("CRS:84", false), ("EPSG:3857", false), ("EPSG:25830", false), ("EPSG:3035", true),
        ("EPSG:2180", true),
    ]

    @Test(arguments: codes, WMSCapabilities.Version.allCases)
    func `the bounding box uses the axis order of the WMS version and the CRS`(
        code: (name: String, isNorthFirst: Bool), version: WMSCapabilities.Version
    ) throws {
        let crs = try CRS(code.name)
        let extent = try #require(Extent(minX: 1, minY: 20, maxX: 3, maxY: 40))
        let isSwapped = code.isNorthFirst && version == .v1_3_0
        func text(_ order: WMSOptions.AxisOrderPolicy) -> String {
            BoundingBoxWriter.string(for: extent, crs: crs, version: version, axisOrder: order)
        }
        #expect(text(.auto) == (isSwapped ? "20,1,40,3" : "1,20,3,40"))
        #expect(text(.xy) == "1,20,3,40")
        #expect(text(.yx) == "20,1,40,3")
    }

    @Test(arguments: codes, WMSCapabilities.Version.allCases)
    func `a written bounding box is read back unchanged`(
        code: (name: String, isNorthFirst: Bool), version: WMSCapabilities.Version
    ) throws {
        let crs = try CRS(code.name)
        let extent = try #require(Extent(minX: 1.25, minY: 20, maxX: 3, maxY: 40))
        for order in WMSOptions.AxisOrderPolicy.allCases {
            let text = BoundingBoxWriter.string(for: extent, crs: crs, version: version, axisOrder: order)
            let numbers = text.split(separator: ",").compactMap { Double($0) }
            try #require(numbers.count == 4)
            let box = BoundingBoxWriter.box(
                numbers[0], numbers[1], numbers[2], numbers[3], crs: crs, version: version, axisOrder: order)
            #expect(box == BoundingBox(extent))
        }
    }
}
