import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanPlan
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Layers of points by the million.
@Suite struct PointLayerTests {
    private static let points =
        #"data:application/geo+json,{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1},"#
        + #""geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}}]}"#

    private static func layer(
        _ keys: [String: String], source: String = points
    ) async throws -> LayerBuilder.Built {
        var configuration = RendererConfiguration()
        configuration.retries = .none
        let transport = StubTransport { (request) throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
        }
        let builder = LayerBuilder(
            client: ServiceClient(configuration: configuration, transport: transport), isStrict: false)
        let specification = try LayerSpecification(kind: .points, source: source, values: keys)
        return try #require(try await builder.build([specification]).first)
    }

    @Test(arguments: [
        ([:], PointSource.Look.points), (["cluster": "true"], .clusters()),
        (
            ["cluster": "true", "cluster-radius": "40", "cluster-max-zoom": "9", "cluster-min-points": "3"],
            .clusters(radius: 40, maximumZoom: 9, minimumPointCount: 3)
        ),
        (
            ["heatmap": "true", "heatmap-radius": "12", "heatmap-intensity": "2", "heatmap-weight": "n"],
            .heatmap(PointSource.Heatmap(radius: 12, intensity: 2, weightProperty: "n", fullWeight: 1))
        ),
        (
            ["heatmap": "true", "heatmap-weight": "n", "heatmap-max": "40", "heatmap-ramp": "viridis"],
            .heatmap(
                PointSource.Heatmap(
                    intensity: 2.5, weightProperty: "n", fullWeight: 40, ramp: HeatmapSymbol.Ramp.viridis.stops))
        ),
    ])
    func `keys set how points are shown`(_ keys: [String: String], _ look: PointSource.Look) async throws {
        let built = try await Self.layer(keys), source = try #require(built.layer?.points)
        #expect(source.look == look && source.table.count == 2 && built.warnings.isEmpty)
    }

    @Test(arguments: [("100%", 100.0), ("50%", 50), ("1%", 1), ("7", 7)])
    func `a percentage of the points sets the full weight of a heat map`(text: String, weight: Double) async throws {
        let features = (1...100).map { number in
            #"{"type":"Feature","properties":{"n":\#(number)},"geometry":{"type":"Point","coordinates":[\#(number),0]}}"#
        }
        let source =
            #"data:application/geo+json,{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
        let built = try await Self.layer(
            ["heatmap": "true", "heatmap-weight": "n", "heatmap-max": text], source: source)
        guard case .heatmap(let heat)? = built.layer?.points?.look else {
            Issue.record("no heat")
            return
        }
        #expect(heat.fullWeight == weight)
        #expect(heat.weight(of: weight) == 1 && heat.weight(of: 2 * weight) == 1 && heat.weight(of: weight / 2) == 0.5)
        #expect(heat.weight(of: nil) == 0 && heat.weight(of: -3) == 0)
    }

    @Test func `style and CRS keys of points are those of features`() async throws {
        let built = try await Self.layer(["marker-color": "#ff0000", "point-radius": "2.5", "crs": "EPSG:3857"])
        let source = try #require(built.layer?.points)
        #expect(source.table.crs == .webMercator && source.style.pointRadius == 2.5)
        #expect(try await Self.layer(["label": "name"]).warnings.count == 1)
    }

    @Test(arguments: [
        ["cluster": "perhaps"], ["cluster-radius": "40"], ["cluster": "true", "heatmap": "true"],
        ["heatmap-radius": "3"], ["heatmap": "true", "heatmap-max": "9"],
        ["heatmap": "true", "heatmap-weight": "n", "heatmap-max": "0"],
        ["heatmap": "true", "heatmap-weight": "n", "heatmap-max": "101%"],
        ["heatmap": "true", "heatmap-ramp": "rainbow"],
        ["cluster": "true", "cluster-radius": "0"], ["heatmap": "true", "heatmap-intensity": "x"],
        ["point-radius": "-1"],
        ["crs": "EPSG:1"],
    ])
    func `invalid keys are refused`(_ keys: [String: String]) async throws {
        let error = await #expect(throws: MapError.self) { try await Self.layer(keys) }
        #expect(error?.code == .invalidArgument)
    }
}
