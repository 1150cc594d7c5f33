import TestHelpers
import Testing

@testable import PortolanRealtime

@Suite struct STOMPParserTests {
    private static func frames(
        _ text: String, version: STOMPFrame.Version = .v1_2, limits: STOMPParser.Limits = .init(), pieces: Int = .max
    ) throws(FeedError) -> [STOMPFrame] {
        var parser = STOMPParser(version: version, limits: limits), frames: [STOMPFrame] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            parser.append(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
            while let frame = try parser.next() { frames.append(frame) }
        }
        return frames
    }

    private static func code(
        _ text: String, version: STOMPFrame.Version = .v1_2, limits: STOMPParser.Limits = .init()
    )
        -> FeedError.Code?
    {
        do throws(FeedError) {
            _ = try frames(text, version: version, limits: limits)
            return nil
        } catch { return error.code }
    }

    /// Frames of the specification's own examples (STOMP 1.2), and what they mean.
    private static let examples: [(String, STOMPFrame)] = [
        ("CONNECTED\nversion:1.1\n\n\0", STOMPFrame("CONNECTED", [.init("version", "1.1")])),
        (
            "SEND\ndestination:/queue/a\ncontent-type:text/plain\n\nhello queue a\n\0",
            STOMPFrame(
                "SEND", [.init("destination", "/queue/a"), .init("content-type", "text/plain")],
                body: Array("hello queue a\n".utf8))
        ),
        (
            "MESSAGE\nfoo:World\nfoo:Hello\n\n\0",
            STOMPFrame("MESSAGE", [.init("foo", "World"), .init("foo", "Hello")])
        ),
        (
            "MESSAGE\r\nsubscription:0\r\nmessage-id:007\r\n\r\nhello\0",
            STOMPFrame("MESSAGE", [.init("subscription", "0"), .init("message-id", "007")], body: Array("hello".utf8))
        ),
        (
            "MESSAGE\ncontent-length:5\n\na\0b\nc\0",
            STOMPFrame("MESSAGE", [.init("content-length", "5")], body: Array("a\0b\nc".utf8))
        ),
        (
            "MESSAGE\nn\\co:\\n\\r\\c\\\\ x \n\n\0", STOMPFrame("MESSAGE", [.init("n:o", "\n\r:\\ x ")])
        ),
    ]

    @Test(arguments: [1, 2, 3, 7, Int.max])
    func `frames are parsed from chunks of any size, with heart-beats between them`(pieces: Int) throws {
        let text = Self.examples.map(\.0).joined(separator: "\n\r\n\n")
        #expect(try Self.frames("\n\n" + text + "\n", pieces: pieces) == Self.examples.map(\.1))
    }

    @Test func `of repeated headers the first one counts`() {
        #expect(Self.examples[2].1["foo"] == "World")
    }

    @Test func `each version has its own escapes`() throws {
        let text = "MESSAGE\na:x\\ny\n\n\0"
        #expect(try Self.frames(text, version: .v1_0)[0]["a"] == "x\\ny")
        #expect(try Self.frames(text, version: .v1_1)[0]["a"] == "x\ny")
        #expect(Self.code("MESSAGE\na:\\r\n\n\0", version: .v1_1) == .malformed)
        #expect(try Self.frames("MESSAGE\na: b\n\n\0", version: .v1_0)[0]["a"] == "b")
        #expect(try Self.frames("MESSAGE\na: b\n\n\0", version: .v1_1)[0]["a"] == " b")
        #expect(try Self.frames("CONNECTED\na:b\\c\n\n\0")[0]["a"] == "b\\c")
        // A return was a part of the value before 1.2.
        #expect(try Self.frames("MESSAGE\na:b\r\n\n\0", version: .v1_1)[0]["a"] == "b\r")
        #expect(try Self.frames("MESSAGE\na:b\r\n\n\0", version: .v1_2)[0]["a"] == "b")
    }

    @Test(arguments: [
        "MESSAGE\na\n\n\0", "MESSAGE\na:\\t\n\n\0", "MESSAGE\na:\\\n\n\0", "message\n\n\0", "\0", "ME SSAGE\n\n\0",
        "MESSAGE\ncontent-length:x\n\n\0", "MESSAGE\ncontent-length:-1\n\n\0", "MESSAGE\ncontent-length:1\n\nab\0",
        "MESSAGE\ncontent-length:\n\n\0", "MESSAGE\u{0}\n\n", "MESSAGE\ncontent-length:99999999999999999999\n\n\0",
    ])
    func `invalid frames are malformed`(text: String) {
        #expect(Self.code(text + "\n\n") == .malformed)
    }

    @Test func `a header that is not UTF-8 is malformed`() {
        var parser = STOMPParser()
        parser.append(Array("MESSAGE\na:".utf8) + [0xFF] + Array("\n\n\0".utf8))
        #expect { try parser.next() } throws: { ($0 as? FeedError)?.code == .malformed }
    }

    @Test func `data over the limits are rejected as soon as this is known`() {
        var limits = STOMPParser.Limits()
        (limits.headerCount, limits.headByteCount, limits.bodyByteCount) = (2, 40, 4)
        #expect(Self.code("MESSAGE\na:1\nb:2\n\nbody\0", limits: limits) == nil)
        #expect(Self.code("MESSAGE\na:1\nb:2\nc:3\n\n\0", limits: limits) == .limitExceeded)
        #expect(Self.code("MESSAGE\n" + String(repeating: "a", count: 60), limits: limits) == .limitExceeded)
        #expect(Self.code("MESSAGE\ncontent-length:5\n\n", limits: limits) == .limitExceeded)
        #expect(Self.code("MESSAGE\n\nbodyx", limits: limits) == .limitExceeded)
        #expect(Self.code(String(repeating: "\n", count: 1000), limits: limits) == nil)
    }

    @Test func `an error states its offset in all received bytes`() {
        var parser = STOMPParser()
        parser.append(Array("MESSAGE\na:b\n\n\0".utf8))
        #expect((try? parser.next()) != nil)
        parser.append(Array("\nMESSAGE\nx\n\n\0".utf8))
        #expect { try parser.next() } throws: { ($0 as? FeedError)?.offset == 23 }
    }

    @Test(arguments: STOMPFrame.Version.allCases)
    func `random frames survive writing and reading`(version: STOMPFrame.Version) throws {
        var random = SeededGenerator(seed: 7)
        let letters = version == .v1_0 ? Array("ab,é/") : version == .v1_1 ? Array("a:\\\né") : Array("a:\\\n\ré ")
        for _ in 0..<300 {
            func word() -> String {
                String(
                    (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in letters.randomElement(using: &random)
                    })
            }
            var frame = STOMPFrame("MESSAGE", (0..<3).map { _ in .init(word(), word()) })
            if Bool.random(using: &random) { frame.body = Array((word() + "\0" + word()).utf8) }
            var read = try Self.frames(String(decoding: frame.encoded(for: version), as: UTF8.self), version: version)[
                0]
            read.headers.removeAll { $0.name == "content-length" }
            #expect(read == frame)
        }
    }

    @Test func `values cannot inject headers or frames`() throws {
        let evil = STOMPFrame("SEND", [.init("a", "b\nevil:1\n\n\0SEND\n\n\0"), .init("c\n:d", "e")])
        for version in STOMPFrame.Version.allCases {
            let read = try Self.frames(String(decoding: evil.encoded(for: version), as: UTF8.self), version: version)
            #expect(read.count == 1 && read[0].headers.count == 2 && read[0].body.isEmpty)
        }
    }
}
