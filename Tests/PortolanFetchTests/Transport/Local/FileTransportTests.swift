import Foundation
import PortolanFetch
import TestHelpers
import Testing

struct FileTransportTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-\(UUID().uuidString)")

    private func withFile(_ name: String, _ bytes: [UInt8], _ body: (String) async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(bytes).write(to: folder.appending(path: name))
        try await body("file://" + folder.path())
    }

    @Test func `a file is read by its percent-encoded path`() async throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try await withFile("a ä.bin", bytes) { folder in
            let response = try await FileTransport().send(HTTPRequest(to: folder + "/a%20%C3%A4.bin"))
            #expect(response.status == 200)
            #expect(response.body == bytes)
            #expect(response.header("content-length") == "3000000")
        }
    }

    @Test func `the size limit is enforced`() async throws {
        try await withFile("a", [1, 2, 3]) { folder in
            let url = folder + "/a"
            let response = try await FileTransport().send(HTTPRequest(to: url, maximumBodyByteCount: 3))
            #expect(response.body == [1, 2, 3])
            let error = await #expect(throws: FetchError.self) {
                try await FileTransport().send(HTTPRequest(to: url, maximumBodyByteCount: 2))
            }
            #expect(error?.code == .bodyTooLarge)
        }
    }

    @Test(arguments: [
        ("file:///no/such/file", FetchError.Code.fileNotFound), ("file:///tmp", .unreadableFile),
        ("file:///dev/zero", .unreadableFile), ("file://host.test/x", .invalidURL), ("file:x", .invalidURL),
        ("file:///a%00b", .invalidURL), ("file:///a%zz", .invalidURL), ("file:///a%FF", .invalidURL),
        ("http://a.test/", .unsupportedScheme), ("file:///etc/hosts/x", .fileNotFound),
    ])
    func `a path that is not a readable file is rejected`(url: String, code: FetchError.Code) async {
        let error = await #expect(throws: FetchError.self) { try await FileTransport().send(HTTPRequest(to: url)) }
        #expect(error?.code == code)
    }
}
