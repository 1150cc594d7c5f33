import Foundation
import Testing

@Suite struct InterruptionTests {
    @Test func `an interruption during a fetch ends with 130 and no file`() async throws {
        let server = try LoopbackServer { _ in nil }
        defer { server.stop() }
        let portolan = try BuiltCommand()
        let ended = try await portolan.run([
            "render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "--center", "0,0", "--zoom", "1", "-o", "a.png",
            "--report", "a.json", "--timeout", "3600", "--deadline", "3600",
        ]) { process in
            for await _ in server.requests { break }
            process.interrupt()
        }
        #expect(ended.status == 130, "\(ended.testDescription)")
        #expect(ended.error.hasPrefix("portolan: error: interrupted"))
        #expect(portolan.files.isEmpty)
    }

    @Test func `an interruption while standard input is read ends with 130 and no file`() async throws {
        let portolan = try BuiltCommand()
        let pipe = Pipe()
        let ended = try await portolan.run(["render", "-l", "-", "-o", "a.png"], input: pipe) { process in
            // More than a pipe holds: once it is written, most of it has been read.
            try pipe.fileHandleForWriting.write(contentsOf: Data(repeating: 0x20, count: 1 << 20))
            process.interrupt()
        }
        #expect(ended.status == 130, "\(ended.testDescription)")
        #expect(portolan.files.isEmpty)
    }
}
