import Foundation
import PortolanCLI
import Testing

@Suite struct OutputFileTests {
    @Test func `a file is replaced atomically, without leftover files`() throws {
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
    func `an unwritable location is reported in advance`(path: String) {
        #expect(throws: CommandFailure.self) { try OutputFile(path: path).check() }
    }

    @Test func `a symbolic link is followed, and a missing target is created`() throws {
        let command = try BuiltCommand()
        let manager = FileManager.default, folder = command.folder.path
        try manager.createDirectory(atPath: folder + "/maps", withIntermediateDirectories: true)
        try command.write([1], to: "maps/a.png")
        try manager.createSymbolicLink(atPath: folder + "/a.png", withDestinationPath: "maps/a.png")
        try manager.createSymbolicLink(atPath: folder + "/b.png", withDestinationPath: folder + "/a.png")
        try manager.createSymbolicLink(atPath: folder + "/new.png", withDestinationPath: "maps/new.png")
        for name in ["a.png", "b.png", "new.png"] {
            let file = OutputFile(path: "\(folder)/\(name)")
            try file.check()
            try file.write(Array(name.utf8))
            #expect(command.file(name) == Array(name.utf8))
            #expect((try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) != nil)
        }
        #expect(
            command.file("maps/a.png") == Array("b.png".utf8) && command.file("maps/new.png") == Array("new.png".utf8))
        #expect(try manager.contentsOfDirectory(atPath: folder + "/maps").sorted() == ["a.png", "new.png"])
    }

    @Test func `circular links result in an error message`() throws {
        let command = try BuiltCommand()
        let folder = command.folder.path
        try FileManager.default.createSymbolicLink(atPath: folder + "/a", withDestinationPath: "b")
        try FileManager.default.createSymbolicLink(atPath: folder + "/b", withDestinationPath: "a")
        let file = OutputFile(path: folder + "/a")
        for error in [
            #expect(throws: CommandFailure.self) { try file.check() },
            #expect(throws: CommandFailure.self) { try file.write([1]) },
        ] {
            #expect(error?.status == .cannotCreate && error?.message.contains("symbolic links form a loop") == true)
        }
    }

    @Test func `a device can be written, and the permissions of a file are kept`() throws {
        try OutputFile(path: "/dev/null").check()
        try OutputFile(path: "/dev/null").write([1])
        let error = #expect(throws: CommandFailure.self) { try OutputFile(path: "/dev/full").write([1]) }
        #expect(
            error?.message == "cannot write /dev/full: no space left on the disk; free some or choose another folder")
        let command = try BuiltCommand()
        try command.write([1], to: "a")
        let path = command.folder.path + "/a"
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try OutputFile(path: path).write([2])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    }

    @Test func `a file name that is too long is a typed error`() throws {
        let command = try BuiltCommand()
        let path = command.folder.appending(path: String(repeating: "x", count: 300) + ".png").path
        do {
            try OutputFile(path: path).write([1])
            Issue.record("the file was written")
        } catch { #expect(error.status == .cannotCreate) }
        #expect(command.files.isEmpty)
    }
}
