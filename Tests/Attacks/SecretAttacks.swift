import Portolan
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanTesting
import PortolanWeb
import Synchronization
import Testing

/// A server that echoes requests: no error, report or observer of the library reveals the secret.
@Suite struct SecretAttacks {
    static let key = "k3y-0f-the/user&co", password = "pass:w0rd<1>", token = "t0ken.for.all=="

    /// The responses that contain an echo.
    static let answers: [(how: String, answer: @Sendable (String) -> HTTPResponse)] = [
        (
            "an exception",
            { echo in
                response(
                    200,
                    "<ServiceExceptionReport><ServiceException>\(markup(echo))</ServiceException></ServiceExceptionReport>"
                )
            }
        ),
        (
            "an exception that is no XML for what it repeats",
            { echo in
                response(
                    200, "<ServiceExceptionReport><ServiceException>\(echo)</ServiceException></ServiceExceptionReport>"
                )
            }
        ),
        ("a page", { echo in response(500, "<html><body><h1>Error</h1><p>\(markup(echo))</p></body></html>") }),
        ("text", { echo in response(400, "denied: \(echo)") }),
        ("JSON", { echo in response(403, "{\"error\": {\"message\": \"\(echo.replacing("\"", with: "\\\""))\"}}") }),
        ("a picture that is none", { echo in response(200, "\u{89}PNG\r\n\u{1A}\n\(echo)") }),
        (
            "capabilities",
            { echo in
                response(
                    200,
                    """
                    <WMS_Capabilities version="1.3.0"><Service><Name>WMS</Name><Title>\(markup(echo))</Title></Service>\
                    <Capability><Request><GetMap><Format>image/png</Format></GetMap></Request><Layer><Name>b\(markup(echo))\
                    </Name></Layer></Capability></WMS_Capabilities>
                    """)
            }
        ),
    ]

    private static func response(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(text.utf8), url: "", network: .global)
    }

    private static func markup(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    @Test(arguments: answers.indices, ["as it is", "percent", "base64"])
    func `no secret is disclosed`(index: Int, encoding: String) async throws {
        let answer = Self.answers[index].answer
        let transport = StubTransport { request throws(FetchError) in
            let pieces = [request.url] + request.headers.map { "\($0.name): \($0.value)" }
            let meant =
                pieces
                + pieces.compactMap { PercentEncoding.decode($0.utf8) }.map { String(decoding: $0, as: UTF8.self) }
            let echo = meant.map { piece in
                switch encoding {
                case "percent": PercentEncoding.component(piece)
                case "base64": Base64.encode(Array(piece.utf8))
                default: piece
                }
            }
            var response = answer(echo.joined(separator: " | "))
            response.url = request.url
            return response
        }
        let observer = Recorder()
        var configuration = RendererConfiguration()
        configuration.retries = .none
        configuration.usesSystemFonts = false
        configuration.observer = observer
        configuration.headers = [.init(header: HTTPHeader(name: "X-Token", value: Self.token))]
        configuration.credentials = ["maps.example": .basic(name: "joe", password: Self.password)]
        let url = "http://maps.example/map?apikey=\(PercentEncoding.component(Self.key))"
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        let services = renderer.services
        var told: [String] = []
        func tell(_ work: () async throws -> Void) async {
            do { try await work() } catch { told.append("\(error)") }
        }
        await tell { _ = try await services.wmtsCapabilities(of: url) }
        await tell { _ = try await services.tmsDocument(at: url) }
        await tell { _ = try await services.data(from: url) }
        await tell {
            let capabilities = try await services.capabilities(of: url)
            // What a document says is its reader's; what is said about it is not.
            _ = capabilities
        }
        let template = try XYZTemplate(
            "http://maps.example/{z}/{x}/{y}.png?apikey=\(PercentEncoding.component(Self.key))")
        let layer = MapLayer(
            name: "tiles", source: TileSource(grid: try #require(.webMercator()), address: .xyz(template)))
        let view = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 0, in: .webMercator)),
            size: #require(ImageSize(width: 64, height: 64)))
        do { told.append("\(try await renderer.render([layer], in: view).report)") } catch {
            told.append("\(error) \(String(describing: error.report))")
        }
        told += observer.notes
        #expect(told.count > 3)
        for text in told {
            for secret in [Self.key, Self.password, Self.token] {
                let forms = [
                    secret, PercentEncoding.component(secret), Base64.encode(Array(secret.utf8)), Self.markup(secret),
                    Base64.encode(Array("joe:\(secret)".utf8)),
                ]
                for form in forms where text.contains(form) {
                    Issue.record("\(Self.answers[index].how): \(form) is told: \(text.prefix(1000))")
                }
            }
        }
    }

    private final class Recorder: MapObserver {
        private let told = Mutex<[String]>([])
        var notes: [String] { told.withLock { $0 } }
        func note(_ observation: MapObservation) {
            let words =
                switch observation {
                case .requestEnded(let request, let outcome): "\(request.url) \(outcome)"
                default: ""
                }
            if !words.isEmpty { told.withLock { $0.append(words) } }
        }
    }
}
