import PortolanFeatures
import PortolanRaster
import PortolanServerCore
import Testing

@Suite(.timeLimit(.minutes(20))) struct ViewerEndpointTests {
    @Test(arguments: [
        ("/viewer/square", "text/html; charset=utf-8"), ("/viewer/viewer.css", "text/css; charset=utf-8"),
        ("/viewer/viewer.js", "text/javascript; charset=utf-8"),
        ("/viewer/gestures.js", "text/javascript; charset=utf-8"),
        ("/viewer/ground.js", "text/javascript; charset=utf-8"), ("/viewer/marks.js", "text/javascript; charset=utf-8"),
        ("/viewer/panels.js", "text/javascript; charset=utf-8"),
        ("/viewer/tools.js", "text/javascript; charset=utf-8"),
        ("/viewer/journeys.js", "text/javascript; charset=utf-8"),
        ("/viewer/elements.js", "text/javascript; charset=utf-8"),
    ])
    func `the page and its files allow no resources of other hosts`(target: String, type: String) async throws {
        let response = try await SampleServer().get(target)
        #expect(response.status == 200 && response[header: "Content-Type"] == type && response.body.count > 500)
        #expect(response[header: "Content-Security-Policy"]?.contains("default-src 'none'; script-src 'self'") == true)
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(!text.contains("//cdn") && !text.contains("http:") && !text.contains("https:"))
    }

    @Test func `only published maps have a page`() async throws {
        let sample = try await SampleServer()
        #expect(await sample.get("/viewer/none").status == 404)
        #expect(await sample.answer("POST", "/viewer/none", body: "{}").status == 404)
        let wrong = await sample.answer("POST", "/viewer/square", body: #"{"width": 5}"#)
        #expect(wrong.status == 400)
        #expect(try SampleViewer.object(wrong.body)["key"] == "height")
    }

    @Test func `a large window on a dense screen gets the highest density that the server draws`() async throws {
        let sample = try await SampleServer { $0.limits.sidePixels = 300 }
        let body = #"{"width": 400, "height": 200, "ratio": 2}"#
        let response = await sample.answer("POST", "/viewer/square", body: body)
        let name = try #require(try SampleViewer.object(response.body)["session"]?.stringValue)
        var picture = await sample.get("/session/\(name)/frame?after=0&picture=0")
        while picture.status == 204 {
            // Repeating the request immediately would leave no thread for drawing.
            try await Task.sleep(for: .milliseconds(2))
            picture = await sample.get("/session/\(name)/frame?after=0&picture=0")
        }
        let pixels = try ImageReading.pixels(picture.body)
        #expect(pixels.width == 300 && pixels.height == 150)
    }

    @Test func `a viewer that is closed, or on a server that stops, no longer responds`() async throws {
        let sample = try await SampleServer(), viewer = try await SampleViewer(sample)
        let other = try await SampleViewer(sample)
        let seen = try await viewer.settled().frame.head["n"]?.integerValue ?? 0
        let waiting = Task { await sample.get("/session/\(viewer.name)/frame?after=\(seen)") }
        #expect(await sample.answer("DELETE", "/session/\(viewer.name)").status == 204)
        #expect(await waiting.value.status == 404)
        #expect(await sample.get("/session/\(viewer.name)/state").status == 404)
        #expect(await sample.get("/session/\(other.name)/state").status == 200)
        sample.server.drain()
        #expect(await sample.get("/session/\(other.name)/state").status == 404)
        #expect(
            await sample.answer("POST", "/viewer/square", body: #"{"width": 9, "height": 9, "ratio": 1}"#).status == 503
        )
    }

    @Test func `pictures of a viewer do not count towards the rate limit of the client`() async throws {
        let sample = try await SampleServer { $0.rate = TokenBuckets.Rate(perSecond: 0.001, burst: 1) }
        let viewer = try await SampleViewer(sample)
        for _ in 0..<5 { #expect(await sample.get("/session/\(viewer.name)/state").status == 200) }
        #expect(await sample.get("/viewer/square").status == 429)
    }

    @Test func `a request for a newer frame ends after a while if there is none`() async throws {
        let sample = try await SampleServer(), viewers = ViewerSessions(ViewerBudget(processors: 2))
        let server = MapServer(
            sample.book, settings: sample.server.settings,
            endpoints: [ViewerEndpoint(viewers), ViewerSessionEndpoint(viewers, wait: .milliseconds(1))])
        let body = Array(#"{"width": 9, "height": 9, "ratio": 1}"#.utf8)
        let opened = await server.answer("POST", "/viewer/square", body: body).response
        let name = try #require(try SampleViewer.object(opened.body)["session"]?.stringValue)
        let answer = await server.answer("GET", "/session/\(name)/frame?after=1000000").response
        #expect(answer.status == 204 || answer.status == 200 && !answer.body.isEmpty)
        let frame = try SampleViewer.object(Array(try #require(answer[header: "Portolan-Frame"]).utf8))
        #expect(try #require(frame["n"]?.integerValue) < 1_000_000)
    }
}
