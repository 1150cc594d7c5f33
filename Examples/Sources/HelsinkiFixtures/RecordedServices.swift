import Foundation
import Portolan
import PortolanFetch

/// A transport with the responses of two recorded services of central Helsinki, instead of the network.
///
/// `http://tiles.example/service` is a WMS-C: the capabilities and tiles of a MapProxy. `http://maps.example/wms` is a
/// WMS: the capabilities of a MapServer and the maps that the demonstrations request.
public struct RecordedServices: HTTPTransport {
    /// The URL of the service with tile sets.
    public static let tileService = "http://tiles.example/service?"

    /// The URL of the service that renders one image per view.
    public static let mapService = "http://maps.example/wms?"

    /// The folder with the recorded responses.
    private let folder: URL

    /// Creates a transport with the recordings in `Fixtures/helsinki` of the project.
    public init(folder: URL) { self.folder = folder }

    /// Returns the recorded response to a request.
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

    /// Returns the file of a tile, computed as described in `tiles/README.md`.
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

    /// Returns the recorded map of a query, or `nil` if it was not recorded.
    private func overlay(_ query: String?) -> String? {
        guard let query,
            let recorded = try? String(contentsOf: folder.appending(path: "overlay/queries.txt"), encoding: .utf8)
        else { return nil }
        // A file name and the query that it answers.
        let line = recorded.split(whereSeparator: \.isNewline).first { $0.hasSuffix(" " + query) }
        return line?.split(separator: " ").first.map { "overlay/\($0).png" }
    }
}
