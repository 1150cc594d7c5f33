import ArgumentParser
import Portolan

/// What `render`, `plan` and `identify` have in common: the map document, the layers and the view.
struct MapOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A map document (JSON); options given beside it win, layers are drawn on top of its own.",
            discussion: """
                {"size": [1024, 768], "center": [-0.88, 41.65], "zoom": 15, "layers": [{"wms": "http://…", \
                "layers": "a,b"}, {"source": "route.geojson", "stroke": "#f00"}], "font": ["title.otf", "Noto Sans"]}; \
                relative paths are relative to it.
                """, valueName: "map.json"),
        completion: .file(extensions: ["json"]))
    var document: String?

    @OptionGroup(title: "Layers") var layers: LayerOptions
    @OptionGroup(title: "View") var view: ViewOptions
    @OptionGroup(title: "Text") var text: TextOptions

    /// A map ready to be planned.
    struct Map {
        var layers: [MapLayer]
        var missing: [RenderReport.Layer]
        /// What the command ends with where nothing comes of any layer.
        var missingStatus: ExitStatus
        var viewport: Viewport
        var configuration: RendererConfiguration
        var warnings: [String]
    }

    /// Reads the document and asks the services.
    ///
    /// - Parameter center: what is in the middle, in degrees, where a way of scaling is given and no place.
    func map(_ network: NetworkOptions, center: String? = nil) async throws -> Map {
        var configuration = try network.configuration()
        var specifications: [LayerSpecification] = []
        var request = view.request
        var fonts = text.font.map { FontChoice($0) }
        if let document {
            let read = try MapDocument(path: document)
            request = request.over(read.view)
            specifications = read.layers
            fonts += read.fonts
        }
        for text in layers.layer { specifications.append(try LayerSpecification(text)) }
        request = request.centered(on: center)
        guard !specifications.isEmpty else {
            throw CommandFailure(.usage, "there is nothing to draw; give a layer with -l, or a map document")
        }
        try request.check()
        configuration.fonts = try FontChoice.sources(fonts)
        let readsInput = specifications.contains { $0.kind == .features && $0.source == "-" }
        let client = ServiceClient(configuration: configuration)
        let builder = LayerBuilder(
            client: client, mapCRS: try request.mapCRS(),
            standardInput: readsInput ? try StandardInput.bytes() : nil)
        let built = try await builder.build(specifications)
        await client.flush()
        for layer in built { configuration.layerCacheRules[layer.name] = layer.cacheRule }
        let layers = built.compactMap(\.layer), missing = built.compactMap(\.failure)
        let missingStatus = built.first { $0.failure != nil }?.status ?? .unavailable
        let viewport: Viewport
        do { viewport = try request.viewport(for: layers) } catch {
            // What was to be fitted may be on the server that fails.
            guard let first = missing.first?.failed.first else { throw error }
            throw CommandFailure(missingStatus, first.error, httpStatus: first.status)
        }
        return Map(
            layers: layers, missing: missing, missingStatus: missingStatus, viewport: viewport,
            configuration: configuration,
            warnings: request.hints + [request.swapHint(layers)].compactMap(\.self) + built.flatMap(\.warnings)
                + client.warnings)
    }
}
