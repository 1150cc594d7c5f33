import PortolanPlan
import PortolanServices

extension MapLayer {
    /// Notes what the service can tell of the layer besides pictures: where it is, features at a place, and legends.
    mutating func addQueries(
        _ request: GetMapRequest, of capabilities: WMSCapabilities, baseURL: String,
        policy: ServiceURLPolicy = .advertised
    ) {
        let boxes = request.layers.map { capabilities.layer(named: $0)?.geographicBox }
        // Of several layers all must say where they are.
        if let first = boxes.first, let first, boxes.allSatisfy({ $0 != nil }) {
            bounds = LayerBounds(geographic: boxes.compactMap(\.self).reduce(first) { $0.union($1) })
        }
        featureInfo = WMSNegotiation.featureInfo(for: request, of: capabilities, baseURL: baseURL, policy: policy)
            .map { .wms($0) }
        legends = WMSNegotiation.legends(
            of: request.layers, styles: request.styles, version: request.version, in: capabilities, baseURL: baseURL,
            policy: policy)
    }
}
