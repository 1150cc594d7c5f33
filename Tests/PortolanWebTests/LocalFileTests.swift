import Foundation
import PortolanWeb
import TestHelpers
import Testing

struct LocalFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Array(0..<200), to: "file")
        try FileManager.default.createDirectory(atPath: folder.path + "/below", withIntermediateDirectories: true)
        try folder.write([1], to: "below/file")
    }

    private func code(_ name: String, _ origin: NamedURL.Origin = .user) -> LocalFileError.Code? {
        do throws(LocalFileError) {
            _ = try LocalFile(at: folder.path + "/" + name, namedBy: origin)
            return nil
        } catch { return error.code }
    }

    private var below: NamedURL.Origin { .file(within: folder.path + "/below") }

    @Test func `a file is read in full, in parts, and from its start`() throws {
        let file = try LocalFile(at: folder.path + "/file")
        #expect(file.byteCount == 200)
        #expect(try file.bytes(limit: 200) == Array(0..<200))
        #expect(try file.start(3) == [0, 1, 2] && file.start(1000).count == 200)
        #expect(try file.bytes(at: 198, count: 10) == [198, 199] && file.bytes(at: 200, count: 10).isEmpty)
        #expect { _ = try file.bytes(limit: 199) } throws: { ($0 as? LocalFileError)?.code == .tooLong(limit: 199) }
    }

    @Test(arguments: [0, 1, 4096, (4 << 20) - 1, 4 << 20, (8 << 20) + 5])
    func `small and large files are read in full`(_ count: Int) throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try folder.write(content, to: "many")
        #expect(try LocalFile(at: folder.path + "/many").bytes(limit: count) == content)
    }

    @Test func `an open file is read even if its path changes`() throws {
        let file = try LocalFile(at: folder.path + "/file")
        try FileManager.default.removeItem(atPath: folder.path + "/file")
        try folder.write([9], to: "file")
        #expect(try file.bytes(limit: 1000) == Array(0..<200))
    }

    @Test func `a file that has grown since opening is read to its end within the limit`() throws {
        let file = try LocalFile(at: folder.path + "/file")
        let handle = try #require(FileHandle(forWritingAtPath: folder.path + "/file"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(repeating: 7, count: 10_000))
        try handle.close()
        #expect(try file.bytes(limit: 20_000).count == 10_200)
        #expect { _ = try file.bytes(limit: 10_199) } throws: {
            ($0 as? LocalFileError)?.code == .tooLong(limit: 10_199)
        }
    }

    @Test(arguments: [
        ("none", LocalFileError.Code.missing), ("file/none", .missing), ("below", .folder), ("", .folder),
        ("file\0none", .missing),
    ])
    func `a path that is not a file is refused`(name: String, code: LocalFileError.Code) {
        #expect(self.code(name) == code)
    }

    @Test func `pipes and devices are refused without waiting`() throws {
        #expect(unsafe mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(code("pipe") == .notRegular)
        #expect { _ = try LocalFile(at: "/dev/zero") } throws: { ($0 as? LocalFileError)?.code == .notRegular }
    }

    @Test func `virtual system files of length 0 are read`() throws {
        guard let file = try? LocalFile(at: "/proc/self/status") else { return }
        #expect(try file.byteCount == 0 && file.bytes(limit: 1 << 20).count > 100)
    }

    @Test func `a file may name files in its folder and below only, with links resolved`() throws {
        let path = folder.path
        for (link, target) in [
            ("below/out", path + "/file"), ("below/in", path + "/below/file"), ("below/up", path),
            ("inside", path + "/below"),
        ] { try FileManager.default.createSymbolicLink(atPath: path + "/" + link, withDestinationPath: target) }
        func isRefused(_ name: String, _ origin: NamedURL.Origin) -> Bool {
            if case .refused? = code(name, origin) { true } else { false }
        }
        for name in ["below/file", "below/in", "below/../below/file"] { #expect(code(name, below) == nil, "\(name)") }
        for name in ["file", "below/../file", "below/out", "below/up/file", "inside/file"] {
            #expect(isRefused(name, below), "\(name)")
            #expect(code(name) == nil, "\(name)")
        }
        // The folder itself may be reached by a link.
        #expect(code("inside/file", .file(within: path + "/inside")) == nil)
        #expect(isRefused("below/file", .document(NamedURL.RemoteDocument(host: "maps.example"))))
        // A missing file reveals no further information.
        #expect(code("below/none", below) == .missing)
        #expect(isRefused("none", below))
    }

    @Test func `any file may name files in allowed folders`() throws {
        var policy = AddressPolicy()
        policy.allowedFolders = [folder.path]
        #expect(try LocalFile(at: folder.path + "/file", namedBy: below, policy: policy).byteCount == 200)
    }
}

struct LocalPathTests {
    @Test(arguments: [
        ("/a/b", "/a/b"), ("/a/./b/", "/a/b"), ("/a/../b", "/b"), ("/../a", "/a"), ("a/../../b", "../b"),
        ("//a//b", "/a/b"),
        ("/", "/"), ("/a/..", "/"),
    ])
    func `dot segments of a path are resolved`(path: String, text: String) { #expect(LocalPath(path).text == text) }

    @Test(arguments: [
        ("/a", "/a/b", true), ("/a", "/a", true), ("/a/", "/a/b/c", true), ("/a", "/ab", false),
        ("/a", "/a/../b", false),
        ("/", "/a", true), ("/a/b", "/a", false),
    ])
    func `a folder contains its files and subfolders`(folder: String, path: String, isHeld: Bool) {
        #expect(LocalPath(folder).holds(path) == isHeld)
    }

    @Test func `the folder of a path is its parent`() {
        #expect(LocalPath("/a/b").folder == "/a")
        #expect(LocalPath("/a").folder == "/")
        #expect(LocalPath("a").folder == ".")
    }
}
