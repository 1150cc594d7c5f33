import Foundation
import PortolanCLI
import Testing

@Suite struct OutputFileTests {
    @Test func `a file is replaced whole, and others leave no trace`() throws {
        let command = try BuiltCommand()
        let file = OutputFile(path: command.folder.appending(path: "a.PNG").path)
        #expect(file.pathExtension == "png")
        try file.check()
        try file.write([1])
        try file.write([2, 3])
        #expect(command.file("a.PNG") == [2, 3])
        #expect(command.files == ["a.PNG"])
    }

    @Test(arguments: ["", "/none/such/a.png", "/", "/dev/null/a.png"])
    func `where nothing can be written is told beforehand`(path: String) {
        #expect(throws: CommandFailure.self) { try OutputFile(path: path).check() }
    }

    @Test func `a name that is too long is an error when it is written`() throws {
        let command = try BuiltCommand()
        let path = command.folder.appending(path: String(repeating: "x", count: 300) + ".png").path
        do {
            try OutputFile(path: path).write([1])
            Issue.record("the file was written")
        } catch { #expect(error.status == .cannotCreate) }
        #expect(command.files.isEmpty)
    }
}
