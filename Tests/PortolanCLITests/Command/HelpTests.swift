import Portolan
import Testing

@Suite struct HelpTests {
    @Test(arguments: ["render", "plan", "document", "info", "doctor", "identify", "routes", "seed", "convert"])
    func `every subcommand has help with examples`(name: String) async throws {
        let ended = try await BuiltCommand().run([name, "--help"])
        #expect(ended.status == 0)
        #expect(ended.errors.isEmpty)
        let text = String(decoding: ended.output, as: UTF8.self)
        #expect(text.contains("EXAMPLES"))
        #expect(text.contains("portolan \(name) "))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: ["render", "tile", "film", "profile", "convert", "seed", "identify", "measure", "atlas"])
    func `help states each default once`(name: String) async throws {
        let ended = try await BuiltCommand().run([name, "--help"])
        let text = String(decoding: ended.output, as: UTF8.self).split { $0.isWhitespace }.joined(separator: " ")
        #expect(!text.contains("). (default: "))
    }

    @Test func `help layers lists all kinds of layers`() async throws {
        let ended = try await BuiltCommand().run(["help", "layers"])
        #expect(ended.status == 0)
        #expect(ended.errors.isEmpty)
        let text = String(decoding: ended.output, as: UTF8.self)
        for kind in LayerKinds.standard.kinds where kind != .features {
            #expect(text.contains("\n  \(kind.name):"), "\(kind.name)")
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test(arguments: LayerKinds.standard.kinds.map(\.name) + ["transit", "vehicles"])
    func `help layers KIND has values and an effect for every key`(name: String) async throws {
        let ended = try await BuiltCommand().run(["help", "layers", name])
        #expect(ended.status == 0)
        let lines = String(decoding: ended.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 120 })
        let keys = LayerKinds.standard.kind(named: name)?.allKeys ?? ["name", "opacity"]
        for key in keys {
            // The table is below the introduction, whose lines may begin with any word.
            let line = lines.last { $0.hasPrefix("  \(key) ") }
            let fields = line?.split(separator: "  ") ?? []
            #expect(fields.count >= 3, "\(key)")
            #expect(line?.hasSuffix(".") == true, "\(key)")
        }
    }

    @Test func `help layers names the kinds if one is unknown`() async throws {
        let ended = try await BuiltCommand().run(["help", "layers", "wmz"])
        #expect(ended.status == 64)
        #expect(ended.error.hasPrefix("portolan: error: unknown kind 'wmz'; did you mean 'wms'? available: wms, "))
    }

    @Test func `the help of render fits into 100 lines`() async throws {
        let ended = try await BuiltCommand().run(["render", "--help"], after: "export COLUMNS=100")
        #expect(String(decoding: ended.output, as: UTF8.self).split(separator: "\n").count <= 100)
    }

    @Test func `the help lists the subcommands`() async throws {
        let ended = try await BuiltCommand().run(["--help"])
        #expect(ended.status == 0)
        let text = String(decoding: ended.output, as: UTF8.self)
        for name in ["render", "plan", "document", "info", "doctor", "identify", "routes", "seed", "convert"] {
            #expect(text.contains("\n  \(name) "))
        }
    }

    @Test func `the help of render lists every documented option`() async throws {
        let ended = try await BuiltCommand().run(["render", "--help"])
        let text = String(decoding: ended.output, as: UTF8.self)
        let options = [
            "-l, --layer", "-o, --output", "--size", "--pixel-ratio", "--crs", "--bbox", "--bbox-crs",
            "--center", "--zoom", "--resolution", "--scale", "--fit", "--padding", "--max-zoom", "--rotation",
            "--background", "--attribution", "--scale-bar", "--north-arrow", "--graticule", "--title", "--legend",
            "--cache", "--no-cache", "--offline", "--timeout", "--retries", "--max-connections", "--header",
            "--user", "--proxy", "--cacert", "--cert", "--key", "--insecure",
            "--user-agent", "--strict", "--max-missing", "--report", "--quiet", "--threads", "--font", "--png8",
            "--world-file",
        ]
        for option in options { #expect(text.contains("  \(option) "), "\(option)") }
    }

    @Test func `the version is printed`() async throws {
        let ended = try await BuiltCommand().run(["--version"])
        #expect(ended.status == 0)
        #expect(String(decoding: ended.output, as: UTF8.self).wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }
}
