#if os(Linux)
import Foundation
import Glibc
import PortolanFetch
import TestHelpers
import Testing

/// Trust, against a server of OpenSSL whose certificate is made for the test.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestRig.has(program: "openssl"), "needs openssl"))
struct HTTPTransportTLSTests {
    /// A folder with `server.pem`, `server.key` and a file to serve, and the server's process and port.
    private static func withServer(
        asksWho: Bool = false, _ body: (_ folder: String, _ url: String) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func process(_ words: [String], whenDone: @escaping @Sendable () -> Void = {}) throws -> Process {
            let process = Process()
            process.executableURL = URL(filePath: OpenSSL.path)
            process.arguments = words
            process.currentDirectoryURL = folder
            process.standardOutput = FileHandle.nullDevice
            process.terminationHandler = { _ in whenDone() }
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
            return process
        }
        let (done, continuation) = AsyncStream.makeStream(of: Void.self)
        let request = try process(
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "server.key", "-out", "server.pem", "-days",
                "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ], whenDone: { continuation.finish() })
        for await _ in done {}
        try #require(request.terminationStatus == 0)
        try Data("tile".utf8).write(to: folder.appending(path: "tile.png"))
        let (held, port) = try LoopbackSocket.bound()
        LoopbackSocket.end(held)
        let asking = asksWho ? ["-Verify", "1", "-CAfile", "server.pem", "-verify_return_error"] : []
        let server = try process(
            ["s_server", "-quiet", "-WWW", "-key", "server.key", "-cert", "server.pem", "-accept", "127.0.0.1:\(port)"]
                + asking)
        defer { _ = kill(server.processIdentifier, SIGKILL) }
        let isListening = await eventually {
            guard let descriptor = LoopbackSocket.connect(port: port) else { return false }
            LoopbackSocket.end(descriptor)
            return true
        }
        try #require(isListening)
        try await body(folder.path, "https://localhost:\(port)/tile.png")
    }

    private static func outcome(
        _ url: String, _ settings: ConnectionSettings, over kind: TestTransport = TestTransport.allCases[0]
    ) async -> Result<HTTPResponse, FetchError> {
        do throws(FetchError) {
            return .success(try await kind.make(settings).send(HTTPRequest(to: url)))
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `an unknown certificate is rejected`(over kind: TestTransport) async throws {
        try await Self.withServer { _, url in
            guard case .failure(let error) = await Self.outcome(url, ConnectionSettings(), over: kind) else {
                Issue.record("an unknown certificate was trusted")
                return
            }
            // URLSession on Linux has no code for it.
            #expect(error.code == (kind.isURLSession ? .transportFailure : .tls))
        }
    }

    #if Drivers
    @Test func `a server is trusted by a file of authorities, or unconditionally on request`() async throws {
        try await Self.withServer { folder, url in
            var settings = ConnectionSettings()
            settings.certificateAuthorityFile = folder + "/server.pem"
            #expect((try? await Self.outcome(url, settings).get())?.body == Array("tile".utf8))
            let other = url.replacing("localhost", with: "127.0.0.1")
            guard case .failure(let wrong) = await Self.outcome(other, settings) else {
                Issue.record("a certificate of another name was trusted")
                return
            }
            #expect(wrong.code == .tls)
            var blind = ConnectionSettings()
            blind.allowsInsecureServers = true
            #expect((try? await Self.outcome(other, blind).get())?.body == Array("tile".utf8))
        }
    }

    @Test func `a client certificate is sent to a server that requests one`() async throws {
        try await Self.withServer(asksWho: true) { folder, url in
            var settings = ConnectionSettings()
            settings.certificateAuthorityFile = folder + "/server.pem"
            #expect((try? await Self.outcome(url, settings).get()) == nil)
            settings.clientCertificate = .init(file: folder + "/server.pem", keyFile: folder + "/server.key")
            #expect((try? await Self.outcome(url, settings).get())?.body == Array("tile".utf8))
        }
    }
    #endif
}

/// The program that makes certificates and serves with them.
private enum OpenSSL {
    static let path = "/usr/bin/openssl"
}
#endif
