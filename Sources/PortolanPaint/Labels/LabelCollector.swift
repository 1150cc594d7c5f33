import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanText

/// Gathers the labels of all layers of a picture and finds their places.
///
/// Cost follows the features in view; only labels that get a place are kept in memory with their letters.
struct LabelCollector {
    /// How much is kept free between labels, in view pixels.
    private static let spacing = 2.0
    /// How far apart the labels of a long line are, in view pixels.
    private static let repetition = 400.0
    /// How near the same words are not said twice, in view pixels.
    private static let duplicateDistance = 100.0

    private struct Label {
        let words: String
        let text: LabelText
        let symbol: LabelSymbol
        let rank: LabelRank
        let places: [LabelPlace]
        let mayRepeat: Bool
    }

    private let viewport: Viewport
    private let images: [String: PixelBuffer]
    private let fonts: FontBook
    private var marks = MarkCollector()
    private var labels: [Label] = []
    /// The number of the layer and that of the next label in it.
    private var layer = 0, order = 0

    private var pixelRatio: Double { viewport.pixelRatio }
    private var picture: Rectangle { Rectangle(viewport.imageSize) }

    /// The labels that get a place, in the order of their layers.
    static func placedLabels(
        _ layers: [FeatureStep], viewport: Viewport, images: [String: PixelBuffer], fonts: FontBook
    ) throws(TextError) -> [PlacedLabel] {
        guard layers.contains(where: { $0.features.contains { $0.style.label != nil } }) else { return [] }
        var collector = LabelCollector(viewport: viewport, images: images, fonts: fonts)
        for step in layers { collector.marks.collect(step, viewport: viewport, images: images) }
        for (number, step) in layers.enumerated() {
            collector.layer = number
            collector.order = 0
            try collector.collect(step)
        }
        return collector.place()
    }

    private init(viewport: Viewport, images: [String: PixelBuffer], fonts: FontBook) {
        self.viewport = viewport
        self.images = images
        self.fonts = fonts
    }

    private func place() -> [PlacedLabel] {
        let requests = labels.map { label in
            LabelRequest(
                text: label.mayRepeat ? nil : label.words, rank: label.rank,
                candidates: label.places.map(\.candidate))
        }
        let placer = LabelPlacer(
            picture: viewport.imageSize, spacing: Self.spacing * pixelRatio,
            duplicateDistance: Self.duplicateDistance * pixelRatio)
        return placer.place(requests, around: marks.obstacles).map { placement in
            let label = labels[placement.request]
            return PlacedLabel(
                text: label.text, symbol: label.symbol, pose: label.places[placement.candidate].pose,
                layer: label.rank.layer)
        }
    }

    private mutating func collect(_ step: FeatureStep) throws(TextError) {
        for shift in step.worldShifts {
            guard let projection = PixelProjection(from: step.crs, to: viewport, shift: shift) else { continue }
            for feature in step.features {
                guard let geometry = feature.feature.geometry, let symbol = feature.style.label else { continue }
                let text = symbol.text(for: feature.feature.properties)
                guard text.contains(where: { !$0.isWhitespace }) else { continue }
                let priority = feature.feature.properties["labelPriority"]?.doubleValue ?? symbol.priority
                try collect(geometry, text, symbol, priority, projection)
            }
        }
    }

    private mutating func collect(
        _ geometry: Geometry, _ text: String, _ symbol: LabelSymbol, _ priority: Double, _ projection: PixelProjection
    ) throws(TextError) {
        if geometry.kind == .collection {
            for child in geometry.children { try collect(child, text, symbol, priority, projection) }
            return
        }
        func set(isOneLine: Bool = false) throws(TextError) -> LabelText? {
            try LabelText(text, symbol: symbol, fonts: fonts, pixelRatio: pixelRatio, isOneLine: isOneLine)
        }
        let halo = max(symbol.outline?.width ?? 0, 0) * pixelRatio
        func add(_ setting: LabelText, _ places: [LabelPlace], repetition: Int = 0) {
            guard !places.isEmpty else { return }
            let rank = LabelRank(priority: priority, layer: layer, repetition: repetition, order: order)
            order += 1
            labels.append(
                Label(
                    words: text, text: setting, symbol: symbol, rank: rank, places: places,
                    mayRepeat: symbol.placement == .fixed))
        }
        guard symbol.placement == .free else {
            guard let point = anchor(of: geometry, projection), let setting = try set() else { return }
            let moved = Point(
                x: point.x + symbol.offsetX * pixelRatio, y: point.y + symbol.offsetY * pixelRatio)
            let origins = setting.origins(at: moved, symbol.horizontalAlignment, symbol.verticalAlignment)
            let place = LabelPlace(upright: setting, origins: origins, halo: halo, ownPlace: point, mayBeCut: true)
            return add(setting, [place])
        }
        switch geometry.kind {
        case .point, .multiPoint:
            let point = geometry.coordinates.lazy.compactMap { projection($0) }.first(where: picture.contains)
            guard let point, let setting = try set() else { return }
            let gap = max(3 * pixelRatio, max(halo, setting.padding ?? 0) + Self.spacing * pixelRatio)
            let places = PointPlaces(text: setting, halo: halo, gap: gap)
            add(
                setting,
                marks.boxes[point].map { places.places(around: $0, at: point) } ?? places.places(at: point))
        case .lineString, .multiLineString:
            let pieces = visibleLines(geometry, symbol, projection)
            guard !pieces.isEmpty, let setting = try set(isOneLine: true) else { return }
            let lines = LinePlaces(text: setting, halo: halo, spacing: Self.repetition * pixelRatio)
            for piece in pieces {
                for (number, places) in lines.labels(along: piece).enumerated() {
                    add(setting, places, repetition: number)
                }
            }
        case .polygon, .multiPolygon:
            guard let rings = largestArea(geometry, projection), let setting = try set() else { return }
            add(setting, AreaPlaces(text: setting, halo: halo).places(in: rings))
        case .collection: break
        }
    }

    /// The parts of a line in the picture that are long enough for a letter, without bends too small for the text.
    private func visibleLines(
        _ geometry: Geometry, _ symbol: LabelSymbol, _ projection: PixelProjection
    ) -> [[Point]] {
        let size = symbol.size * pixelRatio
        guard size > 0, size.isFinite else { return [] }
        return geometry.parts.flatMap { projection.lines($0) }
            .flatMap { LineClipper.clip($0, to: picture) }
            .map { LineSimplifier.simplify($0, tolerance: 0.1 * size) }
            .filter { $0.count > 1 }
    }

    /// The rings, as far as they lie in the picture, of the polygon that has the largest box there.
    private func largestArea(_ geometry: Geometry, _ projection: PixelProjection) -> [[Point]]? {
        var largest: [[Point]]?
        var size = 0.0
        for polygon in geometry.polygons {
            let rings = polygon.map { ring in
                LineSimplifier.simplifyRing(PolygonClipper.clip(projection.ring(ring), to: picture), tolerance: 0.5)
            }.filter { !$0.isEmpty }
            guard let box = Path.polyline(rings.flatMap { $0 }).boundingRectangle else { continue }
            if box.width * box.height > size {
                size = box.width * box.height
                largest = rings
            }
        }
        return largest
    }

    /// Where a label that is not moved goes: at a point, at the middle of a line, at the middle of an area's box.
    private func anchor(of geometry: Geometry, _ projection: PixelProjection) -> Point? {
        let coordinates = geometry.coordinates
        let coordinate: Coordinate? =
            switch geometry.kind {
            case .point, .multiPoint: coordinates.first
            case .lineString, .multiLineString: coordinates.isEmpty ? nil : coordinates[coordinates.count / 2]
            default: geometry.boundingBox?.center
            }
        let reach = Rectangle(viewport.imageSize, margin: FeatureStep.symbolReach * pixelRatio)
        return coordinate.flatMap { projection($0) }.flatMap { reach.contains($0) ? $0 : nil }
    }
}
