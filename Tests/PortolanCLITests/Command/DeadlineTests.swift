import Foundation
import PortolanCodecs
import PortolanRaster
import Testing

/// Servers that never answer, or ask the client to wait: the command ends anyway.
@Suite struct DeadlineTests {
    private static let view = ["--center", "0,0", "--zoom", "1", "--size", "512x512", "--attribution", "none"]

    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    private func failures() throws -> [[String: Any]] {
        let object = try JSONSerialization.jsonObject(with: Data(#require(portolan.file("a.json"))))
        let layers = try #require((object as? [String: Any])?["layers"] as? [[String: Any]])
        return layers.flatMap { $0["failed"] as? [[String: Any]] ?? [] }
    }

    /// The time is over before anything can come, so that nothing here depends on how fast a machine is.
    @Test func `local data are drawn despite the deadline, and missing resources are reported`() async throws {
        let server = try LoopbackServer { $0.target.hasPrefix("/wms") ? nil : .notFound }
        defer { server.stop() }
        try portolan.write(
            ##"{"type":"Feature","properties":{"fill":"#3366cc","fill-opacity":1},"geometry":{"type":"Polygon","coordinates":"##
                + "[[[-90,-60],[90,-60],[90,60],[-90,60],[-90,-60]]]}}", to: "a.geojson")
        let ended = try await portolan.run(
            [
                "render", "-l", "a.geojson", "-l", "wms:\(server.url)/wms;layers=a", "-l",
                "xyz:\(server.url)/{z}/{x}/{y}.png",
                "-o", "a.png", "--report", "a.json", "--deadline", "0.001",
            ] + Self.view)
        #expect(ended.status == 3, "\(ended.testDescription)")
        let failures = try failures()
        #expect(failures.count == 5 && failures.allSatisfy { $0["code"] as? String == "deadline" })
        let image = try ImageDecoders.standard.decode(#require(portolan.file("a.png")))
        #expect(image[256, 256] == Pixel(MapServer.tile))
    }

    /// Each of the few that are under way at once is asked for; the others are not even that.
    @Test func `a server that asks clients to pause is not contacted, and the command does not wait`() async throws {
        let server = try LoopbackServer { _ in
            .init(status: 503, type: "text/plain", headers: ["Retry-After: 30"])
        }
        defer { server.stop() }
        let ended = try await portolan.run(
            [
                "render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "-o", "a.png", "--report", "a.json", "--timeout",
                "5",
                "--retries", "0", "--center", "0,0", "--zoom", "3", "--size", "1500x1200", "--max-connections", "2",
            ])
        #expect(ended.status == 69, "\(ended.testDescription)")
        #expect(server.log.count <= 4)
        #expect(try failures().count > 20)
    }

    @Test(arguments: ["0", "-1", "soon", "1e9"])
    func `an invalid deadline is rejected`(text: String) async throws {
        let ended = try await portolan.run(
            ["render", "-l", "xyz:http://127.0.0.1:1/{z}/{x}/{y}.png", "-o", "a.png", "--deadline", text] + Self.view)
        #expect(ended.status == 64)
    }
}
