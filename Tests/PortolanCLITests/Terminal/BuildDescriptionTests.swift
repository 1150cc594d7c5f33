import PortolanCLI
import Testing

@Suite struct BuildDescriptionTests {
    @Test func `the traits and libraries of the built command are listed`() async throws {
        let ended = try await BuiltCommand().run(["--version", "--verbose"])
        let lines = String(decoding: ended.output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(lines.first == "portolan \(BuildDescription.version)")
        let with = try #require(lines.first { $0.hasPrefix("traits: ") })
        let without = try #require(lines.first { $0.hasPrefix("disabled traits: ") })
        func has(_ trait: String, _ library: String) -> Bool {
            with.contains(trait) && !without.contains(trait) && lines.contains { $0.hasPrefix(library + " ") }
        }
        func lacks(_ trait: String, _ library: String) -> Bool {
            !with.contains(trait) && without.contains(trait) && !lines.contains { $0.hasPrefix(library + " ") }
        }
        #if Text
        #expect(has("Text", "HarfBuzz"))
        #else
        #expect(lacks("Text", "HarfBuzz"))
        #endif
        #if Images
        #expect(has("Images", "libwebp"))
        #else
        #expect(lacks("Images", "libwebp"))
        #endif
        #if Storage
        #expect(has("Storage", "SQLite"))
        #else
        #expect(lacks("Storage", "SQLite"))
        #endif
        #if Drivers
        #expect(has("Drivers", "GeographicLib"))
        #else
        #expect(lacks("Drivers", "GeographicLib"))
        #endif
        for line in lines.dropFirst(3) { #expect(line.contains(/^[A-Za-z0-9]+ [0-9]+(\.[0-9]+)*/), "\(line)") }
    }

    @Test func `without --verbose only the version number is printed`() async throws {
        let ended = try await BuiltCommand().run(["--version"])
        #expect(String(decoding: ended.output, as: UTF8.self) == BuildDescription.version + "\n")
    }
}
