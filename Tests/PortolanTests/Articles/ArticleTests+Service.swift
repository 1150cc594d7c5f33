import Foundation
import Portolan
import TestHelpers
import Testing

/// The article about a map in an HTTP service, as it is printed there.
@Suite(.timeLimit(.minutes(5))) struct ServiceArticleTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures").path

    private func makeRenderer(cache folder: String) -> MapRenderer {
        var configuration = RendererConfiguration()
        configuration.cacheFolder = folder
        return MapRenderer(configuration: configuration)
    }

    @Test func `A map in an HTTP service`() async throws {
        let folder = try TemporaryFolder(), cache = folder.path, style = Self.fixtures + "/helsinki/city-style.json"

        let service = MapService(renderer: makeRenderer(cache: cache), style: style)
        let reply = await service.picture(longitude: 24.9414, latitude: 60.1718, zoom: 16)
        print(reply.status, reply.body.count)

        #expect(reply.status == 200)
        #expect(reply.headers["Cache-Control"] == "max-age=3600")
        #expect(try ImageDecoders.standard.decode(reply.body).size.width == 600)

        let missing = MapService(renderer: service.renderer, style: style + ".missing")
        #expect(await missing.picture(longitude: 24.9414, latitude: 60.1718, zoom: 16).status == 404)
        let wrong = await service.picture(longitude: 24.9414, latitude: .nan, zoom: 16)
        #expect(wrong.status == 400 && String(decoding: wrong.body, as: UTF8.self).contains("400"))
    }
}

struct MapAnswer {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
}

struct MapService {
    let renderer: MapRenderer
    let style: String

    func picture(longitude: Double, latitude: Double, zoom: Double) async -> MapAnswer {
        do throws(MapError) {
            let map = try MapFacade(width: 600, height: 400, renderer: renderer)
            map.options.deadline = .seconds(5)
            try await map.addStyle(from: style)
            let place = Coordinate(longitude: longitude, latitude: latitude)
            map.addPOI(id: "here", coordinate: place, name: "Here")
            try map.center(on: place, zoom: zoom)
            let picture = try await map.refresh()
            // An incomplete picture may be shown, but must not be cached.
            let lifetime = picture.report.complete ? "max-age=3600" : "no-store"
            return MapAnswer(
                status: 200, headers: ["Content-Type": "image/png", "Cache-Control": lifetime],
                body: try picture.png())
        } catch {
            return Self.answer(to: error)
        }
    }
}

extension MapService {
    static func answer(to error: MapError) -> MapAnswer {
        var headers = ["Content-Type": "application/problem+json", "Cache-Control": "no-store"]
        let status: Int
        switch error.code {
        case .invalidArgument, .outsideMap, .unsupportedCRS, .tooLarge: status = 400
        case .notFound, .unknownName, .notOffered: status = 404
        case .timedOut: status = 504
        case .busy, .unavailable, .network, .nothingDrawn:
            status = 502
            headers["Retry-After"] = "10"
        default: status = 500
        }
        let body = #"{"status":\#(status),"title":"\#(error.code.rawValue)"}"#
        return MapAnswer(status: status, headers: headers, body: Array(body.utf8))
    }
}
