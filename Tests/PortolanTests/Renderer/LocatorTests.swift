import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import TestHelpers
import Testing

/// The layers that locator maps and other insets show.
@Suite struct LocatorTests {
    enum Kind: Sendable, CaseIterable {
        case features, collections, table, mixed
    }

    /// A layer with a magenta disc outside the map, at 25 degrees east.
    private static func spots(_ kind: Kind) -> MapLayer {
        let place = Geometry.point(Coordinate(x: 25, y: 0))
        var declaration = StyleDeclaration()
        declaration.pointRadius = 30
        declaration.fillColor = MapColor(red: 255, green: 0, blue: 255)
        declaration.fillOpacity = 1
        if kind == .table {
            let table = PointTable(FeatureCollection(features: [Feature(geometry: place)]))
            return MapLayer(name: "spots", source: PointSource(table, style: declaration))
        }
        var geometries = [kind == .collections ? Geometry.collection([place]) : place]
        if kind == .mixed {
            geometries.append(.lineString([Coordinate(x: 0, y: 0), Coordinate(x: 25, y: 0)]))
        }
        var source = FeatureSource(features: geometries.map { Feature(geometry: $0) })
        source.style = declaration
        return MapLayer(name: "spots", source: source)
    }

    private static func land() -> MapLayer {
        let corners = [(-30.0, -30.0), (30, -30), (30, 30), (-30, 30), (-30, -30)].map {
            Coordinate(x: $0.0, y: $0.1)
        }
        var source = FeatureSource(features: [Feature(geometry: .polygon([corners]))])
        source.style.fillColor = MapColor(red: 0, green: 160, blue: 0)
        source.style.strokeColor = MapColor(red: 0, green: 160, blue: 0)
        return MapLayer(name: "land", source: source)
    }

    /// Returns whether an inset shows the disc, and the messages of the warnings.
    private static func shown(
        _ layers: [MapLayer], _ inset: RenderOptions.Inset
    ) async throws -> (hasSpots: Bool, warnings: [String]) {
        var options = World.plain()
        options.insets = [inset]
        let result = try await World.renderer(World.transport()).render(
            layers, in: World.view(width: 400, height: 300), options: options)
        let spot = Pixel(MapColor(red: 255, green: 0, blue: 255)).bits
        return (result.image.pixels.contains(spot), result.report.warnings.map(\.message))
    }

    private static func extent() throws -> Extent {
        try #require(Extent(sides: [-30, -30, 30, 30]))
    }

    @Test(arguments: Kind.allCases)
    func `a locator map leaves out layers that are only points, unless it names them`(_ kind: Kind) async throws {
        let layers = [Self.land(), Self.spots(kind)], extent = try Self.extent()
        let locator = RenderOptions.Inset.locator(extent: extent, crs: .crs84)
        #expect(try await Self.shown(layers, locator).hasSpots == (kind == .mixed))
        var named = locator
        named.layers = ["land", "spots"]
        #expect(try await Self.shown(layers, named).hasSpots)
        named.layers = ["land"]
        #expect(try await !Self.shown(layers, named).hasSpots)
        // Other insets show everything.
        let detail = RenderOptions.Inset(extent: extent, crs: .crs84)
        #expect(try await Self.shown(layers, detail).hasSpots)
    }

    @Test func `a locator map without other layers shows points`() async throws {
        let locator = RenderOptions.Inset.locator(extent: try Self.extent(), crs: .crs84)
        var hidden = Self.land()
        hidden.isVisible = false
        #expect(try await Self.shown([hidden, Self.spots(.features)], locator).hasSpots)
    }

    @Test func `a name that no layer has is reported`() async throws {
        let locator = RenderOptions.Inset.locator(extent: try Self.extent(), crs: .crs84, layers: ["land", "sea"])
        let shown = try await Self.shown([Self.land()], locator)
        #expect(shown.warnings.count == 1 && shown.warnings.first?.contains("'sea'") == true, "\(shown.warnings)")
    }

    @Test(arguments: [(true, nil, 1), (false, nil, 0), (true, CRS.crs84, 0)])
    func `an extent that looks like degrees and is read in metres is reported`(
        isInDegrees: Bool, crs: CRS?, count: Int
    ) async throws {
        let extent = try Self.extent(), meters = try #require(Extent(sides: [-3e6, -3e6, 3e6, 3e6]))
        let inset = RenderOptions.Inset(extent: isInDegrees ? extent : meters, crs: crs)
        let shown = try await Self.shown([Self.land(), Self.spots(.features)], inset)
        #expect(shown.warnings.count { $0.contains("bbox-crs=EPSG:4326") } == count, "\(shown.warnings)")
        #expect(shown.hasSpots == (count == 0))
    }

    @Test func `the text of a locator names layers`() throws {
        let inset = try RenderOptions.Inset("bbox=-30,-30,30,30;bbox-crs=EPSG:4326;layers=land,sea", isLocator: true)
        #expect(inset.layers == ["land", "sea"])
        #expect(throws: RenderOptions.Inset.Malformed.self) { try RenderOptions.Inset("layers=", isLocator: true) }
    }
}
