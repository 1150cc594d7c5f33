import ArgumentParser
import Foundation
import Portolan
import PortolanPaint
import PortolanWeb

/// The arguments of `render`, `plan` and `identify`: the map document, the layers and the view.
struct MapOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Read the map from this map document (JSON) or OWS Context, a file or URL.", valueName: "map.json"),
        completion: .file(extensions: ["json"]))
    var document: String?

    @OptionGroup(title: "Layers") var layers: LayerOptions
    @OptionGroup(title: "View") var view: ViewOptions
    @OptionGroup(title: "Text") var text: TextOptions

    /// A map ready to be planned.
    struct Map {
        var layers: [MapLayer]
        var missing: [RenderReport.Layer]
        /// The failure of the first missing layer.
        ///
        /// The command ends with it if no layer is left.
        var failure: CommandFailure?
        var viewport: Viewport
        /// The request that the view follows.
        var request: ViewRequest
        /// The page around the map, or `nil` for the map alone.
        var page: PrintPage?
        /// The map furniture in the document.
        var furniture: MapDocument.Furniture
        var configuration: RendererConfiguration
        /// The deadline for all resources of the picture.
        var deadline: PictureDeadline
        var warnings: [MapWarning]
    }

    /// Reads the document and connects to the services.
    ///
    /// - Parameters:
    ///   - center: the default centre in degrees, if a scale is given without a position.
    ///   - isStrict: whether to refuse documents that had to be repaired or cut.
    ///   - top: layers of the command itself, above all others.
    ///   - hasBar: whether the picture has a bar at the bottom.
    ///   - hasPanel: whether there is a panel of facts at the left.
    ///   - furniture: the elements on the map; fitted features keep clear of title and legend, and the map of its margins.
    ///   - drawsOnce: whether the layers are drawn in the view and nowhere else, so that features outside it need not be
    ///     read.
    ///   - isAtlas: whether the view is that of pages with numbers, which are A4 unless a size is stated.
    func map(
        _ network: NetworkOptions, center: Coordinate? = nil, isStrict: Bool = false, under top: [MapLayer] = [],
        hasBar: Bool = false, hasPanel: Bool = false, furniture: FurnitureOptions? = nil, drawsOnce: Bool = false,
        isAtlas: Bool = false
    ) async throws -> Map {
        var configuration = try network.configuration()
        let deadline = PictureDeadline(try network.pictureTime(), from: configuration.clock)
        // A service without a response leaves the others time for their images.
        let offerDeadline = PictureDeadline(deadline.duration / 2, from: configuration.clock)
        let (document, _) = try await self.document(network)
        var request = document.view
        // Hidden layers send no requests.
        let specifications = document.layers.filter { (try? $0.isVisible) != false }
        request = request.centered(on: center)
        request.surroundings = try furniture?.surroundings(over: document.furniture)
        if isAtlas {
            if request.size == nil { request.paper = request.paper ?? PaperSize("A4") }
            // The pages keep room for their numbers.
            request.surroundings = request.surroundings ?? PrintPage()
            request.surroundings?.number = "1"
        }
        request.foot = isAtlas ? 0 : furniture?.footHeight(hasBar: hasBar, over: document.furniture) ?? 0
        request.showsSphere = (furniture?.sphere ?? document.furniture.sphere?.cssText) != nil
        request.left = Furniture.FactsPanel.room(on: hasPanel ? request.imageSize : nil)
        if specifications.isEmpty, top.isEmpty, let place = self.document, let first = document.warnings.first {
            throw CommandFailure(.badData, "\(place): nothing can be drawn; \(first)")
        }
        guard !specifications.isEmpty || !top.isEmpty else {
            throw CommandFailure(.usage, "nothing to draw; add a layer with -l, or a map document")
        }
        let wanted = request
        try ViewRequest.asking { () throws(ViewRequestError) in try wanted.checkAll() }
        configuration.fonts = try MapDocument.FontChoice.sources(document.fonts)
        let readsInput = specifications.contains { $0.kind.readsFeatures && $0.source == "-" }
        let client = ServiceClient(configuration: configuration)
        var builder = LayerBuilder(
            client: client, mapCRS: wanted.mapCRS, standardInput: readsInput ? try StandardInput.bytes() : nil,
            isStrict: isStrict)
        // A stated view depends on no layer. A legend lists what a file has.
        if drawsOnce, wanted.box != nil || wanted.center != nil, document.furniture.insets.isEmpty,
            document.furniture.profile == nil, !document.furniture.showsLegend
        {
            builder.onlyView = try? wanted.view(of: [])
        }
        let built: [LayerBuilder.Built]
        StandardError.keep(document.warnings)
        do { built = try await builder.build(specifications, by: offerDeadline) } catch { throw CommandFailure(error) }
        StandardError.keep(built.flatMap(\.warnings))
        await client.flush()
        for layer in built { configuration.layerCacheRules[layer.name] = layer.cacheRule }
        let layers = built.compactMap(\.layer) + top, missing = built.compactMap(\.missing)
        let failure = built.lazy.compactMap(\.commandFailure).first
        let viewport: Viewport, elements = try elements(furniture, over: document.furniture)
        // The features to fit may be on a failed server.
        do {
            let view = try wanted.view(of: layers)
            viewport = try wanted.viewport(for: layers, in: view, clearOf: elements, configuration: configuration)
        } catch { throw failure ?? CommandFailure(error) }
        return Map(
            layers: layers, missing: missing, failure: failure, viewport: viewport,
            request: wanted, page: wanted.page, furniture: document.furniture, configuration: configuration,
            deadline: deadline,
            warnings: document.warnings + wanted.hints + [wanted.swapHint(layers, in: viewport)].compactMap(\.self)
                + built.flatMap(\.warnings) + client.warnings)
    }
}

extension MapOptions {
    /// Returns the elements around a map.
    private func elements(
        _ furniture: FurnitureOptions?, over document: MapDocument.Furniture
    ) throws(CommandFailure) -> RenderOptions {
        var elements = try furniture?.options() ?? RenderOptions()
        if let furniture {
            furniture.add(document, on: nil, boxCRS: nil, to: &elements)
        } else {
            elements.apply(document)
        }
        return elements
    }

    /// The map document with the options applied, and the OWS Context of the input, if it is one.
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
        map.fonts = text.font.map { MapDocument.FontChoice($0) } + map.fonts
        return (map, context)
    }
}

/// The layers on the command line.
struct LayerOptions: ParsableArguments {
    @Option(
        name: [.short, .long], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Add [KIND:]SOURCE[;key=value]…, bottom first; see portolan help layers.", valueName: "layer"))
    var layer: [String] = []

    /// The layer specifications.
    func specifications() throws(CommandFailure) -> [LayerSpecification] {
        var specifications: [LayerSpecification] = []
        for text in layer {
            specifications.append(
                try CommandFailure.layer { () throws(MapError) in try LayerSpecification(text, kinds: .command) })
        }
        return specifications
    }
}

/// The options of the view.
struct ViewOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Set the size in pixels (default: 1024x768).", valueName: "WxH"))
    var size: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Multiply the pixels of --size, 0.1 to 16 (default: 1).", valueName: "r"))
    var pixelRatio: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Fill paper instead of --size: A0 to A6, letter, legal or 210x297mm.", valueName: "paper"))
    var paper: String?

    @Flag(help: "Turn the paper, so that its longer side is horizontal.")
    var landscape = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Set the pixels per inch, 36 to 1200 (default: 300).", valueName: "n"))
    var dpi: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Set the margin in millimetres of paper (default: 10).", valueName: "mm"))
    var margin: Double?

    @Option(
        help: ArgumentHelp(
            "Set the CRS: EPSG:3857 (default), robinson, 'ortho:lon=10,lat=45' …",
            valueName: "crs"))
    var crs: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show MINX,MINY,MAXX,MAXY, east first, extended to the picture's shape.", valueName: "box"))
    var bbox: String?

    @Option(
        name: .customLong("bbox-crs"), help: ArgumentHelp("Set the CRS of --bbox (default: --crs).", valueName: "code"))
    var bboxCRS: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Centre the map here, in degrees, longitude first.", valueName: "lon,lat"))
    var center: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Set the zoom level (12.5); 0 is the world in one 256-pixel tile.", valueName: "z"))
    var zoom: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Set the units of --crs (metres or degrees) per pixel.", valueName: "n"))
    var resolution: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Set the scale: on paper that at the centre, else for pixels of 0.28 mm.", valueName: "1:N"))
    var scale: String?

    @Flag(help: "Show all features, or the layers' extent (default without a view).")
    var fit = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Keep N pixels free around --fit (default: 40, less in small pictures).", valueName: "n"))
    var padding: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Limit the zoom level of --fit (default: 17).", valueName: "z"))
    var maxZoom: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Rotate: the bearing that points up, clockwise from north (default: 0).", valueName: "deg"))
    var rotation: Double?

    /// The view request of the options.
    func request() throws(CommandFailure) -> ViewRequest {
        var request = ViewRequest()
        let texts: [(ViewRequest.Key, String?)] = [
            (.size, size), (.crs, crs), (.bbox, bbox), (.boxCRS, bboxCRS), (.center, center), (.scale, scale),
            (.paper, paper),
        ]
        for case (let key, let text?) in texts {
            try ViewRequest.asking { () throws(ViewRequestError) in try request.set(key, to: text) }
        }
        request.pixelRatio = pixelRatio
        request.isLandscape = landscape
        request.dotsPerInch = dpi
        request.margin = margin
        request.zoom = zoom
        request.resolution = resolution
        request.isFitting = fit
        request.padding = padding
        request.maximumZoom = maxZoom
        request.rotation = rotation
        return request
    }
}

/// The options of text.
struct TextOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Use this font file or installed family. Repeatable, first choice first.", valueName: "file|family"))
    var font: [String] = []
}
