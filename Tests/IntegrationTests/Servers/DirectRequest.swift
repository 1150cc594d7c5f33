import Portolan
import PortolanFetch
import TestHelpers
import Testing

/// A request for a picture that is written here letter by letter, so that it owes nothing to what is tested.
struct DirectRequest {
    var service: String
    var layers: String
    var version = "1.3.0"
    var crs = "EPSG:3857"
    var place = Place.spain3857
    var isTransparent = true

    var url: String {
        let isOld = version == "1.0.0", isNew = version == "1.3.0"
        let names = isOld ? "WMTVER=1.0.0&REQUEST=map" : "VERSION=\(version)&REQUEST=GetMap"
        let box = place.extent
        let sides =
            isNew && crs == "EPSG:4326"
            ? "\(box.minY),\(box.minX),\(box.maxY),\(box.maxX)" : "\(box.minX),\(box.minY),\(box.maxX),\(box.maxY)"
        let styles = String(repeating: ",", count: layers.count { $0 == "," })
        return service + "SERVICE=WMS&\(names)&LAYERS=\(layers)&STYLES=\(styles)&\(isNew ? "CRS" : "SRS")=\(crs)"
            + "&BBOX=\(sides)&WIDTH=\(place.size.width)&HEIGHT=\(place.size.height)&FORMAT=\(isOld ? "PNG" : "image/png")"
            + "&TRANSPARENT=\(isTransparent ? "TRUE" : "FALSE&BGCOLOR=0xFFFFFF")"
            + "&EXCEPTIONS=\(isOld ? "WMS_XML" : isNew ? "XML" : "application/vnd.ogc.se_xml")"
    }

    /// The server's own picture.
    func picture() async throws -> PixelBuffer {
        let picture = try await PixelBuffer(at: url)
        try #require(picture.size == place.size)
        return picture
    }
}

extension PixelBuffer {
    /// The picture at a URL, fetched without the renderer.
    init(at url: String) async throws {
        let response = try await MapServers.transport.send(HTTPRequest(to: url))
        try #require(response.status == 200, "\(url) answers \(response.status)")
        self = try ImageDecoders.standard.decode(response.body)
    }
}
