import Foundation
import Testing

/// The rules of the house that no compiler checks.
@Suite struct HouseTests {
    struct Source: CustomTestStringConvertible, Sendable {
        var path: String
        var text: String
        var testDescription: String { path }
        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func sources(in folder: String) -> [Source] {
        guard let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path) else { return [] }
        return files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") && !$0.contains(".build") }.sorted()
            .compactMap { name in
                let path = "\(folder)/\(name)"
                return (try? String(contentsOf: root.appending(path: path), encoding: .utf8)).map {
                    Source(path: path, text: $0)
                }
            }
    }

    static let all =
        sources(in: "Sources") + sources(in: "Tests") + sources(in: "Examples")
        + sources(in: "Benchmarks")

    @Test func `the source files are found`() {
        #expect(Self.all.count > 200)
    }

    @Test func `no file is longer than 600 lines`() {
        let long = Self.all.filter { $0.lines.count > 600 }.map { "\($0.path): \($0.lines.count)" }
        #expect(long.isEmpty)
    }

    @Test func `the map library does not depend on optional modules`() {
        let optional = [
            "Transit", "Realtime", "Routing", "Beacons", "GDAL", "PostGIS", "Redis", "City", "RouteBook", "Doctor",
            "CLI",
            "ServerCore",
            "Server", "Observability", "PROJ",
        ]
        var open = ["Portolan"], needed: Set<String> = []
        while let module = open.popLast() {
            guard needed.insert(module).inserted else { continue }
            for source in Self.sources(in: "Sources/\(module)") {
                let imported = source.text.matches(
                    of: /(?m)^(?:@_exported )?(?:public |package )?import (?:\w+ )?(Portolan\w+)/)
                open += imported.map { String($0.output.1) }
            }
        }
        #expect(needed.count > 10)
        #expect(needed.isDisjoint(with: optional.map { "Portolan" + $0 }))
    }

    @Test(arguments: ["Sources/README.md", "CONTRIBUTING.md"])
    func `paths below Sources that a page names exist`(page: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
        let named = text.matches(of: /`(?:Sources\/)?(Portolan\w*\/[^` …]+)`/).map { String($0.output.1) }
        // A{b,c}D denotes AbD and AcD, and NAME a name chosen by the reader.
        let paths = named.filter { !$0.contains("NAME") }.flatMap { name -> [String] in
            guard let braces = name.firstMatch(of: /\{([^}]*)\}/) else { return [name] }
            return braces.output.1.split(separator: ",").map { name.replacing(braces.output.0, with: $0) }
        }
        #expect(!paths.isEmpty)
        let missing = paths.filter { path in
            !["Sources/", "Tests/"].contains {
                FileManager.default.fileExists(atPath: Self.root.appending(path: $0 + path).path)
            }
        }
        #expect(missing.isEmpty)
    }

    @Test func `only the async shell uses await`() {
        let shell = [
            "Sources/PortolanFetch/", "Sources/Portolan/", "Sources/PortolanRouteBook/", "Sources/PortolanCity/",
            "Sources/PortolanGDAL/", "Sources/PortolanPostGIS/", "Sources/PortolanDoctor/", "Sources/PortolanCLI/",
            "Sources/PortolanProgram/",
            "Sources/PortolanRouting/", "Sources/PortolanTesting/", "Sources/PortolanRedis/",
            "Sources/PortolanObservability/", "Sources/PortolanRealtime/", "Sources/PortolanTransit/",
            "Sources/PortolanServerCore/", "Sources/PortolanServer/", "Sources/PortolanServerProgram/",
        ]
        let waiting = Self.sources(in: "Sources").filter { source in
            !shell.contains { source.path.hasPrefix($0) } && source.text.contains("await ")
        }
        #expect(waiting.map(\.path).isEmpty)
    }

    @Test func `only the listed folders contain unsafe code`() {
        let rooms = [
            "Sources/PortolanCodecs/", "Sources/PortolanXML/", "Sources/PortolanText/",
            "Sources/PortolanFetch/Transport/", "Sources/PortolanSQLite/",
            "Sources/PortolanDiskCache/StoreFolder.swift",
            "Sources/PortolanRedis/RedisConnection.swift", "Sources/PortolanZip/Inflate",
            "Sources/PortolanCLI/Terminal/Interruption.swift", "Sources/PortolanCLI/Terminal/FileReplacement.swift",
            "Sources/PortolanWeb/LocalFile.swift",
            "Sources/PortolanArchives/FileLease.swift", "Sources/PortolanArchives/ArchiveOutput.swift",
            "Sources/PortolanZip/Deflater.swift", "Sources/PortolanZip/ZstandardFrames.swift",
            "Sources/PortolanFetch/Request/InternationalHost.swift",
            "Sources/PortolanGDAL/GDALBands.swift", "Sources/PortolanGDAL/GDALRasterReader.swift",
            "Sources/PortolanGDAL/GDALDataset.swift", "Sources/PortolanGDAL/GDALDataset+Features.swift",
            "Sources/PortolanGDAL/GDALLibrary.swift",
            "Sources/PortolanPostGIS/PQ", "Sources/PortolanPostGIS/PostGISAddress.swift",
            "Sources/PortolanPROJ/PROJContext.swift", "Sources/PortolanPROJ/PROJFiles.swift",
            "Sources/PortolanGeo/Geodesics/Geodesic.swift", "Sources/PortolanBeacons/QR/ZBarScan.swift",
            "Sources/PortolanFormats/Encoding/CodePageConverter.swift",
            "Sources/PortolanServerCore/Gate/RenderThreads.swift",
            "Sources/PortolanCLI/Terminal/BuildDescription.swift", "Sources/PortolanServer/AccessLog.swift",
            // A loop that reads 8 bytes at once, within the bound that it states.
            "Sources/PortolanVectorTiles/MVT/MVTGeometryDecoder.swift",
        ]
        // Where the painter's inner loops reach pixels and cells by pointer; each tells the bound it relies on.
        let loops = [
            "Pixels/Brush", "Pixels/PixelQuad", "Pixels/PixelRows", "Pixels/SourceOver", "Canvas/MarkSheet",
            "Canvas/RowPainter", "Canvas/RowPainter+Images", "Canvas/TextMask", "Shapes/CoverageBand",
            "Sampling/ImageRows",
            "Sampling/ImageSampler",
        ].map { "Sources/PortolanRaster/\($0).swift" }
        let unsafe = Self.sources(in: "Sources").filter { source in
            !rooms.contains { source.path.hasPrefix($0) } && !loops.contains(source.path)
                && source.lines.contains { !$0.drop { $0 == " " }.hasPrefix("//") && $0.contains("unsafe ") }
        }
        #expect(unsafe.map(\.path).isEmpty)
    }

    @Test func `local files are opened only by LocalFile and the listed exceptions`() {
        let words = [
            "Data(contentsOf:", "String(contentsOf:", "FileHandle(forReading", "contents(atPath:",
            "open(path, O_RDONLY",
        ]
        let others = [
            // A receiver of positions is a device or a pipe.
            "Sources/PortolanCLI/Routes/RoutesRecordCommand.swift",
            // Fonts of the system are mapped.
            "Sources/PortolanText/FontFace.swift",
            // What tests of apps have recorded.
            "Sources/PortolanTesting/Recording.swift",
        ]
        let opening = Self.sources(in: "Sources").filter { source in
            source.path != "Sources/PortolanWeb/LocalFile.swift" && words.contains { source.text.contains($0) }
        }
        #expect(Set(opening.map(\.path)) == Set(others))
    }

    @Test func `only the listed files write a bounding box or swap its axes`() {
        let writers = Self.sources(in: "Sources").filter { $0.text.contains("\"BBOX\"") }.map(\.path)
        #expect(writers.allSatisfy { $0.hasPrefix("Sources/PortolanServices/") })
        // The one swaps on the way out, the other mends boxes that a server has swapped on the way in.
        let swapping = Self.sources(in: "Sources/PortolanServices").filter { $0.text.contains(".northEast") }
        #expect(swapping.allSatisfy { ["BoundingBoxWriter.swift", "WMSLayerReader.swift"].contains($0.name) })
    }

    @Test func `all files state the same version number`() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        }
        let command = try text("Sources/PortolanCLI/Terminal/BuildDescription.swift")
        let version = try #require(command.firstMatch(of: /version = "([0-9.]+)"/)).1
        let named = try #require(text("README.md").firstMatch(of: /current release is ([0-9.]+[0-9])/)).1
        #expect(named == version)
        let released = try text("CHANGELOG.md").firstMatch(of: /## \[([0-9.]+)\]/)
        #expect(released.map { $0.1 == version } ?? true)
    }

    @Test func `the public API of Portolan is small and does not clash with SwiftUI`() throws {
        let exports = try #require(Self.all.first { $0.path == "Sources/Portolan/Exports.swift" }).lines
            .filter { $0.hasPrefix("@_exported") }
        let names = exports.compactMap { $0.split(separator: ".").dropFirst().first }
        #expect(names.count == exports.count)
        let type = /^(?:@\w+(?:\([^)]*\))? )*public (?:final |indirect )*(?:struct|enum|class|protocol) (\w+)/
        let own = Set(
            Self.sources(in: "Sources/Portolan").flatMap(\.lines).compactMap { $0.firstMatch(of: type)?.1 })
        #expect((1...60).contains(own.count))
        #expect((1...140).contains(names.count + own.count))
        // Names of SwiftUI and Foundation, and what Swift itself has.
        let others: Set<Substring> = [
            "AffineTransform", "Animation", "AnyView", "Axis", "Binding", "Bundle", "Button", "Calendar", "Canvas",
            "Circle",
            "Color", "Data", "Date", "DateInterval", "Dimension", "Edge", "Environment", "Event", "FillStyle", "Font",
            "Formatter", "Gesture", "Gradient", "Grid", "Group", "Image", "Label", "Layout", "Link", "List", "Locale",
            "Measurement", "Menu", "Notification", "Operation", "Path", "Picker", "Port", "Process", "Progress",
            "Rectangle",
            "Result", "Scene", "Section", "Shape", "State", "Stepper", "StrokeStyle", "Table", "Task", "Text", "Timer",
            "Transaction", "Transition", "URL", "Unit", "View", "Window",
        ]
        #expect(Set(names).union(own).isDisjoint(with: others))
    }

    @Test func `no source file contains marks of unfinished work`() {
        let marks = ["TO" + "DO", "FIX" + "ME", "fatal" + "Error("]
        let unfinished = Self.all.filter { source in marks.contains { source.text.contains($0) } }
        #expect(unfinished.map(\.path).isEmpty)
    }

    @Test func `no page contains merge conflict markers`() throws {
        let pages =
            ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Package.swift"]
            + FileManager.default.enumerator(atPath: Self.root.appending(path: "Sources").path)!
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".md") }.map { "Sources/\($0)" }
        let marks = ["<", ">"].map { String(repeating: $0, count: 7) + " " }
        let torn = try pages.filter { page in
            try String(contentsOf: Self.root.appending(path: page), encoding: .utf8).split(separator: "\n")
                .contains { line in marks.contains { line.hasPrefix($0) } }
        }
        #expect(torn.isEmpty)
    }

    @Test func `file names avoid vague words`() {
        let words = ["Help" + "er", "Mana" + "ger", "Ut" + "ils"]
        let vague = Self.sources(in: "Sources").filter { source in
            let name = source.path.split(separator: "/").last ?? ""
            return words.contains { name.contains($0) }
        }
        #expect(vague.map(\.path).isEmpty)
    }
}
