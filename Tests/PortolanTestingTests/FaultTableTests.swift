import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanRaster
import PortolanTesting
import PortolanWeb
import Synchronization
import Testing

/// The report when a server or the network fails, fault by fault.
///
/// Each fault is laid over a map of one tile. The faults of the wire itself are made on real sockets in
/// `HTTPTransportTests` and `HTTPTransportLimitTests`.
@Suite(.timeLimit(.minutes(20))) struct FaultTableTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var fault: FaultTransport.Fault
        /// The sentence of the report, or nil when the map is whole.
        var sentence: String?
        /// How often the server is asked with two tries again.
        var requests: Int
    }

    private static func row(
        _ name: String, _ fault: FaultTransport.Fault, _ sentence: String?, requests: Int = 1
    ) -> Row { Row(testDescription: name, fault: fault, sentence: sentence, requests: requests) }

    static let table = [
        row("nothing", .none, nil),
        row("a delay", .delay(.seconds(5)), nil),
        row("a slow drip that is fast enough", .drip(byteCount: 100, pause: .seconds(1)), nil),
        row("another content type", .contentType("text/html"), nil),
        row(
            "a delay beyond the limit", .delay(.seconds(20)),
            "the server timed out: stalled: no data for 15 s after 0 bytes of the body", requests: 3),
        row(
            "never an answer", .silence,
            "the server timed out: stalled: no data for 15 s after 0 bytes of the body", requests: 3),
        row(
            "a drip that takes for ever", .drip(byteCount: 1, pause: .seconds(10)),
            "the server timed out: total: incomplete after 60 s, with 6 bytes of the body"),
        row(
            "an end within the body", .drop(afterByteCount: 60),
            "the connection was lost: the connection ended with BYTES bytes of the body missing", requests: 3),
        row("a reset", .reset, "the connection was lost: the connection was reset", requests: 3),
        row("nobody there", .refuse, "cannot connect: the connection was refused", requests: 3),
        row("no such host", .unknownHost, "unknown host: the host name has no address", requests: 3),
        row("status 400", .status(400), "HTTP status 400"),
        row(
            "status 401", .status(401),
            "HTTP status 401 (login required: add a name and password, or a token, "
                + "for this host)"),
        row(
            "status 403", .status(403),
            "HTTP status 403 (access denied: check whether the URL needs a key, or the "
                + "host a name and password)"),
        row("status 404", .status(404), "HTTP status 404 (not found at this URL)"),
        row("status 408", .status(408), "HTTP status 408", requests: 3),
        row("status 410", .status(410), "HTTP status 410"),
        row("status 425", .status(425), "HTTP status 425", requests: 3),
        row(
            "status 429", .status(429),
            "HTTP status 429 (too many requests; try later)", requests: 3),
        row("status 500", .status(500), "HTTP status 500", requests: 3),
        row("status 501", .status(501), "HTTP status 501"),
        row("status 502", .status(502), "HTTP status 502", requests: 3),
        row("status 503", .status(503), "HTTP status 503", requests: 3),
        row("status 504", .status(504), "HTTP status 504", requests: 3),
        row(
            "busy for an hour", .status(503, headers: [HTTPHeader(name: "Retry-After", value: "3600")]),
            "HTTP status 503"),
        // That says that nothing is there.
        row("a status without a body", .status(204), nil),
        row("an empty body", .empty, nil),
        row(
            "XML with 200 and an image's type", .exception("too many guests"), "error from the server: too many guests"),
        row(
            "garbage", .garbage,
            "error from the server: the response is neither an image nor text: SIZE bytes, beginning 46 55 8F A8 6D D2 29 ED"
        ),
        row(
            "half an image", .truncate(toByteCount: 60),
            "png truncated at byte 60: 60 bytes cannot hold an image of 256x256"),
        row(
            "the beginning of an image", .truncate(toByteCount: 10), "png truncated at byte 10: the file ends too early"
        ),
    ]

    /// A picture whose PNG is some hundreds of bytes long.
    private static func tile() throws -> [UInt8] {
        var picture = PixelBuffer(
            size: try #require(ImageSize(width: 256, height: 256)), filledWith: Pixel(.white))
        for number in 0..<200 { picture[number * 37 % 256, number * 91 % 256] = Pixel(.black) }
        return try PNGEncoder.encode(picture)
    }

    private static func render(
        _ transport: any HTTPTransport, _ clock: SkippingClock
    ) async throws -> (RenderReport, isWhole: Bool) {
        var configuration = RendererConfiguration()
        configuration.clock = clock.fetchClock
        configuration.usesSystemFonts = false
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        let grid = try #require(TileGrid.webMercator())
        let template = try XYZTemplate("http://tiles.test/{z}/{x}/{y}.png")
        let layer = MapLayer(name: "tiles", source: TileSource(grid: grid, address: .xyz(template)))
        let map = try MapFacade(size: #require(ImageSize(width: 256, height: 256)))
        var options = RenderOptions()
        options.attribution = .none
        // The clock skips all waits, that for the deadline among them.
        options.deadline = nil
        do throws(MapError) {
            return (try await renderer.render([layer], in: map.viewport, options: options).report, true)
        } catch {
            return (try #require(error.report), false)
        }
    }

    @Test(arguments: table) func `each fault gives the expected error message and request count`(row: Row) async throws
    {
        let body = try Self.tile()
        let stub = StubTransport { HTTPResponse(status: 200, body: body, url: $0.url) }
        let clock = SkippingClock()
        let count = Mutex(0)
        let transport = FaultTransport(over: stub, sleep: { clock.skip($0) }) { _, number in
            count.withLock { $0 = number }
            return row.fault
        }
        let (report, isWhole) = try await Self.render(transport, clock)
        #expect(isWhole == (row.sentence == nil))
        #expect(report.complete == isWhole)
        let expected = row.sentence?.replacing("BYTES", with: "\(body.count - 60)").replacing(
            "SIZE", with: "\(body.count)")
        #expect(report.layers.first?.failed.first?.error == expected)
        #expect(count.withLock { $0 } == row.requests)
    }

    @Test(arguments: table.filter { $0.requests == 3 })
    func `a fault that passes is retried and the picture is complete`(row: Row) async throws {
        let body = try Self.tile()
        let stub = StubTransport { HTTPResponse(status: 200, body: body, url: $0.url) }
        let clock = SkippingClock()
        let transport = FaultTransport(over: stub, first: [row.fault], sleep: { clock.skip($0) })
        let (report, isWhole) = try await Self.render(transport, clock)
        #expect(isWhole)
        #expect(report.complete)
    }

    @Test func `a body above the size limit is refused`() async throws {
        let stub = StubTransport { HTTPResponse(status: 200, body: [1, 2, 3], url: $0.url) }
        let transport = FaultTransport(over: stub, first: [.garbage])
        let request = HTTPRequest(to: "http://a.test/", maximumBodyByteCount: 2)
        let error = await #expect(throws: FetchError.self) { try await transport.send(request) }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func `cancelling ends a wait`() async {
        let transport = FaultTransport(over: StubTransport(bodies: [:]), first: [.silence])
        let task = Task { () -> FetchError.Code? in
            do throws(FetchError) {
                _ = try await transport.send(HTTPRequest(to: "http://a.test/"))
                return nil
            } catch { return error.code }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}

/// Time in which every wait is over at once.
final class SkippingClock: Sendable {
    private let passed = Mutex(Duration.zero)

    func skip(_ duration: Duration) { passed.withLock { $0 += duration } }

    var fetchClock: FetchClock {
        FetchClock(
            now: { self.passed.withLock { $0 } }, sleep: { self.skip($0) }, calendarSeconds: { 0 }, random: { 0 })
    }
}
