#if os(Linux)
import Portolan
import PortolanFetch
import PortolanPlan
import PortolanGeo
import PortolanRaster
import PortolanRouting
import TestHelpers
import PortolanWeb
import Testing

/// Servers that break HTTP, by accident or on purpose: a map says what is missing and why, a document is a typed error, and both
/// end in the time that was given.
@Suite struct TransportAttacks {
    /// A server's response, and the expected result.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The pieces of the answer, in which `HOST` is where the server listens.
        let pieces: [String]
        /// Whether the connection stays open after that.
        var isHeld = false
        /// Whether the last piece is sent again and again.
        var isEndless = false
        /// The error of the transfer, or `nil` for an empty response without an error.
        let code: FetchError.Code?
        /// The result with swift-corelibs-foundation, if it differs.
        let onURLSession: OnURLSession

        init(
            _ name: String, _ pieces: [String], isHeld: Bool = false, isEndless: Bool = false, _ code: FetchError.Code?,
            _ onURLSession: OnURLSession = .same
        ) {
            testDescription = name
            self.pieces = pieces
            self.isHeld = isHeld
            self.isEndless = isEndless
            self.code = code
            self.onURLSession = onURLSession
        }

        /// The code of the error over a transport.
        func code(over kind: TestTransport) -> FetchError.Code? {
            if kind.isURLSession, case .error(let code) = onURLSession { code } else { code }
        }
    }

    /// The outcome over URLSession, compared with libcurl's.
    enum OnURLSession: Sendable {
        case same
        case error(FetchError.Code)
        /// It ends the process or keeps all sessions from working (see `SECURITY.md`), so it is not tried.
        case fatal
    }

    /// Each fault over each transport that bears it.
    static let cases = TestTransport.allCases.flatMap { kind in
        faults.filter { fault in
            if kind.isURLSession, case .fatal = fault.onURLSession { false } else { true }
        }.map { (fault: $0, kind: kind) }
    }

    private static let start = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"

    static let faults = bodies + chunks + headers + redirects + waits

    private static let bodies = [
        Fault("nothing at all", [], .connectionLost),
        Fault("a body that ends early", [start + "Content-Length: 100\r\n\r\n", "half"], .connectionLost),
        Fault("a body of no byte where some are announced", [start + "Content-Length: 1\r\n\r\n"], .connectionLost),
        Fault(
            "a negative length", [start + "Content-Length: -1\r\n\r\nx"], .malformedResponse, .error(.transportFailure)),
        Fault(
            "a length that is no number", [start + "Content-Length: all\r\n\r\nx"], .malformedResponse,
            .error(.transportFailure)),
        Fault("a length beyond all numbers", [start + "Content-Length: 99999999999999999999\r\n\r\nx"], .bodyTooLarge),
        Fault("a length beyond the limit", [start + "Content-Length: 9999999999\r\n\r\nx"], .bodyTooLarge),
        Fault(
            "two lengths", [start + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy"], .malformedResponse),
        Fault("two lengths in one field", [start + "Content-Length: 1, 2\r\n\r\nxy"], .malformedResponse),
        Fault(
            "a part that nobody asked for", ["HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\n\r\nx"],
            .malformedResponse),
        Fault(
            "gzip that is none", [start + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnone"], .malformedResponse
        ),
        Fault(
            "gzip that ends early",
            [start + "Content-Encoding: gzip\r\nContent-Length: 10\r\n\r\n\u{1F}"], .connectionLost,
            .error(.malformedResponse)),
        Fault(
            "an encoding that nobody knows",
            [start + "Content-Encoding: x-none\r\nContent-Length: 4\r\n\r\nnone"], .malformedResponse),
    ]

    private static let chunked = start + "Transfer-Encoding: chunked\r\n\r\n"

    private static let chunks = [
        Fault("a chunk whose size is no number", [chunked + "zz\r\nx\r\n0\r\n\r\n"], .connectionLost),
        Fault("a chunk of a negative size", [chunked + "-1\r\nx\r\n0\r\n\r\n"], .connectionLost),
        Fault("a chunk beyond all numbers", [chunked + "FFFFFFFFFFFFFFFFF\r\nx"], .connectionLost),
        Fault("a chunk longer than it says", [chunked + "1\r\nxyz\r\n0\r\n\r\n"], .connectionLost),
        Fault("a chunk that ends early", [chunked + "FF\r\nx"], .connectionLost),
        Fault("chunks without an end", [chunked + "1\r\nx\r\n"], .connectionLost),
        Fault("a chunk's size without an end", [chunked + String(repeating: "0", count: 100_000)], .connectionLost),
    ]

    private static let headers = [
        Fault("what is no HTTP", ["SSH-2.0-OpenSSH_9.2\r\n"], .malformedResponse),
        Fault("an answer of HTTP/0.9", ["<html>\r\n"], .malformedResponse),
        Fault("a status that is none", ["HTTP/1.1 20 OK\r\n\r\n"], .malformedResponse),
        Fault("a status of letters", ["HTTP/1.1 abc OK\r\n\r\n"], .malformedResponse),
        Fault("a version that is none", ["HTTP/9.9 200 OK\r\n\r\n"], .malformedResponse),
        Fault("a header that ends early", ["HTTP/1.1 200 OK\r\nContent-Ty"], .connectionLost, .fatal),
        Fault(
            "a field without a name, and no end", ["HTTP/1.1 200 OK\r\n: x\r\nContent-Length: 0"], .connectionLost,
            .fatal),
        Fault(
            "a field with a zero byte", ["HTTP/1.1 200 OK\r\nX: a\u{0}b\r\nContent-Length: 4\r\n\r\nxxxx"],
            .malformedResponse, .error(.transportFailure)),
        Fault(
            "a line without an end", ["HTTP/1.1 200 OK\r\nX: ", String(repeating: "a", count: 4096)], isEndless: true,
            .headerTooLarge, .error(.transportFailure)),
        Fault(
            "a status line without an end", ["HTTP/1.1 200 ", String(repeating: "a", count: 4096)], isEndless: true,
            .headerTooLarge, .error(.transportFailure)),
        Fault(
            "fields without an end", ["HTTP/1.1 200 OK\r\n", String(repeating: "X: a\r\n", count: 700)],
            isEndless: true, .headerTooLarge, .fatal),
        Fault(
            "interim answers without an end", [String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 100)],
            isEndless: true, .headerTooLarge),
    ]

    private static func redirect(_ location: String, _ status: String = "302 Found") -> [String] {
        // The server closes; a client that is not told so may ask again on a connection that is gone.
        ["HTTP/1.1 \(status)\r\nLocation: \(location)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"]
    }

    private static let redirects = [
        Fault("a redirect to itself", redirect("/"), .tooManyRedirects),
        Fault("a redirect to another of its own", redirect("?again"), .tooManyRedirects),
        Fault("a lasting redirect to itself", redirect("http://HOST/", "308 Permanent Redirect"), .tooManyRedirects),
        Fault("a redirect to a file", redirect("file:///etc/hostname"), .unsupportedScheme),
        Fault("a redirect to an archive", redirect("mbtiles:///a.mbtiles"), .unsupportedScheme),
        Fault("a redirect to a scheme of libcurl's", redirect("gopher://HOST/x"), .unsupportedScheme),
        Fault("a redirect to data", redirect("data:image/png;base64,AAAA"), .unsupportedScheme),
        Fault("a redirect to a link-local address", redirect("http://169.254.169.254/a"), .addressRefused),
        Fault("a redirect to no address", redirect("http://0.0.0.0/a"), .addressRefused),
        Fault("a redirect to what is no URL", redirect("http://[::1/"), .invalidURL),
        Fault("a redirect with a port that is none", redirect("http://127.0.0.1:99999/"), .invalidURL),
        Fault("a redirect to a host with a blank", redirect("http://a b/"), .invalidURL),
    ]

    private static let waits = [
        Fault("silence", [], isHeld: true, .timedOut),
        Fault("silence in the header", ["HTTP/1.1 200 OK\r\n"], isHeld: true, .timedOut, .fatal),
        Fault("silence in the body", [start + "Content-Length: 100\r\n\r\nx"], isHeld: true, .timedOut),
        Fault("silence in a chunk", [chunked + "FF\r\nx"], isHeld: true, .timedOut),
    ]

    @Test(arguments: cases)
    func `a tile whose transfer fails is reported as missing with the cause`(
        fault: Fault, over kind: TestTransport
    ) async throws {
        let server = try RawServer(fault)
        defer { server.stop() }
        let renderer = MapRenderer(configuration: Self.configuration(for: fault), transport: kind.make())
        let layer = MapLayer(
            name: "tiles",
            source: TileSource(
                grid: try #require(.webMercator()), address: .xyz(try XYZTemplate("\(server.url){z}/{x}/{y}.png"))))
        let view = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 0, in: .webMercator)),
            size: #require(ImageSize(width: 64, height: 64)))
        let report: RenderReport?
        do { report = try await renderer.render([layer], in: view).report } catch { report = error.report }
        let failures = try #require(report).layers.flatMap(\.failed)
        #expect(failures.count == 1)
        let code = fault.code(over: kind)
        let isLoss = [.connectionLost, .timedOut].contains(code)
        #expect(failures.first?.code == (code == nil ? .empty : isLoss ? .connection : .transfer), "\(failures)")
        #expect(failures.allSatisfy { !$0.error.isEmpty && !$0.error.utf8.contains { $0 < 0x20 } })
    }

    @Test(arguments: cases)
    func `a document whose transfer fails is a typed error`(fault: Fault, over kind: TestTransport) async throws {
        let server = try RawServer(fault)
        defer { server.stop() }
        let services = MapRenderer(configuration: Self.configuration(for: fault), transport: kind.make()).services
        let error = await #expect(throws: MapError.self) { try await services.capabilities(of: server.url) }
        if case .fetch(let failure)? = (error?.inner as? ServiceError)?.cause {
            #expect(failure.code == fault.code(over: kind), "\(failure)")
        } else {
            #expect(fault.code(over: kind) == nil, "\(String(describing: error))")
        }
        #expect(error?.description.utf8.contains { $0 < 0x20 } == false)
    }

    @Test(arguments: cases)
    func `a route falls back to straight lines and reports why the server failed`(
        fault: Fault, over kind: TestTransport
    ) async throws {
        let server = try RawServer(fault)
        defer { server.stop() }
        let configuration = Self.configuration(for: fault)
        let provider = FallbackProvider(
            OSRMProvider(
                .user(server.url), fetcher: configuration.fetcher(over: kind.make()), timeouts: configuration.timeouts))
        let answer = try await provider.route(
            through: [Coordinate(x: 24.9, y: 60.1), Coordinate(x: 25, y: 60.2)], mode: .foot)
        #expect(answer.legs.count == 1)
        #expect(answer.legs.allSatisfy { $0.isEstimate })
        guard case .estimated(let cause)? = answer.notes.first else {
            Issue.record("\(answer.notes)")
            return
        }
        if case .fetch(let failure) = cause, failure.code != .httpStatus {
            #expect(failure.code == fault.code(over: kind), "\(failure)")
        } else {
            #expect(fault.code(over: kind) == nil, "\(cause)")
        }
        #expect(!cause.description.utf8.contains { $0 < 0x20 })
    }

    private static func configuration(for fault: Fault) -> RendererConfiguration {
        var configuration = RendererConfiguration()
        configuration.retries = .none
        configuration.usesSystemFonts = false
        let patience = fault.isHeld ? Duration.milliseconds(500) : .seconds(30)
        configuration.timeouts = HTTPRequest.Timeouts(
            connect: .seconds(30), firstByte: patience, stall: patience, total: .seconds(60))
        return configuration
    }
}

/// A server on 127.0.0.1 that answers each request with the same bytes.
private final class RawServer: Sendable {
    private let listener: LoopbackListener
    var url: String { "http://127.0.0.1:\(listener.port)/" }

    init(_ fault: TransportAttacks.Fault) throws {
        let listener = try LoopbackListener()
        self.listener = listener
        let pieces = fault.pieces.map {
            Array(
                $0.replacing("HOST", with: "127.0.0.1:\(listener.port)").unicodeScalars.map {
                    UInt8(truncatingIfNeeded: $0.value)
                })
        }
        listener.start { descriptor in
            guard LoopbackSocket.readHead(descriptor) != nil else { return }
            for piece in pieces { guard LoopbackSocket.send(piece, to: descriptor) else { return } }
            while fault.isEndless, let last = pieces.last, LoopbackSocket.send(last, to: descriptor) {}
            if fault.isHeld { LoopbackSocket.waitForEnd(descriptor) }
        }
    }

    func stop() { listener.stop() }
}
#endif
