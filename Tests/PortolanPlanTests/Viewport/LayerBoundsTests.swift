import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb
import Testing

@Suite struct LayerBoundsTests {
    static func town() throws -> LayerBounds {
        LayerBounds(try #require(Extent(minX: 24.8, minY: 60.1, maxX: 25.2, maxY: 60.3)), crs: .crs84)
    }

    static func view(_ longitude: Double, _ latitude: Double, zoom: Double) throws -> Viewport {
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        let center = try #require(transform(Coordinate(longitude: longitude, latitude: latitude)))
        return try Viewport(
            center: center, resolution: #require(Resolution(zoom: zoom, in: .webMercator)),
            size: #require(ImageSize(width: 100, height: 100)))
    }

    static func layer(_ bounds: LayerBounds?) throws -> MapLayer {
        var layer = MapLayer(
            name: "a",
            source:
                TileSource(grid: try #require(.webMercator()), address: .xyz(try XYZTemplate("http://h/{z}/{x}/{y}"))))
        layer.bounds = bounds
        return layer
    }

    @Test func `bounds outside the world of a CRS are nil there`() throws {
        let pole = LayerBounds(try #require(Extent(minX: -10, minY: 88, maxX: 10, maxY: 89)), crs: .crs84)
        let polar = try CRS("EPSG:3995")
        #expect(pole.extent(in: .webMercator) == nil)
        #expect(pole.extent(in: polar) != nil)
        let plan = MapPlanner(viewport: try Self.view(0, 80, zoom: 3)).plan([try Self.layer(pole)])
        #expect(plan.warnings.contains { $0.code == .outsideView })
    }

    @Test(
        arguments: [
            (25, 60.2, 12, false), (25, 60.2, 2, false), (-3, 40, 8, true), (25, 70, 8, true),
            // A copy of the world to the west and to the east.
            (25 - 360, 60.2, 12, false), (25 + 360, 60.2, 12, false), (-3 + 360, 40, 8, true),
        ] as [(Double, Double, Double, Bool)])
    func `a view entirely outside a layer is reported`(
        longitude: Double, latitude: Double, zoom: Double, isOutside: Bool
    ) throws {
        let plan = MapPlanner(viewport: try Self.view(longitude, latitude, zoom: zoom)).plan([
            try Self.layer(Self.town())
        ])
        #expect(plan.warnings.contains { $0.code == .outsideView } == isOutside)
        guard let warning = plan.warnings.first(where: { $0.code == .outsideView }) else { return }
        #expect(
            warning.description
                == "layer 'a': the view is entirely outside the layer, which covers 24.8,60.1,25.2,60.3 degrees"
        )
        #expect(plan.layers.count == 1)
    }

    @Test func `features define the bounds of their layer`() throws {
        let point = Feature(geometry: .point(Coordinate(longitude: 25, latitude: 60)))
        let layer = MapLayer(name: "a", source: FeatureSource(features: [point]))
        #expect(MapPlanner(viewport: try Self.view(25, 60, zoom: 5)).plan([layer]).warnings.isEmpty)
        #expect(MapPlanner(viewport: try Self.view(0, 0, zoom: 5)).plan([layer]).warnings.first?.code == .outsideView)
        // Those without a place, and layers that do not say, are nowhere and everywhere.
        let none = MapLayer(name: "b", source: FeatureSource(features: []))
        #expect(MapPlanner(viewport: try Self.view(0, 0, zoom: 5)).plan([none, try Self.layer(nil)]).warnings.isEmpty)
    }

    @Test func `a bounding box in degrees is clipped to the other CRS`() throws {
        let world = LayerBounds(try #require(Extent(minX: -180, minY: -90, maxX: 180, maxY: 90)), crs: .crs84)
        let box = try #require(world.extent(in: .webMercator)), all = try #require(CRS.webMercator.worldExtent)
        #expect(abs(box.minY - all.minY) < 1)
        #expect(abs(box.maxY - all.maxY) < 1)
        #expect(abs(box.width - all.width) < 1)
    }

    @Test func `bounds in metres are also described in degrees`() throws {
        // The middle of zone 30 on the equator: 3 degrees west.
        let crs = try CRS("EPSG:32630")
        let bounds = LayerBounds(try #require(Extent(minX: 500_000, minY: 0, maxX: 500_100, maxY: 100)), crs: crs)
        #expect(bounds.description == "-3,0,-2.9991,0.0009 degrees (500000,0,500100,100 in EPSG:32630)")
    }
}
