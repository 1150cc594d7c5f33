import ArgumentParser
import Portolan
import PortolanFetch
import PortolanPlan
import PortolanWeb

/// `portolan plan`: prints the requests of a picture.
struct PlanCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Prints the requests of a render as JSON, in drawing order, with their placement.",
        usage: "portolan plan [<map.json>] [-l <layer>]... [<options>]",
        discussion: """
            Fetches capabilities, but no maps. Takes the options of render; -o and --report are accepted and ignored. Secrets in URLs \
            are printed as ***, unless --show-secrets is set.

            EXAMPLES
              portolan plan -l 'xyz:https://example.org/{z}/{x}/{y}.png' \\
                --center 24.94,60.17 --zoom 14
              portolan plan map.json --size 512x512

            EXIT CODES
              0 complete; 3 planned without failed layers; others as in render.
            """)

    @OptionGroup var map: MapOptions

    @Flag(help: "Print keys, tokens and passwords in URLs.")
    var showSecrets = false

    @OptionGroup(title: "Furniture") var furniture: FurnitureOptions
    @OptionGroup(title: "Output") var picture: PictureOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }

    func run() async throws {
        let drawing = try furniture.options()
        _ = try picture.maximumMissing()
        if let output = picture.output { _ = try picture.format(of: OutputFile(path: output)) }
        let options = map, network = network, furniture = furniture
        let map = try await Interruption.cancelling {
            try await options.map(network, furniture: furniture)
        }
        if map.layers.isEmpty, let failure = map.failure { throw failure }
        let plan = MapPlanner(viewport: map.viewport, background: drawing.background, showsLegend: drawing.showsLegend)
            .plan(map.layers)
        let missing = map.missing.flatMap { layer in layer.failed.map { "layer '\(layer.name)': \($0.error)" } }
        try OutputFile(path: "-").write(
            JSONText.bytes(
                PlanDocument(plan, warnings: map.warnings.map(\.description) + missing, showsSecrets: showSecrets),
                showsSecrets: showSecrets))
        if !picture.quiet { missing.forEach(StandardError.warn) }
        if !map.missing.isEmpty { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }
}

/// A plan, as printed by `portolan plan`.
struct PlanDocument: Encodable {
    struct View: Encodable {
        var crs: String
        var extent: [Double]
        var resolution: Double
        var zoom: Double
        var rotation: Double
        var size: [Int]
        var pixelRatio: Double
    }

    struct Image: Encodable {
        var url: String
        var name: String
        /// Left, top, width and height in pixels of the mosaic.
        var placement: [Int]
        /// Left, top, width and height of the visible part of the image, if it is not the whole image.
        var crop: [Int]?
        /// The longest side of the pieces to request if the service refuses the image for its size.
        var sideIfRefused: Int?
    }

    struct MosaicDocument: Encodable {
        var crs: String
        var topLeft: [Double]
        var resolution: [Double]
        var size: [Int]
        var images: [Image]
    }

    struct Step: Encodable {
        var layer: String
        var kind: String
        var opacity: Double
        var attribution: String?
        var mosaics: [MosaicDocument]?
        var features: Int?
        var icons: [String]?
    }

    struct LegendEntry: Encodable {
        var layer: String
        var title: String
        /// The URL of the service's image.
        var url: String?
        /// The texts beside the samples of feature symbols.
        var symbols: [String]?
    }

    var view: View
    var steps: [Step]
    /// The entries from top to bottom, if a legend is requested.
    var legend: [LegendEntry]?
    var warnings: [String]

    init(_ plan: MapPlan, warnings: [String], showsSecrets: Bool) {
        // Data that is not a URL is printed in full.
        func address(_ url: String) -> String {
            showsSecrets || LooseURL(url).scheme == nil ? url : FetchError.redactedWhole(url)
        }
        let viewport = plan.viewport, extent = viewport.extent
        view = View(
            crs: viewport.crs.name, extent: [extent.minX, extent.minY, extent.maxX, extent.maxY],
            resolution: viewport.resolution.unitsPerPixel, zoom: viewport.resolution.zoom(in: viewport.crs),
            rotation: viewport.rotation, size: [viewport.size.width, viewport.size.height],
            pixelRatio: viewport.pixelRatio)
        steps = plan.layers.map { Step($0, address: address) }
        legend = plan.legend?.entries.map { LegendEntry($0, address: address) }
        self.warnings = warnings + plan.warnings.map(\.description)
    }
}

extension PlanDocument.LegendEntry {
    init(_ entry: Legend.Entry, address: (String) -> String) {
        self.init(layer: entry.layer, title: entry.title, url: (entry.imageURL?.text).map(address))
        if case .symbols(let symbols, _) = entry.content { self.symbols = symbols.map(\.summary) }
    }
}

extension PlanDocument.Step {
    init(_ planned: PlannedLayer, address: (String) -> String) {
        self.init(
            layer: planned.name, kind: planned.kind, opacity: planned.opacity, attribution: planned.layer.attribution)
        let features = planned.plan.nodes.flatMap(\.featureSteps), mosaics = planned.plan.nodes.flatMap(\.mosaics)
        let points = planned.plan.nodes.flatMap(\.pointSteps)
        if features.isEmpty && points.isEmpty || !mosaics.isEmpty {
            let resources = Dictionary(planned.plan.resources.map { ($0.id, $0) }) { first, _ in first }
            self.mosaics = mosaics.map {
                PlanDocument.MosaicDocument(
                    $0, resources, source: planned.layer.source as? WMSSource, address: address)
            }
        }
        if !features.isEmpty || !points.isEmpty {
            self.features = features.reduce(0) { $0 + $1.shown.count } + points.reduce(0) { $0 + $1.count }
            icons = planned.plan.resources.filter { if case .icon = $0.id.item { true } else { false } }
                .map { address($0.location.description) }
        }
    }
}

extension PlanDocument.MosaicDocument {
    init(
        _ mosaic: Mosaic, _ resources: [Resource.ID: Resource], source: WMSSource?, address: (String) -> String
    ) {
        self.init(
            crs: mosaic.crs.name, topLeft: [mosaic.topLeft.x, mosaic.topLeft.y],
            resolution: [mosaic.resolutionX, mosaic.resolutionY], size: [mosaic.size.width, mosaic.size.height],
            images: mosaic.images.map { image in
                let resource = resources[image.resource]
                return PlanDocument.Image(
                    url: (resource?.location.description).map(address) ?? "", name: resource?.name ?? "",
                    placement: [image.x, image.y, image.size.width, image.size.height],
                    crop: image.crop.map { [$0.x, $0.y, image.size.width, image.size.height] },
                    sideIfRefused: source?.sideIfRefused(image.crop?.imageSize ?? image.size))
            })
    }
}
