import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanText
import PortolanWeb

/// The placed labels of a picture, painted as a whole or in some rows.
package struct PlacedLabels: Sendable {
    /// The labels of a layer, in placement order.
    private struct Layer {
        let name: String
        let opacity: Double
        /// Whether its style has glyph ranges for characters that no font has.
        var hasGlyphs = false
        var labels: [PlacedLabel] = []
    }

    private var layers: [Layer] = []
    /// The texts and icons of style sheets, the topmost last.
    private(set) var symbols: [PlacedSymbol] = []
    /// The warnings about labels that were cut or omitted.
    private(set) var warnings: [MapWarning] = []
    /// The label losses, by layer name.
    private(set) var losses: [String: LabelLosses] = [:]
    /// Whether no label was omitted because of the memory limit.
    private(set) var areComplete = true
    /// Whether text is omitted because this build cannot set any.
    private var isTextLeftOut = false
    /// The memory charges of the labels.
    private var charges: [MemoryCharge] = []

    /// Creates an empty set of labels.
    package init() {}

    /// Takes the labels of layers with names and opacities.
    init(_ result: LabelCollector.Result, of steps: [Scene.FeatureStep], _ names: [String], _ opacities: [Double]) {
        layers = zip(names, opacities).map { Layer(name: $0, opacity: $1) }
        for (number, step) in steps.enumerated() { layers[number].hasGlyphs = step.glyphs != nil }
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

    /// Records the characters that no font contains.
    func note(_ missing: inout MissingCharacters) {
        if isTextLeftOut { missing.isTextLeftOut = true }
        for layer in layers {
            for line in layer.labels.flatMap({ $0.text?.lines ?? [] }) {
                missing.add(line.missingScalars, of: .layer(layer.name), beyondGlyphs: layer.hasGlyphs)
            }
        }
    }

    /// Paints the labels, those of the lower layers first.
    ///
    /// - Parameter rows: the rows that the target has, or `nil` for all.
    func paint(on canvas: inout some PaintTarget, by painter: LabelPainter, rows: Range<Int>? = nil) {
        let markers = MarkerPainter(pixelRatio: painter.pixelRatio)
        for layer in layers {
            let labels =
                rows.map { rows in layer.labels.filter { $0.mayReach(rows, painter.pixelRatio) } } ?? layer.labels
            guard !labels.isEmpty else { continue }
            // A label has the opacity of its layer, applied to letters and halo as a whole.
            canvas.group(PaintGroup(name: "\(layer.name)-labels", opacity: layer.opacity)) { target in
                for label in labels { label.icon?.paint(on: &target, markers) }
                for label in labels { painter.paint(label, on: &target) }
            }
        }
    }
}

extension PlacedLabels {
    /// The approximate memory of a label without its letters, and of a letter, in bytes.
    private static let labelByteCount = 400, letterByteCount = 200

    /// The approximate number of bytes of the labels.
    var byteCount: Int {
        layers.lazy.flatMap(\.labels).reduce(0) { sum, label in
            sum + Self.labelByteCount + Self.letterByteCount
                * (label.text?.lines.reduce(0) { $0 + $1.clusters.count } ?? 0)
        }
    }

    /// Returns whether any label satisfies a condition.
    func contains(_ holds: (PlacedLabel) -> Bool) -> Bool { layers.contains { $0.labels.contains(where: holds) } }

    /// Returns the labels that satisfy a condition.
    func filtered(_ holds: (PlacedLabel) -> Bool) -> PlacedLabels { changed { $0.filter(holds) } }

    /// Returns the labels moved by a vector.
    func moved(x: Double, y: Double) -> PlacedLabels { changed { $0.map { $0.moved(x: x, y: y) } } }

    private func changed(_ change: ([PlacedLabel]) -> [PlacedLabel]) -> PlacedLabels {
        var labels = self
        // Hit tests use the picture in which the symbols were placed.
        labels.symbols = []
        for place in layers.indices { labels.layers[place].labels = change(layers[place].labels) }
        return labels
    }

    /// Returns the box of the labels that satisfy a condition, or `nil` if no label does.
    func bounds(where holds: (PlacedLabel) -> Bool) -> Rectangle? {
        layers.lazy.flatMap(\.labels).filter(holds).flatMap(\.boxes).reduce(nil) { $0?.union($1) ?? $1 }
    }

    /// Adds labels, which are painted above these.
    package mutating func add(_ others: PlacedLabels) {
        layers += others.layers
        warnings += others.warnings
        areComplete = areComplete && others.areComplete
        isTextLeftOut = isTextLeftOut || others.isTextLeftOut
        charges += others.charges
    }
}

extension PlacedLabel {
    /// Whether any part of it may be in some rows.
    fileprivate func mayReach(_ rows: Range<Int>, _ pixelRatio: Double) -> Bool {
        let margin = paintedMargin(pixelRatio)
        let low = Double(rows.lowerBound) - margin, high = Double(rows.upperBound) + margin
        return boxes.contains { $0.minY <= high && $0.maxY >= low }
    }

    /// The margin of the drawing around its boxes, in picture pixels.
    ///
    /// They contain all letters and halos, and the background extends slightly beyond them.
    func paintedMargin(_ pixelRatio: Double) -> Double {
        (8 + 2 * symbol.size + (symbol.background?.border?.width ?? 0)) * pixelRatio
    }
}
