import PortolanFeatures
import PortolanGeo
import PortolanPlan
import Testing

@Suite struct FeatureSourceTests {
    static func point(_ id: Feature.ID?, _ x: Double, _ y: Double) -> Feature {
        Feature(id: id, geometry: .point(Coordinate(x: x, y: y)))
    }

    @Test func `a collection has the CRS that its file names`() throws {
        var collection = FeatureCollection(features: [Self.point("a", 1, 2)])
        #expect(FeatureSource(collection).crs == .crs84)
        collection.crs = try CRS("EPSG:25830")
        #expect(FeatureSource(collection).crs.name == "EPSG:25830")
    }

    @Test func `a feature is identified by its id, or else by its id property`() {
        #expect(Self.point("a", 0, 0).identifier == "a")
        #expect(Feature(geometry: nil, properties: ["id": "p"]).identifier == "p")
        #expect(Feature(geometry: nil, properties: ["id": 7]).identifier == 7)
        #expect(Feature(id: "a", geometry: nil, properties: ["id": "p"]).identifier == "a")
        #expect(Feature(geometry: nil, properties: ["id": ["no"]]).identifier == nil)
        #expect(Feature(geometry: nil).identifier == nil)
    }

    @Test func `features are added, changed and removed`() {
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

    @Test func `simplestyle defaults apply only to features of documents that use simplestyle`() {
        func named(_ id: Feature.ID, _ properties: Properties = [:]) -> Feature {
            Feature(id: id, geometry: .point(Coordinate(x: 0, y: 0)), properties: properties)
        }
        func width(_ source: FeatureSource, _ place: Int) -> Double? {
            source.looks.styles[Int(source.looks.numbers[place])].default.stroke?.width
        }
        var source = FeatureSource(features: [named("a")])
        source.append(contentsOf: [named("b"), named("c", ["stroke": "#f00"])])
        source.append(contentsOf: [named("d", ["style": ["default": ["strokeWidth": 5]]])])
        #expect((0..<4).map { width(source, $0) } == [1, 2, 2, 5])
        source.update("b") { $0.properties["name"] = "b" }
        source.removeAll { $0.identifier == "a" }
        #expect((0..<3).map { width(source, $0) } == [2, 2, 5])
        source.style.strokeWidth = 9
        #expect((0..<3).map { width(source, $0) } == [9, 9, 5])
        #expect(FeatureSource(features: [named("b"), named("c", ["fill": "none"])]).looks.styles.count == 3)
    }

    @Test func `a change is visible even if there was an index`() throws {
        let features = (0..<300).map { Self.point(.integer($0), Double($0) / 10, 0) }
        var source = FeatureSource(features: features)
        source.update(3) { $0.geometry = .point(Coordinate(x: -100, y: 50)) }
        let (step, _) = try FeaturePlannerTests.plan(source, View.slippy(-100, 50, zoom: 9))
        #expect(FeaturePlannerTests.ids(step) == ["3"])
    }

    @Test func `sources are equal if they draw the same`() {
        let features = (0..<300).map { Self.point(.integer($0), Double($0), 0) }
        var grown = FeatureSource(features: Array(features.dropLast()))
        grown.append(features[299])
        #expect(grown == FeatureSource(features: features))
        var selected = grown
        selected.selection = 4
        #expect(selected != grown)
    }

    @Test func `the bounding box contains all features`() throws {
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

    @Test func `hidden features are not part of the bounding box`() throws {
        func place(_ x: Double, _ style: PropertyValue) -> Feature {
            Feature(
                geometry: .point(Coordinate(longitude: x, latitude: 60)), properties: ["style": ["default": style]])
        }
        let source = FeatureSource(features: [place(24, [:]), place(80, ["display": "none"]), place(25, [:])])
        let box = try #require(try source.boundingBox(in: .crs84))
        #expect(box.minX == 24)
        #expect(box.maxX == 25)
        let hidden = FeatureSource(features: [place(80, ["display": "none"])])
        #expect(try hidden.boundingBox(in: .crs84) == nil)
    }

    @Test func `the bounding box in another CRS is that of the transformed coordinates`() throws {
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
        #expect(abs(box.minX + 97_665.042052571) < 1e-3)
        #expect(abs(box.minY - 5_109_597.327884230) < 1e-3)
        #expect(abs(box.maxX - 2_775_801.596701134) < 1e-3)
        #expect(abs(box.maxY - 8_437_576.742536522) < 1e-3)
        #expect(throws: CRSError.self) { try source.boundingBox(in: CRS("EPSG:27200")) }
    }

    /// West, south, east and north of each part, and of the box around all.
    static let acrossTheAntimeridian: [(parts: [[Double]], box: [Double])] = [
        // Fiji, cut at 180°; the Aleutians; isolated islands; Tokyo and Honolulu.
        ([[177, -19, 180, -16], [-180, -18, -178, -15]], [177, -19, 182, -15]),
        ([[172, 52, 174, 53], [-180, 51, -165, 54]], [-188, 51, -165, 54]),
        ([[179.5, 0, 179.5, 0], [-179.5, 1, -179.5, 1]], [179.5, 0, 180.5, 1]),
        ([[139.7, 35.7, 139.7, 35.7], [-157.9, 21.3, -157.9, 21.3]], [139.7, 21.3, 202.1, 35.7]),
        // New York and Tokyo are joined across the Atlantic. A world of countries stays whole, as do lines beyond 180°.
        ([[-74, 40.7, -74, 40.7], [139.7, 35.7, 139.7, 35.7]], [-74, 35.7, 139.7, 40.7]),
        ([[-180, -90, -60, 70], [-60, -50, 60, 80], [70, 0, 180, 80]], [-180, -90, 180, 80]),
        ([[170, 0, 190, 5]], [170, 0, 190, 5]),
    ]

    @Test(arguments: acrossTheAntimeridian) func `geometry on both sides of the antimeridian has a small bounding box`(
        parts: [[Double]], box: [Double]
    ) throws {
        let rings = parts.map { part in
            [(0, 1), (2, 1), (2, 3), (0, 3), (0, 1)].map { Coordinate(x: part[$0.0], y: part[$0.1]) }
        }
        let sources = [
            FeatureSource(features: [Feature(geometry: .multiPolygon(rings.map { [$0] }))]),
            FeatureSource(features: rings.map { Feature(geometry: .lineString($0)) }),
            FeatureSource(features: rings.map { Feature(geometry: .multiPoint($0)) }),
        ]
        for source in sources {
            let found = try #require(try source.boundingBox(in: .crs84))
            for (value, expected) in zip([found.minX, found.minY, found.maxX, found.maxY], box) {
                #expect(abs(value - expected) < 1e-9 || abs(abs(value - expected) - 360) < 1e-9, "\(found)")
            }
            #expect(abs(found.maxX - found.minX - (box[2] - box[0])) < 1e-9)
        }
    }
}
