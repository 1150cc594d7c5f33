import Portolan
import PortolanServices
import PortolanWeb
import Testing

/// One way to ask one of the servers for a picture: the table of what they offer.
struct WMSOffer: CustomTestStringConvertible {
    enum Server: String { case mapServer, mapProxy }

    let server: Server
    let layers: String
    let version: WMSCapabilities.Version
    let crs: String

    static let systems = ["EPSG:4326", "CRS:84", "EPSG:3857", "EPSG:25830"]

    /// All versions and systems of both servers; MapServer takes CRS:84 in version 1.3.0 only.
    static let all: [WMSOffer] = {
        var offers: [WMSOffer] = []
        for version in WMSCapabilities.Version.allCases {
            for crs in systems {
                if crs != "CRS:84" || version == .v1_3_0 {
                    offers.append(WMSOffer(server: .mapServer, layers: "countries,lakes", version: version, crs: crs))
                    offers.append(WMSOffer(server: .mapServer, layers: "relief", version: version, crs: crs))
                }
                offers.append(WMSOffer(server: .mapProxy, layers: "political", version: version, crs: crs))
            }
        }
        return offers
    }()

    static func all(of server: Server, layers: String) -> [WMSOffer] {
        all.filter { $0.server == server && $0.layers == layers }
    }

    var testDescription: String { "\(server.rawValue) \(layers) \(version) \(crs)" }

    func service(of servers: MapServers) -> String {
        server == .mapServer ? servers.mapServer : servers.mapProxyService
    }

    /// The library's choice from the offer.
    func layer(
        mapCRS: CRS, axisOrder: WMSOptions.AxisOrderPolicy = .auto, isTransparent: Bool = true
    ) async throws -> MapLayer {
        let options = WMSOptions(
            layers: layers.split(separator: ",").map(String.init), version: version, crsName: crs,
            format: "image/png", isTransparent: isTransparent, axisOrder: axisOrder)
        let (layer, warnings) = try await ServiceClient.shared.wmsLayer(
            named: "map", url: service(of: .running()), options: options, mapCRS: mapCRS)
        // MapProxy lists CRS:84 in versions that do not know it, and draws it as it should.
        #expect(
            warnings.map { $0.description.hasPrefix("CRS:84 is not valid in version") }
                == (crs == "CRS:84" && version < .v1_3_0 ? [true] : []))
        guard let source = layer.source as? WMSSource else { throw NotAWMS() }
        #expect(source.request.version == version)
        #expect(source.request.crsName == crs)
        return layer
    }

    struct NotAWMS: Error {}
}
