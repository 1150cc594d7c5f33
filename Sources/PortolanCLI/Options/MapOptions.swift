import ArgumentParser
import Foundation
import Portolan
import PortolanPaint
import PortolanWeb

/// What `render`, `plan` and `identify` have in common: the map document, the layers and the view.
struct MapOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A map document (JSON), or an OWS Context (GeoJSON), a file or a URL; options given beside it win, layers are drawn on top of its own.",
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
        /// Why nothing could be had of the first layer that is missing; the command ends with it where no layer is left.
        var failure: CommandFailure?
        var viewport: Viewport
        /// What the document says stands beside the map.
        var furniture: MapFurniture
        var configuration: RendererConfiguration
        /// When all that the picture needs is to have come.
        var deadline: PictureDeadline
        var warnings: [MapWarning]
    }

    /// Reads the document and asks the services.
    ///
    /// - Parameters:
    ///   - center: what is in the middle, in degrees, where a way of scaling is given and no place.
    ///   - isStrict: whether documents of which something had to be repaired or left out are refused.
    ///   - top: layers that the command itself puts on top.
    ///   - foot: pixels at the foot that a bar covers.
    ///   - hasPanel: whether a panel of facts stands at the left.
    ///   - title, showsLegend: the title, and whether there is a legend; what is fitted keeps clear of them.
    func map(
        _ network: NetworkOptions, center: Coordinate? = nil, isStrict: Bool = false, under top: [MapLayer] = [],
        foot: Double = 0, hasPanel: Bool = false, title: String? = nil, showsLegend: Bool = false
    ) async throws -> Map {
        var configuration = try network.configuration()
        let deadline = PictureDeadline(try network.pictureTime(), from: configuration.clock)
        // A service that never answers leaves the others time for their pictures.
        let offerDeadline = PictureDeadline(deadline.duration / 2, from: configuration.clock)
        let (document, _) = try await self.document(network)
        var request = document.view
        // What is not shown is not asked for.
        let specifications = document.layers.filter { (try? $0.isVisible) != false }
        request = request.centered(on: center)
        request.foot = foot
        request.left = FactsPanel.room(on: hasPanel ? request.imageSize : nil)
        if specifications.isEmpty, top.isEmpty, let place = self.document, let first = document.warnings.first {
            throw CommandFailure(.badData, "\(place): nothing of it can be drawn; \(first)")
        }
        guard !specifications.isEmpty || !top.isEmpty else {
            throw CommandFailure(.usage, "there is nothing to draw; give a layer with -l, or a map document")
        }
        let wanted = request
        try ViewRequest.asking { () throws(ViewRequestError) in try wanted.checkAll() }
        configuration.fonts = try FontChoice.sources(document.fonts)
        let readsInput = specifications.contains { $0.kind.readsFeatures && $0.source == "-" }
        let client = ServiceClient(configuration: configuration)
        let builder = LayerBuilder(
            client: client, mapCRS: wanted.mapCRS, standardInput: readsInput ? try StandardInput.bytes() : nil,
            isStrict: isStrict)
        let built: [LayerBuilder.Built]
        StandardError.keep(document.warnings)
        do { built = try await builder.build(specifications, by: offerDeadline) } catch { throw CommandFailure(error) }
        StandardError.keep(built.flatMap(\.warnings))
        await client.flush()
        for layer in built { configuration.layerCacheRules[layer.name] = layer.cacheRule }
        let layers = built.compactMap(\.layer) + top, missing = built.compactMap(\.missing)
        let failure = built.lazy.compactMap(\.commandFailure).first
        let viewport: Viewport
        // What was to be fitted may be on the server that fails.
        do {
            let view = try wanted.view(of: layers)
            viewport = try wanted.viewport(
                for: layers, in: view, clearOf: title ?? document.furniture.title,
                showsLegend: showsLegend || document.furniture.showsLegend,
                configuration: configuration)
        } catch { throw failure ?? CommandFailure(error) }
        return Map(
            layers: layers, missing: missing, failure: failure, viewport: viewport,
            furniture: document.furniture, configuration: configuration, deadline: deadline,
            warnings: document.warnings + wanted.hints + [wanted.swapHint(layers, in: viewport)].compactMap(\.self)
                + built.flatMap(\.warnings) + client.warnings)
    }
}

extension MapOptions {
    /// The map document with what the options say on top of it, and the context that it was read from, where it is one.
    func document(
        _ network: NetworkOptions
    ) async throws -> (document: MapDocument, context: OWSContext?) {
        var map = MapDocument(), context: OWSContext?
        if let document {
            let configuration = try network.configuration()
            let policy = configuration.addressPolicy
            if FileAddress.isLocal(document) {
                let bytes: [UInt8]
                do { bytes = try DocumentFile.content(of: document) } catch { throw CommandFailure(error) }
                do {
                    map = try MapDocument(bytes: bytes, path: document, policy: policy, kinds: .command)
                    context = try? OWSContext(bytes: bytes, path: document, policy: policy, kinds: .command)
                } catch { throw CommandFailure(error) }
            } else {
                let client = ServiceClient(configuration: configuration)
                do {
                    let (bytes, base) = try await client.content(at: document)
                    map = try MapDocument(bytes: bytes, base: base, kinds: .command)
                    context = try? OWSContext(bytes: bytes, base: base, kinds: .command)
                } catch let error as ServiceError { throw CommandFailure(error, of: document) } catch let error
                    as MapError
                { throw CommandFailure(error) }
                await client.flush()
            }
        }
        for layer in map.layers { RunSecrets.learn(url: layer.source) }
        map.view = try view.request().over(map.view)
        map.layers += try layers.specifications()
        map.fonts = text.font.map { FontChoice($0) } + map.fonts
        return (map, context)
    }
}

/// The layers on the command line.
struct LayerOptions: ParsableArguments {
    @Option(
        name: [.short, .long], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A layer, bottom first; repeatable.",
            discussion: """
                [KIND:]SOURCE[;key=value]…  A ';' inside is written %3B. Every layer: name, opacity (0-1), \
                visible (false leaves it out), min-resolution, max-resolution (units of --crs a pixel), \
                group (a name: layers that are faded as one) with group-opacity (0-1), \
                legend (false leaves it out of the legend, as a whole style beneath other layers is anyway), cache (off, or how long images are used again, \
                as in at-least:1d,at-most:7d,fixed:1h,stale:30d; otherwise the server decides, and an hour where it says nothing). Of images also \
                transparent-color (shown as transparent) with transparent-tolerance (0-255; JPEG needs some 10). Of tiles also \
                empty-status (HTTP statuses that mean that nothing is there, as 404 or 403,404; 204 and an empty answer do so anyway).

                \(LayerKinds.command.kinds.map(\.help).joined(separator: "\n"))
                """, valueName: "layer"))
    var layer: [String] = []

    /// What they say.
    func specifications() throws(CommandFailure) -> [LayerSpecification] {
        var specifications: [LayerSpecification] = []
        for text in layer {
            specifications.append(
                try CommandFailure.layer { () throws(MapError) in try LayerSpecification(text, kinds: .command) })
        }
        return specifications
    }
}

/// The options that say how text looks.
struct TextOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A font for labels and furniture, in order of preference; repeatable.",
            discussion: """
                A font file (.ttf, .otf, .ttc) or the name of an installed family. A character that the first font lacks \
                is taken from the next, and in the end from any installed font.
                """, valueName: "file|family"))
    var font: [String] = []
}
