import Foundation
import PortolanCodecs
import PortolanRaster

/// The responses of loopback servers: captures of real servers, and pictures of one colour.
enum MapServer {
    static let tile = MapColor(css: "#3366cc") ?? .black

    /// A capture of a real server.
    static func capture(_ name: String) throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: tests.appending(path: "PortolanServicesTests/Fixtures/\(name)")))
    }

    /// A PNG of one colour.
    static func picture(width: Int, height: Int, color: MapColor = tile) throws -> [UInt8] {
        guard let size = ImageSize(width: width, height: height) else { return [] }
        return try PNGEncoder.encode(PixelBuffer(size: size, filledWith: Pixel(color)))
    }

    /// A MapServer whose maps are of one colour and as large as they are asked for.
    static func wms() throws -> LoopbackServer.Route {
        let capabilities = try capture("mapserver/caps-1.3.0.xml")
        return { request in
            if request.target.contains("GetCapabilities") { return .init(type: "text/xml", body: capabilities) }
            guard request.target.contains("GetMap"), let width = number("WIDTH", in: request.target),
                let height = number("HEIGHT", in: request.target)
            else { return .notFound }
            let body = try? picture(width: width, height: height)
            return body.map { .init(type: "image/png", body: $0) } ?? .notFound
        }
    }

    /// Tiles of one colour, and status 404 for those that `hole` names.
    static func tiles(except hole: String? = nil) throws -> LoopbackServer.Route {
        let tile = try picture(width: 256, height: 256)
        return { request in
            if let hole, request.target.hasPrefix(hole) { return .notFound }
            return .init(type: "image/png", body: tile)
        }
    }

    private static func number(_ name: String, in target: String) -> Int? {
        target.split(whereSeparator: { "?&".contains($0) }).first { $0.uppercased().hasPrefix("\(name)=") }
            .flatMap { Int($0.dropFirst(name.count + 1)) }
    }
}
