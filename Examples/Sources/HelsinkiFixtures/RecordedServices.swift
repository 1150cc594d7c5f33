import Foundation
import Portolan
import PortolanFetch

/// A transport that answers for two recorded services of central Helsinki, in place of the network.
///
/// `http://tiles.example/service` is a WMS-C: a MapProxy's capabilities and its tiles. `http://maps.example/wms` is a WMS:
/// a MapServer's capabilities and the maps that the demonstrations ask for.
public struct RecordedServices: HTTPTransport {
    /// The address of the service with tile sets.
    public static let tileService = "http://tiles.example/service?"

    /// The address of the service that draws one image a view.
    public static let mapService = "http://maps.example/wms?"

    /// The folder with the recorded answers.
    private let folder: URL

    /// Makes a transport over the recordings in `Fixtures/helsinki` of the project.
    public init(folder: URL) { self.folder = folder }

    /// Answers a request as the recorded services did.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        guard let components = URLComponents(string: request.url), let host = components.host else {
            throw FetchError(.invalidURL, url: request.url, detail: "not a URL")
        }
        var parameters: [String: String] = [:]
        for item in components.queryItems ?? [] { parameters[item.name.uppercased()] = item.value }
        let path: String? =
            switch (host, parameters["REQUEST"]) {
            case ("tiles.example", "GetCapabilities"): "capabilities.xml"
            case ("tiles.example", "GetMap"): tile(parameters)
            case ("maps.example", "GetCapabilities"): "overlay/capabilities.xml"
            case ("maps.example", "GetMap"): overlay(components.query)
            default: nil
            }
        guard let path, let body = try? Data(contentsOf: folder.appending(path: path)) else {
            return HTTPResponse(status: 404, body: Array("not recorded".utf8), url: request.url)
        }
        return HTTPResponse(status: 200, body: [UInt8](body), url: request.url)
    }

    /// The file of a tile, by the arithmetic of `tiles/README.md`.
    private func tile(_ parameters: [String: String]) -> String? {
        let box = (parameters["BBOX"] ?? "").split(separator: ",").compactMap { Double($0) }
        guard box.count == 4, parameters["LAYERS"] == "base" else { return nil }
        let side = box[2] - box[0]
        let level = log2(4891.969810251 / side).rounded()
        let column = ((box[0] - 2_774_358.3786387555) / side).rounded()
        let row = ((box[1] - 8_435_590.44155205) / side).rounded()
        guard level >= 0, level <= 4, column.isFinite, row.isFinite else { return nil }
        return "tiles/\(Int(level))/\(Int(column))_\(Int(row)).png"
    }

    /// The recorded map, when it is one of those that were asked for.
    private func overlay(_ query: String?) -> String? {
        guard let query,
            let recorded = try? String(contentsOf: folder.appending(path: "overlay/queries.txt"), encoding: .utf8)
        else { return nil }
        // A name and the query that it answers.
        let line = recorded.split(whereSeparator: \.isNewline).first { $0.hasSuffix(" " + query) }
        return line?.split(separator: " ").first.map { "overlay/\($0).png" }
    }
}
