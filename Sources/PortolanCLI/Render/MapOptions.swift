import ArgumentParser
import Foundation
import Portolan

/// What `render` and `plan` have in common: the map document, the layers and the view.
struct MapOptions: ParsableArguments {
    @Argument(help: "A map document (JSON); options given beside it win.", completion: .file(extensions: ["json"]))
    var document: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "A layer, bottom first; repeatable.",
            discussion: """
                [KIND:]SOURCE[;key=value]… with the kinds wms, wmsc, xyz, tms, or none for a GeoJSON file, a URL or '-' \
                (standard input). A ';' inside the source is written %3B. Common keys: name, opacity (0-1), \
                min-resolution, max-resolution (map units a pixel).
                """, valueName: "layer"))
    var layer: [String] = []

    @OptionGroup(title: "View") var view: ViewOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    /// A map ready to be planned.
    struct Map {
        var layers: [MapLayer]
        var missing: [RenderReport.Layer]
        var viewport: Viewport
        var configuration: RendererConfiguration
        var warnings: [String]
    }

    /// Reads the document and asks the services.
    func map() async throws -> Map {
        let configuration = try network.configuration()
        var specifications: [LayerSpecification] = []
        var view = view
        if let document {
            let read = try MapDocument(path: document)
            view = view.over(read.view)
            specifications = read.layers
        }
        for text in layer { specifications.append(try LayerSpecification(text)) }
        guard !specifications.isEmpty else {
            throw CommandFailure(.usage, "there is nothing to draw: give a layer with -l, or a map document")
        }
        let readsInput = specifications.contains { $0.kind == .features && $0.source == "-" }
        let input = readsInput ? [UInt8](FileHandle.standardInput.readDataToEndOfFile()) : nil
        let builder = LayerBuilder(
            client: ServiceClient(configuration: configuration), mapCRS: try view.mapCRS(), standardInput: input)
        let built = try await builder.build(specifications)
        let layers = built.compactMap(\.layer), missing = built.compactMap(\.failure)
        if layers.isEmpty, let first = missing.first?.failed.first {
            throw CommandFailure(.unavailable, first.error)
        }
        return Map(
            layers: layers, missing: missing, viewport: try view.viewport(for: layers), configuration: configuration,
            warnings: built.flatMap(\.warnings))
    }
}
