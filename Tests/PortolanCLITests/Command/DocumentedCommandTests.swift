import Foundation
import Testing

/// The commands of README and of the articles "Maps from scripts" and "Print maps", run as they are printed there.
@Suite(.timeLimit(.minutes(20))) struct DocumentedCommandTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// A block of shell commands of a page.
    struct Block: CustomTestStringConvertible, Sendable {
        var page: String
        var commands: String

        var testDescription: String { "\(page): \(commands.prefix(60))" }
        /// The pictures and files that it writes.
        var outputs: [String] {
            commands.matches(of: /-o ([\w-]+\.\w+)/).map { String($0.1) }
                + commands.matches(of: /portolan convert \S+ ([\w.-]+)/).map { String($0.1) }
        }
    }

    /// The blocks that need neither a network nor a build.
    private static let blocks: [Block] = [
        "README.md", "Sources/Portolan/Portolan.docc/MapsFromScripts.md", "Sources/Portolan/Portolan.docc/PrintMaps.md",
    ].flatMap { page in
        let text = (try? String(contentsOf: root.appending(path: page), encoding: .utf8)) ?? ""
        return text.matches(of: /(?s)```sh\n(.*?)```/).map { Block(page: page, commands: String($0.1)) }
            .filter { !$0.commands.contains("https://") && !$0.commands.contains("swift build") }
    }

    @Test func `README and the articles contain commands`() {
        #expect(Self.blocks.filter { $0.page == "README.md" }.count == 1)
        #expect(Self.blocks.filter { $0.page != "README.md" }.count == 28)
    }

    // The pages name `Full` in their first command.
    #if Text && Images && Storage && Drivers
    @Test(arguments: blocks) func `the commands of a page succeed and write their files`(block: Block) async throws {
        let portolan = try BuiltCommand()
        try FileManager.default.createSymbolicLink(
            at: portolan.folder.appending(path: "Fixtures"), withDestinationURL: Self.root.appending(path: "Fixtures"))
        // The shell reads the block from a file beside a link to the command.
        try portolan.write("set -eu\n" + block.commands, to: "block.sh")
        try FileManager.default.createSymbolicLink(
            at: portolan.folder.appending(path: "portolan"), withDestinationURL: portolan.binary)
        let ended = try await portolan.run([], after: "export PATH=\"$PWD:$PATH\"; exec sh block.sh")
        #expect(ended.status == 0, "\(ended.testDescription)")
        for output in block.outputs {
            #expect((portolan.file(output)?.count ?? 0) > 100, "\(output)")
        }
    }
    #endif
}
