import Portolan
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanTesting
import PortolanWeb
import Synchronization
import Testing

/// Remote documents never cause forbidden requests: no file, no archive, and no host in a private network.
@Suite struct AddressAttacks {
    /// The addresses that a hostile document names.
    ///
    /// No request leaves the machine, since a stub answers all of them.
    static let targets = [
        "file:///etc/hostname", "FILE:///etc/hostname", "file://localhost/etc/hostname", "file:/etc/hostname",
        "mbtiles:///a.mbtiles", "gpkg:///a.gpkg", "ftp://maps.example/a", "unix:///run/a.sock",
        "http://localhost/a", "http://localhost.:8080/a", "http://127.0.0.1/a", "http://127.1/a", "http://0177.0.0.1/a",
        "http://2130706433/a", "http://0x7f.1/a", "http://127.0.0.1./a", "http://0.0.0.0/a", "http://[::1]/a",
        "http://[::ffff:127.0.0.1]/a", "http://10.0.0.1/a", "http://192.168.1.1/a", "http://172.20.0.1/a",
        "http://100.64.0.1/a", "http://169.254.169.254/a", "http://169.254.43518/a", "http://[fe80::1]/a",
        "http://[fc00::1]/a", "http://[64:ff9b::a9fe:a9fe]/a", "http://printer/a", "http://db.internal/a",
        "http://maps.example@127.0.0.1/a", "//127.0.0.1/a", "http://127.0.0.1:80\\\\@maps.example/a",
    ]

    @Test(arguments: AddressPlace.all, targets)
    func `remote documents cannot make the library request internal addresses`(
        place: AddressPlace, target: String
    ) async throws {
        let asked = try await asked(of: place, naming: target)
        for request in asked {
            let host = try #require(URLParts(request.url)?.host, "\(request.url) has a host")
            #expect(host == AddressPlace.host, "\(request.url) is asked")
            #expect(AddressPolicy.standard.refusal(of: request.address) == nil)
        }
    }

    /// The same places do lead to other hosts: the test above would pass if nothing were followed at all.
    @Test(arguments: AddressPlace.all)
    func `remote documents may reference another public host`(place: AddressPlace) async throws {
        let asked = try await asked(of: place, naming: "http://cdn.example/a")
        #expect(asked.contains { $0.url.contains("//cdn.example/a") })
        for request in asked where request.url.contains("//cdn.example/") {
            guard case .document(let document) = request.origin else {
                Issue.record("\(request.url) is named by \(request.origin)")
                continue
            }
            #expect(document.root == AddressPlace.host)
            // What the user gave for the service stays there.
            #expect(request.header("X-Key") == nil)
        }
        #expect(asked.first?.header("X-Key") == "k")
    }

    @Test(arguments: AddressPlace.all)
    func `remote documents may reference a host that the user allows`(place: AddressPlace) async throws {
        let asked = try await asked(of: place, naming: "http://gis.internal/a", allowing: ["gis.internal"])
        #expect(asked.contains { $0.url.contains("//gis.internal/a") })
    }

    /// The requests of a map from a document: layers, pictures, queries and legends.
    private func asked(
        of place: AddressPlace, naming target: String, allowing hosts: Set<String> = []
    ) async throws -> [HTTPRequest] {
        let document = Array(place.document(target).utf8), requests = Mutex<[HTTPRequest]>([])
        let transport = StubTransport { request throws(FetchError) in
            requests.withLock { $0.append(request) }
            return HTTPResponse(status: 200, body: document, url: request.url, network: .global)
        }
        var configuration = RendererConfiguration()
        configuration.retries = .none
        configuration.usesSystemFonts = false
        configuration.addressPolicy.allowedHosts = hosts
        configuration.headers = [.init(header: HTTPHeader(name: "X-Key", value: "k"))]
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        if let layer = try? await place.layer(renderer.services, "http://\(AddressPlace.host)/document") {
            let size = try #require(ImageSize(width: 64, height: 64))
            let view = try Viewport(
                center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 0, in: .webMercator)), size: size)
            var options = RenderOptions()
            options.attribution = .none
            options.showsLegend = true
            _ = try? await renderer.render([layer], in: view, options: options)
            _ = await renderer.identify([layer], in: view, pixel: Point(x: 32, y: 32))
        }
        return requests.withLock { $0 }
    }
}
