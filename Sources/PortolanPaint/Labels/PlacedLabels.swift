import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanText
import PortolanWeb

/// The labels of a picture that have got their places, to be painted on all of it or on some rows.
package struct PlacedLabels: Sendable {
    /// The labels of a layer, in the order in which they got their places.
    private struct Layer {
        let name: String
        let opacity: Double
        var labels: [PlacedLabel] = []
    }

    private var layers: [Layer] = []
    /// The texts and icons of styles, the topmost last.
    private(set) var symbols: [PlacedSymbol] = []
    /// What is to be said of labels that were cut off or left out.
    private(set) var warnings: [MapWarning] = []
    /// How many labels are not drawn, by the names of their layers.
    private(set) var losses: [String: LabelLosses] = [:]
    /// Whether no label was left out for want of memory.
    private(set) var areComplete = true
    /// Whether text is left out since this program cannot set any.
    private var isTextLeftOut = false
    /// What the labels take of memory.
    private var charges: [MemoryCharge] = []

    /// No labels.
    package init() {}

    /// Takes the labels of layers with names and opacities.
    init(_ result: LabelCollector.Result, of steps: [Scene.FeatureStep], _ names: [String], _ opacities: [Double]) {
        layers = zip(names, opacities).map { Layer(name: $0, opacity: $1) }
        for label in result.placed { layers[label.layer].labels.append(label) }
        charges = [result.charge].compactMap(\.self)
        for (name, own) in zip(names, result.losses) { losses[name, default: LabelLosses()].add(own) }
        areComplete = result.losses.allSatisfy { $0.unset == 0 }
        isTextLeftOut = result.isTextLeftOut
        for (layer, step) in zip(layers, steps) where step.content.source.sheet != nil {
            symbols += layer.labels.map { label in
                PlacedSymbol(
                    layer: layer.name, content: step.content.source.contentID, feature: label.feature,
                    boxes: label.boxes)
            }
        }
        var fonts: [String: SubstitutedFonts] = [:]
        for layer in layers {
            for label in layer.labels {
                guard let families = label.symbol.family, label.symbol.collision != nil else { continue }
                for line in label.text?.lines ?? [] {
                    fonts[layer.name, default: SubstitutedFonts()].note(line, wanted: families)
                }
            }
        }
        warnings = zip(names, result.losses).flatMap { name, losses in
            [
                (losses.cut, "of its labels exceed 65,536 bytes and were cut"),
                (losses.unset, "of its labels were left out: memory limit reached"),
            ].filter { $0.0 > 0 }.map { MapWarning(.limited, layer: name, message: "\($0) \($1)") }
        }
        warnings += fonts.sorted { $0.key < $1.key }.compactMap { $1.warning(layer: $0) }
    }

    /// Notes the characters that no font has.
    func note(_ missing: inout MissingCharacters) {
        if isTextLeftOut { missing.isTextLeftOut = true }
        for layer in layers {
            for line in layer.labels.flatMap({ $0.text?.lines ?? [] }) {
                missing.add(line.missingScalars, of: .layer(layer.name))
            }
        }
    }

    /// Paints the labels, those of the layers below first.
    ///
    /// - Parameter rows: the rows that the target has, or `nil` for all.
    func paint(on canvas: inout some PaintTarget, by painter: LabelPainter, rows: Range<Int>? = nil) {
        let markers = MarkerPainter(pixelRatio: painter.pixelRatio)
        for layer in layers {
            let labels =
                rows.map { rows in layer.labels.filter { $0.mayReach(rows, painter.pixelRatio) } } ?? layer.labels
            guard !labels.isEmpty else { continue }
            // A label fades with its layer, its letters and their halo as one.
            canvas.group(PaintGroup(name: "\(layer.name)-labels", opacity: layer.opacity)) { target in
                for label in labels { label.icon?.paint(on: &target, markers) }
                for label in labels { painter.paint(label, on: &target) }
            }
        }
    }
}

extension PlacedLabels {
    /// About what a label takes besides its letters, and what a letter takes, in bytes.
    private static let labelByteCount = 400, letterByteCount = 200

    /// About how many bytes the labels take.
    var byteCount: Int {
        layers.lazy.flatMap(\.labels).reduce(0) { sum, label in
            sum + Self.labelByteCount + Self.letterByteCount
                * (label.text?.lines.reduce(0) { $0 + $1.clusters.count } ?? 0)
        }
    }

    /// Whether there is a label of which something holds.
    func contains(_ holds: (PlacedLabel) -> Bool) -> Bool { layers.contains { $0.labels.contains(where: holds) } }

    /// The labels of which something holds.
    func filtered(_ holds: (PlacedLabel) -> Bool) -> PlacedLabels { changed { $0.filter(holds) } }

    /// The labels elsewhere.
    func moved(x: Double, y: Double) -> PlacedLabels { changed { $0.map { $0.moved(x: x, y: y) } } }

    private func changed(_ change: ([PlacedLabel]) -> [PlacedLabel]) -> PlacedLabels {
        var labels = self
        // What is pointed at is found in the picture in which they were placed.
        labels.symbols = []
        for place in layers.indices { labels.layers[place].labels = change(layers[place].labels) }
        return labels
    }

    /// The box around the labels of which something holds, or `nil` where there are none.
    func bounds(where holds: (PlacedLabel) -> Bool) -> Rectangle? {
        layers.lazy.flatMap(\.labels).filter(holds).flatMap(\.boxes).reduce(nil) { $0?.union($1) ?? $1 }
    }

    /// Adds labels, which are painted over these.
    package mutating func add(_ others: PlacedLabels) {
        layers += others.layers
        warnings += others.warnings
        areComplete = areComplete && others.areComplete
        isTextLeftOut = isTextLeftOut || others.isTextLeftOut
        charges += others.charges
    }
}

extension PlacedLabel {
    /// Whether something of it may lie on some rows.
    fileprivate func mayReach(_ rows: Range<Int>, _ pixelRatio: Double) -> Bool {
        let margin = paintedMargin(pixelRatio)
        let low = Double(rows.lowerBound) - margin, high = Double(rows.upperBound) + margin
        return boxes.contains { $0.minY <= high && $0.maxY >= low }
    }

    /// How far beyond its boxes it may be painted, in picture pixels: they hold all letters and their halo, and what lies behind
    /// them reaches little farther.
    func paintedMargin(_ pixelRatio: Double) -> Double {
        (8 + 2 * symbol.size + (symbol.background?.border?.width ?? 0)) * pixelRatio
    }
}
