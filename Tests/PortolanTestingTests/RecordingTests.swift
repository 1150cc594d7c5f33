import Foundation
import PortolanFetch
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

struct RecordingTests {
    /// A folder of the test's own, removed after it.
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path)
    }

    private static let answer = HTTPResponse(
        status: 418,
        headers: [
            HTTPHeader(name: "Content-Type", value: "image/png"), HTTPHeader(name: "X-Empty", value: ""),
            HTTPHeader(name: "Set-Cookie", value: "session=s3cret"), HTTPHeader(name: "X-A", value: "b: c"),
        ], body: Array(0...255) + Array("\nbody: 3\n".utf8), url: "http://a.test/elsewhere")

    @Test func `a recorded response is replayed without network and without secrets`() async throws {
        try await withFolder { folder in
            let stub = StubTransport { _ in Self.answer }
            let request = HTTPRequest(
                to: "http://user:s3cret@a.test/1?token=s3cret&x=1",
                headers: [HTTPHeader(name: "Authorization", value: "Bearer s3cret")])
            let first = try await RecordingTransport(over: stub, folder: folder).send(request)
            #expect(first == Self.answer)
            let replayed = try await ReplayTransport(folder: folder).send(request)
            var expected = Self.answer
            expected.headers.remove(at: 2)
            #expect(replayed == expected)
            // Another secret is the same request.
            let other = HTTPRequest(to: "http://you:other@a.test/1?token=other&x=1")
            #expect(try await ReplayTransport(folder: folder).send(other) == expected)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let data = try #require(FileManager.default.contents(atPath: folder + "/" + name))
                #expect(!name.contains("s3cret"))
                #expect(data.firstRange(of: Data("s3cret".utf8)) == nil)
            }
        }
    }

    @Test func `a missing recording is an error with a remedy`() async throws {
        try await withFolder { folder in
            let replay = ReplayTransport(folder: folder)
            let request = HTTPRequest(to: "http://a.test/1?key=s3cret")
            let error = await #expect(throws: FetchError.self) { try await replay.send(request) }
            #expect(error?.code == .noRecording)
            #expect(error?.detail.contains(folder) == true)
            #expect(error?.detail.hasSuffix("run once with a RecordingTransport to make it") == true)
            #expect(error.map { "\($0)".contains("s3cret") } == false)
        }
    }

    @Test func `long addresses that differ at their ends have recordings of their own`() async throws {
        try await withFolder { folder in
            let stub = StubTransport { HTTPResponse(status: 200, body: Array($0.url.utf8.suffix(1)), url: $0.url) }
            let recorder = RecordingTransport(over: stub, folder: folder)
            let urls = ["1", "2", "3"].map {
                "http://a.test/map?" + String(repeating: "layers=abc&", count: 200) + "x=" + $0
            }
            for url in urls { _ = try await recorder.send(HTTPRequest(to: url)) }
            for url in urls {
                let replayed = try await ReplayTransport(folder: folder).send(HTTPRequest(to: url))
                #expect(replayed.body == Array(url.utf8.suffix(1)))
            }
        }
    }

    @Test func `long values that differ at their ends have recordings of their own`() async throws {
        try await withFolder { folder in
            let stub = StubTransport { HTTPResponse(status: 200, body: Array($0.url.utf8.suffix(1)), url: $0.url) }
            let recorder = RecordingTransport(over: stub, folder: folder)
            let urls = ["1", "2"].map { "http://a.test/map?SLD_BODY=" + String(repeating: "x", count: 600) + $0 }
            for url in urls { _ = try await recorder.send(HTTPRequest(to: url)) }
            for url in urls {
                let replayed = try await ReplayTransport(folder: folder).send(HTTPRequest(to: url))
                #expect(replayed.body == Array(url.utf8.suffix(1)))
                #expect(replayed.url == url)
            }
        }
    }

    @Test func `a damaged recording is an error`() async throws {
        try await withFolder { folder in
            let request = HTTPRequest(to: "http://a.test/1")
            let stub = StubTransport { _ in Self.answer }
            _ = try await RecordingTransport(over: stub, folder: folder).send(request)
            let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
            let path = folder + "/" + name
            let whole = try #require(FileManager.default.contents(atPath: path))
            for count in [0, 5, 30, 60, whole.count - 1] {
                #expect(FileManager.default.createFile(atPath: path, contents: whole.prefix(count)))
                let error = await #expect(throws: FetchError.self) {
                    try await ReplayTransport(folder: folder).send(request)
                }
                #expect(error?.code == .noRecording, "\(count) bytes")
                #expect(error?.detail.hasSuffix("; record it again") == true)
            }
        }
    }

    @Test func `errors are rethrown and not recorded, and an unwritable folder is an error`() async throws {
        try await withFolder { folder in
            let failing = StubTransport { request throws(FetchError) in
                throw FetchError(.tls, url: request.url, detail: "x")
            }
            let request = HTTPRequest(to: "http://a.test/1")
            let error = await #expect(throws: FetchError.self) {
                try await RecordingTransport(over: failing, folder: folder).send(request)
            }
            #expect(error?.code == .tls)
            #expect(!FileManager.default.fileExists(atPath: folder))
            let stub = StubTransport { _ in Self.answer }
            let unwritable = await #expect(throws: FetchError.self) {
                try await RecordingTransport(over: stub, folder: "/dev/null/x").send(request)
            }
            #expect(unwritable?.code == .transportFailure)
        }
    }
}
