import Portolan
import PortolanWeb
import Testing

extension MapRenderer {
    /// A renderer that remembers nothing yet.
    static func fresh() -> MapRenderer { MapRenderer(transport: MapServers.transport) }

    /// The picture of layers with nothing missing and nothing written on it.
    func whole(_ layers: [MapLayer], in viewport: Viewport) async throws -> RenderResult {
        var options = RenderOptions()
        options.attribution = .none
        options.maximumMissing = 0
        let result = try await render(layers, in: viewport, options: options)
        let report = result.report
        try #require(report.complete, "\(report.warnings) \(report.layers.flatMap(\.failed))")
        return result
    }

    /// The picture of one layer.
    func picture(of layer: MapLayer, in viewport: Viewport) async throws -> PixelBuffer {
        try await whole([layer], in: viewport).image
    }
}

extension ServiceClient {
    /// A client over the connections of all tests.
    static let shared = ServiceClient(transport: MapServers.transport)
}
