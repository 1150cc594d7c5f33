import PortolanFeatures
import PortolanFetch
import PortolanWeb

/// The root of the server, `/`: a page of all maps for browsers, or the viewer of the only map, and a JSON list for
/// other clients.
package struct IndexEndpoint: Endpoint {
    package let root = ""

    package init() {}

    package var operations: [APIOperation] {
        [
            APIOperation(
                "/", "All maps with their addresses: a page for browsers, JSON for other clients.", group: "Documents",
                [.ok("application/json", "text/html"), APIAnswer(302)])
        ]
    }

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard request.wantsPage else {
            var response = ServerResponse(
                json: [
                    "maps": .array(context.book.maps.map { .object(Self.members(of: $0, context)) }),
                    "wms": .string("\(context.base)/wms?"), "wmts": .string(context.addressOfWMTS),
                    "ogcapi": .string("\(context.base)/ogc"), "openapi": .string("\(context.base)/openapi.json"),
                ])
            response.set("Cache-Control", "no-cache")
            response.set("Vary", "Accept")
            return response
        }
        guard let first = context.book.maps.first, context.book.maps.count == 1, context.book.refusals.isEmpty else {
            return OverviewPage(context).response(to: request)
        }
        return ServerResponse(
            status: 302,
            headers: [
                HTTPHeader(name: "Location", value: context.reference("viewer/\(first.name)", from: request)),
                HTTPHeader(name: "Cache-Control", value: "no-store"), HTTPHeader(name: "Vary", value: "Accept"),
            ])
    }

    private static func members(of map: PublishedMap, _ context: ServingContext) -> Properties {
        var members: Properties = ["name": .string(map.name), "title": .string(map.title)]
        for address in context.addresses(of: map) { members[address.key] = .string(address.url) }
        return members
    }
}

/// An address of a map, for people to copy.
struct MapAddress {
    /// The name in JSON.
    let key: String
    /// The name for people.
    let label: String
    /// The URL.
    let url: String
}

extension ServingContext {
    /// The address of the WMTS capabilities.
    var addressOfWMTS: String { "\(base)/wmts/1.0.0/WMTSCapabilities.xml" }

    /// Returns the addresses of a map.
    func addresses(of map: PublishedMap) -> [MapAddress] {
        [
            MapAddress(key: "viewer", label: "Viewer", url: "\(base)/viewer/\(map.name)"),
            MapAddress(key: "tiles", label: "Tiles (XYZ)", url: "\(base)/tiles/\(map.name)/{z}/{x}/{y}.png"),
            MapAddress(key: "tilejson", label: "TileJSON", url: "\(base)/tilejson/\(map.name).json"),
            MapAddress(key: "style", label: "MapLibre style", url: "\(base)/styles/\(map.name)/style.json"),
            MapAddress(key: "wms", label: "WMS", url: "\(base)/wms?SERVICE=WMS&REQUEST=GetCapabilities"),
            MapAddress(key: "wmts", label: "WMTS", url: addressOfWMTS),
            MapAddress(key: "ogcapi", label: "OGC API – Maps and Tiles", url: "\(base)/ogc/collections/\(map.name)"),
        ]
            + map.archiveNames.map {
                MapAddress(
                    key: "data", label: "Stored tiles (TileJSON)",
                    url: "\(base)/data/\(PercentEncoding.pathPart($0)).json")
            }
    }
}
