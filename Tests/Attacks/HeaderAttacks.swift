import Portolan
import PortolanFetch
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

/// Ends of lines and other bytes that would begin a field, or a request, of somebody else's.
@Suite struct HeaderAttacks {
    private static let injected = [
        "\r\nX-Injected: 1", "\nX-Injected: 1", "\r", "\u{0}", "\u{7F}", "\r\n\r\nGET /other HTTP/1.1",
    ]

    #if os(Linux)
    @Test(arguments: TestTransport.allCases, injected)
    func `a header value with injected characters is rejected`(over kind: TestTransport, text: String) async throws {
        let error = await failure(over: kind, headers: [HTTPHeader(name: "X-Key", value: "a" + text)])
        #expect(error?.code == .invalidRequest)
    }

    @Test(arguments: TestTransport.allCases, injected + ["", " ", "X Key", "X:Key", "ключ", "X-Key\t"])
    func `a header name with invalid characters is rejected`(over kind: TestTransport, text: String) async throws {
        let error = await failure(over: kind, headers: [HTTPHeader(name: text.isEmpty ? "" : "X" + text, value: "a")])
        #expect(error?.code == .invalidRequest)
    }

    /// A server receives a URL as a single line.
    @Test(
        arguments: TestTransport.allCases,
        [
            "/a\r\nX-Injected: 1", "/a\nb", "/a b", "/%0D%0AX-Injected:%201", "/?a=\r\nb", "/\u{0}", "/é\u{2028}",
            "/a#\r\nb",
        ])
    func `a URL with line breaks or spaces produces a single request`(
        over kind: TestTransport, path: String
    ) async throws {
        let heads = Mutex<[String]>([])
        let listener = try LoopbackListener()
        defer { listener.stop() }
        listener.start { descriptor in
            guard let head = LoopbackSocket.readHead(descriptor) else { return }
            heads.withLock { $0.append(head) }
            _ = LoopbackSocket.send(
                Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx".utf8), to: descriptor)
        }
        let transport = kind.make()
        _ = try? await transport.send(
            HTTPRequest(to: NamedURL("http://127.0.0.1:\(listener.port)\(path)", namedBy: .user)))
        for head in heads.withLock({ $0 }) {
            let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
            #expect(lines.first?.split(separator: " ").count == 3, "\(head)")
            #expect(!lines.contains { $0.lowercased().hasPrefix("x-injected") })
            #expect(!head.contains("\n\n"))
            #expect(head.utf8.allSatisfy { $0 < 0x80 })
        }
        #expect(listener.connectionCount <= 1)
    }

    private func failure(over kind: TestTransport, headers: [HTTPHeader]) async -> FetchError? {
        guard let listener = try? LoopbackListener() else { return nil }
        defer { listener.stop() }
        listener.start { _ = LoopbackSocket.readHead($0) }
        let request = HTTPRequest(to: NamedURL("http://127.0.0.1:\(listener.port)/", namedBy: .user), headers: headers)
        do {
            _ = try await kind.make().send(request)
            return nil
        } catch {
            #expect(listener.connectionCount == 0, "nothing was sent")
            return error
        }
    }
    #endif
}
