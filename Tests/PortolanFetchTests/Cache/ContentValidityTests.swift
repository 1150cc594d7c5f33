import Foundation
import PortolanFetch
import TestHelpers
import Testing

@Suite struct ContentValidityTests {
    @Test func `content from several responses is valid until the first one expires`() {
        var validity = ContentValidity()
        #expect(validity.holds(at: .max - 1))
        validity.formIntersection(ContentValidity(freshUntil: 200))
        validity.formIntersection(ContentValidity(freshUntil: 100))
        validity.formIntersection(ContentValidity())
        #expect(validity.freshUntil == 100)
        #expect(validity.holds(at: 99))
        #expect(!validity.holds(at: 100))
    }

    @Test(arguments: ["write", "grow", "replace", "remove"])
    func `content from a file is valid until the file changes`(change: String) throws {
        let folder = try TemporaryFolder(), path = "\(folder.path)/a"
        try folder.write([1, 2, 3], to: "a")
        let validity = ContentValidity(path: path)
        #expect(validity.holds(at: 0))
        switch change {
        case "write":
            // As reported by a clock that is coarser than this test is quick.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: path)
        case "grow": try folder.write([1, 2, 3, 4], to: "a")
        case "replace":
            try folder.write([1, 2, 3], to: "b")
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: "\(folder.path)/b", toPath: path)
        default: try FileManager.default.removeItem(atPath: path)
        }
        #expect(!validity.holds(at: 0))
    }

    @Test func `content from a missing file is valid until the file exists`() throws {
        let folder = try TemporaryFolder(), validity = ContentValidity(path: "\(folder.path)/none")
        #expect(validity.holds(at: 0))
        try folder.write([], to: "none")
        #expect(!validity.holds(at: 0))
    }

    @Test func `a file changed between two reads invalidates the content`() throws {
        let folder = try TemporaryFolder(), path = "\(folder.path)/a"
        try folder.write([1], to: "a")
        var validity = ContentValidity(path: path)
        try folder.write([1, 2], to: "a")
        validity.formIntersection(ContentValidity(path: path))
        #expect(!validity.holds(at: 0))
        try FileManager.default.removeItem(atPath: path)
        #expect(!validity.holds(at: 0))
    }
}
