import PortolanPlan
import PortolanServices

extension MapLayer {
    /// Notes what the service can tell of the layer besides pictures: features at a place, and legends.
    mutating func addQueries(
        _ request: GetMapRequest, of capabilities: WMSCapabilities, baseURL: String,
        policy: ServiceURLPolicy = .advertised
    ) {
        featureInfo = WMSNegotiation.featureInfo(for: request, of: capabilities, baseURL: baseURL, policy: policy)
            .map { .wms($0) }
        legends = WMSNegotiation.legends(
            of: request.layers, styles: request.styles, version: request.version, in: capabilities, baseURL: baseURL,
            policy: policy)
    }
}
