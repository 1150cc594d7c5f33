#if Storage
import Foundation
import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanSQLite
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Whatever stands where the cache should be, the map is drawn, and where nothing can be kept that is said.
@Suite struct CacheAttacks {
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether a warning is expected, or `nil` if that depends on the purpose of the page.
        let isTold: Bool?
        let inflict: @Sendable (_ folder: String) throws -> Void

        init(_ name: String, isTold: Bool? = true, _ inflict: @escaping @Sendable (String) throws -> Void) {
            testDescription = name
            self.isTold = isTold
            self.inflict = inflict
        }
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    private static func run(_ path: String, _ statements: String...) throws {
        let database = try SQLiteConnection(path: path, access: .writing)
        for statement in statements { try database.run(statement) }
    }

    static let damages = [
        Damage("nothing", isTold: false) { _ in },
        Damage("an empty file", isTold: false) { try write([], $0 + "/answers.sqlite3") },
        Damage("letters") { try write([UInt8](repeating: 0x41, count: 50_000), $0 + "/answers.sqlite3") },
        Damage("the first bytes of a database alone") {
            try write(Array("SQLite format 3\u{0}".utf8), $0 + "/answers.sqlite3")
        },
        Damage("half of a database") {
            let path = $0 + "/answers.sqlite3", bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            try write(Array(bytes.prefix(bytes.count / 2)), path)
        },
        Damage("a page of zero bytes", isTold: nil) {
            let path = $0 + "/answers.sqlite3"
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            for place in 4096..<8192 { bytes[place] = 0 }
            try write(bytes, path)
        },
        Damage("a folder where the file should be") {
            try FileManager.default.removeItem(atPath: $0 + "/answers.sqlite3")
            try FileManager.default.createDirectory(
                atPath: $0 + "/answers.sqlite3/a", withIntermediateDirectories: true)
        },
        Damage("another database") {
            try FileManager.default.removeItem(atPath: $0 + "/answers.sqlite3")
            try run($0 + "/answers.sqlite3", "CREATE TABLE diary (page TEXT)")
        },
        Damage("a table that is gone") { try run($0 + "/answers.sqlite3", "DROP TABLE body") },
        Damage("entries that are texts", isTold: false) {
            try run($0 + "/answers.sqlite3", "UPDATE entry SET headers = 'x', status = 'ok', head_sum = 1")
        },
        Damage("bodies of somebody else", isTold: false) {
            try run($0 + "/answers.sqlite3", "UPDATE body SET \(bodyColumn) = x'89504E470D0A1A0A'")
        },
        Damage("a trigger that takes all away", isTold: false) {
            try run($0 + "/answers.sqlite3", "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END")
        },
        Damage("a log of letters", isTold: false) {
            try write([UInt8](repeating: 0x41, count: 50_000), $0 + "/answers.sqlite3-wal")
        },
        Damage("a journal of letters", isTold: false) {
            try write([UInt8](repeating: 0x41, count: 50_000), $0 + "/answers.sqlite3-journal")
        },
        Damage("a file in place of the folder") {
            try FileManager.default.removeItem(atPath: $0)
            try write([1], $0)
        },
        Damage("a link that leads nowhere") {
            try FileManager.default.removeItem(atPath: $0)
            try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/nowhere/at/all")
        },
    ]

    private static let bodyColumn = "bytes"

    @Test(arguments: damages)
    func `a map is drawn whatever the cache contains`(damage: Damage) async throws {
        let folder = try TemporaryFolder(), cache = folder.path + "/cache"
        let first = try await draw(cache)
        #expect(first.report.complete)
        #expect(first.report.warnings.isEmpty)
        // The task that writes may be the last to let the store go, and write its log back.
        #expect(await eventually { !FileManager.default.fileExists(atPath: cache + "/answers.sqlite3-wal") })
        try damage.inflict(cache)
        let again = try await draw(cache)
        #expect(again.report.complete)
        #expect(again.image == first.image)
        #expect(damage.isTold != again.report.warnings.isEmpty, "\(again.report.warnings)")
        // Damage is repaired or set aside, so that it is reported once; an unusable folder remains unusable.
        let third = try await draw(cache)
        #expect(third.report.complete)
        #expect(third.image == first.image)
    }

    /// Draws tiles of one colour with a cache, like a separate process.
    private func draw(_ cache: String) async throws -> RenderResult {
        let size = try #require(ImageSize(width: 256, height: 256))
        let pixel = Pixel(red: 9, green: 90, blue: 200, alpha: 255).bits
        let tile = try #require(PixelBuffer(size: size, pixels: [UInt32](repeating: pixel, count: 256 * 256)))
        let body = try PNGEncoder.encode(tile, compression: .fast)
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(
                status: 200, headers: [HTTPHeader(name: "Cache-Control", value: "max-age=1000")], body: body,
                url: request.url, network: .global)
        }
        var configuration = RendererConfiguration()
        configuration.retries = .none
        configuration.usesSystemFonts = false
        configuration.cacheFolder = cache
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        let template = try XYZTemplate("http://maps.example/{z}/{x}/{y}.png")
        let layer = MapLayer(
            name: "tiles", source: TileSource(grid: try #require(.webMercator()), address: .xyz(template)))
        let view = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 2, in: .webMercator)), size: size)
        return try await renderer.render([layer], in: view)
    }
}
#endif
