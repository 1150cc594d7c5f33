import PortolanFeatures
import PortolanGeo
import PortolanPlan
import Testing

@Suite struct FeatureSourceTests {
    static func point(_ id: FeatureID?, _ x: Double, _ y: Double) -> Feature {
        Feature(id: id, geometry: .point(Coordinate(x: x, y: y)))
    }

    @Test func `a collection comes in the system its file names`() throws {
        var collection = FeatureCollection(features: [Self.point("a", 1, 2)])
        #expect(FeatureSource(collection).crs == .crs84)
        collection.crs = try CRS("EPSG:25830")
        #expect(FeatureSource(collection).crs.name == "EPSG:25830")
    }

    @Test func `a feature is known by its id or else its property`() {
        #expect(Self.point("a", 0, 0).identifier == "a")
        #expect(Feature(geometry: nil, properties: ["id": "p"]).identifier == "p")
        #expect(Feature(geometry: nil, properties: ["id": 7]).identifier == 7)
        #expect(Feature(id: "a", geometry: nil, properties: ["id": "p"]).identifier == "a")
        #expect(Feature(geometry: nil, properties: ["id": ["no"]]).identifier == nil)
        #expect(Feature(geometry: nil).identifier == nil)
    }

    @Test func `features are added, changed and taken out`() {
        var source = FeatureSource(features: [Self.point("a", 0, 0), Self.point(5, 1, 1), Self.point("a", 2, 2)])
        source.append(Self.point("z", 3, 3))
        #expect(source.features.count == 4)
        #expect(source.update("a") { $0.geometry = nil })
        #expect(source.features.map { $0.geometry == nil } == [true, false, false, false])
        #expect(source.update(5) { $0.properties["x"] = true })
        #expect(!source.update("nobody") { $0.geometry = nil })
        source.removeAll { $0.identifier == "a" }
        #expect(source.features.map(\.identifier) == [5, "z"])
    }

    @Test func `a change is seen although there was an index`() throws {
        let features = (0..<300).map { Self.point(.integer($0), Double($0) / 10, 0) }
        var source = FeatureSource(features: features)
        source.update(3) { $0.geometry = .point(Coordinate(x: -100, y: 50)) }
        let (step, _) = try FeaturePlannerTests.plan(source, View.slippy(-100, 50, zoom: 9))
        #expect(FeaturePlannerTests.ids(step) == ["3"])
    }

    @Test func `equality is of what is drawn`() {
        let features = (0..<300).map { Self.point(.integer($0), Double($0), 0) }
        var grown = FeatureSource(features: Array(features.dropLast()))
        grown.append(features[299])
        #expect(grown == FeatureSource(features: features))
        var selected = grown
        selected.selection = 4
        #expect(selected != grown)
    }

    @Test func `the box holds all features`() throws {
        let source = FeatureSource(features: [
            Self.point(nil, 10, -5), Feature(geometry: nil),
            Feature(
                geometry: .lineString([
                    Coordinate(x: -3, y: 8), Coordinate(x: .nan, y: 0), Coordinate(x: 4, y: 90),
                ])),
        ])
        #expect(source.boundingBox == BoundingBox(minX: -3, minY: -5, maxX: 10, maxY: 90))
        #expect(FeatureSource(features: []).boundingBox == nil)
    }

    @Test func `the box in another system is that of the moved coordinates`() throws {
        // Helsinki and Zaragoza by PROJ.
        let source = FeatureSource(features: [
            Feature(
                geometry: .collection([
                    .point(Coordinate(longitude: 24.93545, latitude: 60.16952)),
                    .point(Coordinate(longitude: -0.87734, latitude: 41.65606)),
                    .point(Coordinate(longitude: 0, latitude: 90)),
                ]))
        ])
        let whole = try source.boundingBox(in: .webMercator)
        let box = try #require(whole)
        #expect(abs(box.minX + 97_665.042052571) < 1e-3 && abs(box.minY - 5_109_597.327884230) < 1e-3)
        #expect(abs(box.maxX - 2_775_801.596701134) < 1e-3 && abs(box.maxY - 8_437_576.742536522) < 1e-3)
        #expect(throws: CRSError.self) { try source.boundingBox(in: CRS("EPSG:27200")) }
    }
}
