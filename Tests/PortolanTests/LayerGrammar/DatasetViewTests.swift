import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanPlan
import PortolanRaster
import Synchronization
import TestHelpers
import Testing

/// Which features of an indexed file are read for a single view.
@Suite struct DatasetViewTests {
    /// A dataset of points that remembers what is asked of it.
    private final class Probe: IndexedFeatureDataset {
        let name = "probe"
        let layers = [FeatureLayerDescription(name: "points")]
        let points: [Coordinate]
        let isIndexed: Bool
        private let log = Mutex<[BoundingBox?]>([])

        init(_ points: [(Double, Double)], isIndexed: Bool = true) {
            self.points = points.map { Coordinate(x: $0.0, y: $0.1) }
            self.isIndexed = isIndexed
        }

        /// Whether all features were read.
        var wasReadCompletely: Bool { log.withLock { $0.contains(nil) } }

        func isIndexed(layer: String?) -> Bool { isIndexed }

        func read(_ query: FeatureQuery, limits: FeatureLimits) throws -> FeatureCollection {
            log.withLock { $0.append(query.box) }
            let found = points.enumerated().filter { point in
                guard let box = query.box else { return true }
                let place = point.element
                return place.x >= box.minX && place.x <= box.maxX && place.y >= box.minY && place.y <= box.maxY
            }
            return FeatureCollection(
                features: found.map { Feature(geometry: .point($0.element), properties: ["n": .integer($0.offset)]) })
        }
    }

    private static func numbers(
        _ probe: Probe, _ values: [String: String] = [:], in view: Viewport?
    ) async throws -> [Int] {
        let folder = try TemporaryFolder()
        try folder.write(Array("PROBE".utf8), to: "a.probe")
        var configuration = RendererConfiguration()
        configuration.featureDatasets.formats.insert(
            FeatureDatasets.Format("probe", recognizes: { $0.starts(with: "PROBE".utf8) }, open: { _ in probe }), at: 0)
        var builder = LayerBuilder(client: ServiceClient(configuration: configuration))
        builder.onlyView = view
        let specification = try LayerSpecification(kind: .features, source: folder.path + "/a.probe", values: values)
        let features = try #require(try await builder.build([specification])[0].layer?.features)
        return features.features.compactMap { $0.properties["n"]?.integerValue }
    }

    private static func view(
        _ longitude: Double, _ latitude: Double = 0, crs: CRS = .webMercator
    ) throws -> Viewport {
        // 8° wide, and with 256 pixels on each side 18°.
        let center = try #require(try CoordinateTransform(from: .crs84, to: crs)(Coordinate(x: longitude, y: latitude)))
        let resolution = try #require(Resolution(unitsPerPixel: 0.0175 * 111_319.49 / crs.metersPerUnit))
        let size = try #require(ImageSize(width: 457, height: 457))
        return try Viewport(center: center, resolution: resolution, size: size, crs: crs)
    }

    private static let row = stride(from: -175.0, through: 175, by: 5).map { ($0, 0.0) }

    @Test(arguments: [CRS.webMercator, .crs84]) func `points in view and near it are read`(crs: CRS) async throws {
        let probe = Probe(Self.row)
        let found = try await Self.numbers(probe, in: Self.view(20, crs: crs))
        #expect(found.map { -175 + 5 * $0 } == [15, 20, 25])
        #expect(!probe.wasReadCompletely)
    }

    @Test func `all features are read without a view or an index, and if none is in view`() async throws {
        for (isIndexed, view) in [
            (true, nil), (false, try Self.view(20)), (true, try Self.view(22.5, 60)),
        ] {
            let probe = Probe(Self.row, isIndexed: isIndexed)
            #expect(try await Self.numbers(probe, in: view).count == Self.row.count)
            #expect(probe.wasReadCompletely)
        }
    }

    @Test func `all features are read across the antimeridian, and if some are beyond it`() async throws {
        var probe = Probe(Self.row)
        #expect(try await Self.numbers(probe, in: Self.view(178)).count == Self.row.count)
        #expect(probe.wasReadCompletely)
        // 200° is drawn at -160°.
        probe = Probe(Self.row + [(200, 0)])
        #expect(try await Self.numbers(probe, in: Self.view(-160)).count == Self.row.count + 1)
        #expect(probe.wasReadCompletely)
    }

    @Test(arguments: [
        ["fill": "n", "classes": "3"], ["radius": "n"], ["geodesic": "true"], ["ends": "true"],
    ])
    func `layers that need all features read them`(values: [String: String]) async throws {
        let probe = Probe(Self.row)
        _ = try? await Self.numbers(probe, values, in: Self.view(20))
        #expect(probe.wasReadCompletely)
    }

    @Test func `the box is in the CRS that the layer states`() async throws {
        let probe = Probe([(2_226_389, 0), (20, 0), (5_000_000, 0)])
        #expect(try await Self.numbers(probe, ["crs": "EPSG:3857"], in: Self.view(20)) == [0])
    }
}
