import PortolanGeo
import PortolanServices
import PortolanWeb

extension FuzzKind {
    /// Capabilities of WFS.
    static let wfsCapabilities = FuzzKind(
        name: "wfs-capabilities", grammar: .xml,
        corpus: ["Tests/PortolanServicesTests/Fixtures/features/wfs-caps-*.xml"], time: requestTime, read: readWFS)

    /// The documents of OGC API - Features.
    static let ogcAPI = FuzzKind(
        name: "ogc-api", grammar: .json, corpus: ["Tests/PortolanServicesTests/Fixtures/features/oaf-*.json"],
        time: requestTime, read: readOGCAPI)

    /// Each of the first types is asked for.
    private static let requestTime = Bound(any: 60_000_000, each: 30_000)

    private static func readWFS(_ bytes: [UInt8]) throws -> Outcome {
        let offered: WFSCapabilities
        do { offered = try WFSCapabilitiesReader.read(bytes) } catch { return try refused(error.description) }
        for warning in offered.warnings { _ = try refused(warning.description) }
        var words = ""
        for type in offered.featureTypes.prefix(20) {
            let options = WFSOptions(typeName: type.name)
            do throws(WFSError) {
                let request = try WFSNegotiation.request(
                    for: options, of: offered, document: "https://example.org/wfs?key=1")
                if let box { words += url(request.url(of: box, count: 10, from: 20).text) ? "a" : "-" }
                _ = request.address(ofNext: type.title)
            } catch { words += try refused(error.description).signature.prefix(12) }
        }
        return .value("\(magnitude(offered.featureTypes.count)) \(words.prefix(24))")
    }

    private static func readOGCAPI(_ bytes: [UInt8]) throws -> Outcome {
        do throws(OGCAPIError) {
            switch try OGCAPIReader.read(bytes) {
            case .landing(let landing): return .value("landing \(magnitude(landing.links.count))")
            case .conformance(let classes): return .value("conformance \(magnitude(classes.count))")
            case .collection(let collection): return .value("collection " + request(collection))
            case .collections(let collections, _):
                return .value("collections " + collections.prefix(20).map(request).joined().prefix(24))
            }
        } catch { return try refused(error.description) }
    }

    private static func request(_ collection: OGCAPICollection) -> String {
        guard let request = try? OGCAPIItemsRequest(collection, document: "https://example.org/api?key=1") else {
            return "-"
        }
        guard let box else { return "-" }
        return url(request.url(of: box, count: 10, from: 20).text) ? "a" : "-"
    }

    private static let box = Extent(minX: -1, minY: -2, maxX: 3, maxY: 4)

    /// Whether an address is one of the web.
    private static func url(_ text: String) -> Bool { LooseURL(text).host != nil }
}
