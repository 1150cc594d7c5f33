import ArgumentParser
import Foundation
import Portolan

/// `portolan info`: what a service or a file offers.
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Shows what a map service or a data file offers.",
        discussion: """
            EXAMPLES
              portolan info https://example.org/wms
              portolan info route.geojson --json
            """)

    @Argument(help: "The URL of a WMS, or a GeoJSON file or URL.")
    var source: String

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    func run() async throws {
        let client = ServiceClient(configuration: try network.configuration())
        let source = source
        let document = try await Interruption.cancelling {
            do { return try await Self.document(of: source, client: client) } catch let error as ServiceError {
                throw LayerBuilder.failure(error)
            }
        }
        let bytes = json ? try document.json() : [UInt8](document.table().utf8)
        try OutputFile(path: "-").write(bytes)
    }

    private static func document(of source: String, client: ServiceClient) async throws -> any InfoDocument {
        if source.hasPrefix("http://") || source.hasPrefix("https://"), !looksLikeFile(source) {
            // Tile sets are listed in version 1.1.1 alone; the newest version tells the rest best.
            let offered = try await client.capabilities(of: source)
            let tiled = try? await client.capabilities(of: source, withTileSets: true)
            return ServiceInfo(offered, tileSets: tiled?.tileSets ?? [])
        }
        let bytes = try await client.data(at: LayerBuilder.url(of: source))
        if source.lowercased().hasSuffix(".xml") {
            do { return ServiceInfo(try WMSCapabilitiesReader.read(bytes), tileSets: nil) } catch {
                throw CommandFailure(.badData, "\(source): \(error)")
            }
        }
        return FeatureInfo(try LayerBuilder.features(in: bytes, from: source))
    }

    private static func looksLikeFile(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".json", ".geojson", ".xml"].contains { path.hasSuffix($0) }
    }
}

/// What is known of a source, as a table and as JSON.
protocol InfoDocument: Sendable {
    func table() -> String
    func json() throws(CommandFailure) -> [UInt8]
}
