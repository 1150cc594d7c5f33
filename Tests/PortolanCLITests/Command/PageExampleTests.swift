#if os(Linux)
import Foundation
import Testing

/// The Swift examples of a page, in order, are one program: each page is compiled as it stands, with its own imports.
@Suite(.timeLimit(.minutes(20))) struct PageExampleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The modules of the build, beside the test bundle or in the package's build folder.
    private static let build: URL? = {
        let bundle = URL(filePath: ProcessInfo.processInfo.arguments.first ?? "").deletingLastPathComponent()
        return [bundle, root.appending(path: ".build/debug")].first {
            FileManager.default.fileExists(atPath: $0.appending(path: "Modules/Portolan.swiftmodule").path)
        }
    }()

    struct Page: CustomTestStringConvertible, Sendable {
        var name: String
        var code: String
        var testDescription: String { name }
    }

    /// The pages with Swift code that can be compiled in this build.
    ///
    /// Manifests are left to SwiftPM, and modules of traits are missing in builds without them.
    private static let pages: [Page] = {
        let catalog = "Sources/Portolan/Portolan.docc"
        let articles = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: catalog).path)) ?? []
        return (["README.md"] + articles.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalog)/\($0)" }).compactMap
        { path in
            guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else { return nil }
            let code = text.matches(of: /(?s)```swift\n(.*?)```/).map { String($0.1) }
                .filter { !$0.hasPrefix("// Package.swift") && !$0.hasPrefix("// swift-tools-version") }
                .joined(separator: "\n")
            let isBuilt = ["Observability", "PROJ", "GDAL", "Redis"].allSatisfy { trait in
                !code.contains("import Portolan\(trait)\n") || traits.contains(trait)
            }
            return code.isEmpty || !isBuilt ? nil : Page(name: path, code: code)
        }
    }()

    private static let traits: Set<String> = {
        var traits: Set<String> = ["Redis"]
        #if Observability
        traits.insert("Observability")
        #endif
        return traits
    }()

    @Test func `the articles contain examples`() {
        #expect(Self.pages.count > 20)
    }

    @Test(arguments: pages) func `the examples of an article compile as printed`(page: Page) async throws {
        let errors = try await Self.compile(page.code)
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func `an example that lacks an import does not compile`() async throws {
        let errors = try await Self.compile("import Portolan\nlet length = Geodesic.self\n")
        #expect(errors.contains("Geodesic"))
    }

    /// The errors and warnings of the compiler.
    private static func compile(_ code: String) async throws -> String {
        let build = try #require(build, "the modules are not built")
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "main.swift")
        try Data(code.utf8).write(to: file)
        var arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-enable-upcoming-feature",
            "MemberImportVisibility", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault", "-I",
            build.appending(path: "Modules").path,
        ]
        for map in try moduleMaps(of: build) { arguments += ["-Xcc", "-fmodule-map-file=\(map.path)"] }
        let system = root.appending(path: "Sources/System")
        for name in try FileManager.default.contentsOfDirectory(atPath: system.path) {
            arguments += ["-Xcc", "-I", "-Xcc", system.appending(path: "\(name)/include").path]
        }
        for path in ["libpng16", "freetype2", "fribidi", "harfbuzz", "glib-2.0", "libxml2", "hiredis"] {
            arguments.append("-I/usr/include/\(path)")
        }
        return try await output(of: arguments + [file.path])
    }

    /// The module maps of the C targets.
    private static func moduleMaps(of build: URL) throws -> [URL] {
        let system = root.appending(path: "Sources/System")
        let own = try FileManager.default.contentsOfDirectory(atPath: system.path).map {
            system.appending(path: "\($0)/module.modulemap")
        }
        let made = try FileManager.default.contentsOfDirectory(atPath: build.path)
            .filter { $0.hasPrefix("C") && $0.hasSuffix(".build") }
            .map { build.appending(path: "\($0)/module.modulemap") }
        return (own + made).filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    private static func output(of arguments: [String]) async throws -> String {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").filter { $0.contains("error:") || $0.contains("warning:") }
            .joined(separator: "\n")
    }
}
#endif
