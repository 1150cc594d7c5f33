import Portolan

/// A plan as `portolan plan` prints it.
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
        /// Left, top, width and height of the part of the image that is shown, where that is not all of it.
        var crop: [Int]?
        /// The longest side of the pieces that are tried should the service refuse the image for its size.
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
        /// The address of the service's image.
        var url: String?
        /// What stands beside the samples of how features are drawn.
        var symbols: [String]?
    }

    var view: View
    var steps: [Step]
    /// The entries from the top down, where a legend is asked for.
    var legend: [LegendEntry]?
    var warnings: [String]

    init(_ plan: DrawPlan, warnings: [String]) {
        let viewport = plan.viewport, extent = viewport.extent
        view = View(
            crs: viewport.crs.name, extent: [extent.minX, extent.minY, extent.maxX, extent.maxY],
            resolution: viewport.resolution.unitsPerPixel, zoom: viewport.resolution.zoom(in: viewport.crs),
            rotation: viewport.rotation, size: [viewport.size.width, viewport.size.height],
            pixelRatio: viewport.pixelRatio)
        steps = plan.steps.map(Step.init)
        legend = plan.legend?.entries.map(LegendEntry.init)
        self.warnings = warnings + plan.warnings.map(\.description)
    }
}

extension PlanDocument.LegendEntry {
    init(_ entry: Legend.Entry) {
        self.init(layer: entry.layer, title: entry.title, url: entry.imageURL)
        if case .symbols(let symbols, _) = entry.content { self.symbols = symbols.map(\.text) }
    }
}

extension PlanDocument.Step {
    init(_ step: DrawStep) {
        self.init(layer: step.layer, kind: step.kind, opacity: step.opacity, attribution: step.attribution)
        switch step.content {
        case .mosaics(let mosaics): self.mosaics = mosaics.map(PlanDocument.MosaicDocument.init)
        case .features(let features):
            self.features = features.features.count
            var seen: Set<String> = []
            icons = features.features.compactMap(\.iconURL).filter { seen.insert($0).inserted }
        }
    }
}

extension PlanDocument.MosaicDocument {
    init(_ mosaic: Mosaic) {
        self.init(
            crs: mosaic.crs.name, topLeft: [mosaic.topLeft.x, mosaic.topLeft.y],
            resolution: [mosaic.resolutionX, mosaic.resolutionY], size: [mosaic.size.width, mosaic.size.height],
            images: mosaic.images.map { image in
                PlanDocument.Image(
                    url: image.url, name: image.name,
                    placement: [image.x, image.y, image.size.width, image.size.height],
                    crop: image.crop.map { [$0.x, $0.y, image.size.width, image.size.height] },
                    sideIfRefused: image.sizeTrial?.nextSide)
            })
    }
}
