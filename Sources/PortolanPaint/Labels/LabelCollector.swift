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
        _ layers: [FeatureStep], viewport: Viewport, images: [String: PixelBuffer], fonts: FontBook,
        furniture: FurniturePainter
    ) throws(TextError) -> [PlacedLabel] {
        guard layers.contains(where: { $0.features.contains { $0.style.label != nil } }) else { return [] }
        var collector = LabelCollector(viewport: viewport, images: images, fonts: fonts)
        for step in layers { collector.marks.collect(step, viewport: viewport, images: images) }
        for (number, step) in layers.enumerated() {
            collector.layer = number
            collector.order = 0
            try collector.collect(step)
        }
        return collector.place(beside: try furniture.boxes(on: viewport.imageSize))
    }

    private init(viewport: Viewport, images: [String: PixelBuffer], fonts: FontBook) {
        self.viewport = viewport
        self.images = images
        self.fonts = fonts
    }

    private func place(beside furniture: [Rectangle]) -> [PlacedLabel] {
        let requests = labels.map { label in
            LabelRequest(
                text: label.mayRepeat ? nil : label.words, rank: label.rank,
                candidates: label.places.map(\.candidate))
        }
        let placer = LabelPlacer(
            picture: viewport.imageSize, spacing: Self.spacing * pixelRatio,
            duplicateDistance: Self.duplicateDistance * pixelRatio)
        return placer.place(requests, around: marks.obstacles + furniture.map { LabelObstacle(box: $0) }).map {
            placement in
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
            let place = LabelPlace(upright: setting, origins: origins, halo: halo, ownPlace: point)
            return add(setting, movedInside(place, setting, origins, halo, point).map { [$0] } ?? [])
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
            let lines = geometry.parts.flatMap { projection.lines($0) }.flatMap(Self.measurable)
            guard !lines.isEmpty, let setting = try set(isOneLine: true) else { return }
            let places = LinePlaces(text: setting, halo: halo, spacing: Self.repetition * pixelRatio)
            for line in lines {
                for label in places.labels(along: line, in: picture) {
                    add(setting, label.places, repetition: label.repetition)
                }
            }
        case .polygon, .multiPolygon:
            guard let rings = largestArea(geometry, projection), let setting = try set() else { return }
            add(setting, AreaPlaces(text: setting, halo: halo).places(in: rings))
        case .collection: break
        }
    }

    /// A fixed label that would be cut at the picture's border, moved inwards by whole pixels so that it is not; `nil`
    /// where that would take more than half of its width or of its height.
    private func movedInside(
        _ place: LabelPlace, _ text: LabelText, _ origins: [Point], _ halo: Double, _ ownPlace: Point
    ) -> LabelPlace? {
        guard let box = place.candidate.bounds else { return nil }
        let x = max(0, picture.minX - box.minX).rounded(.up) - max(0, box.maxX - picture.maxX).rounded(.up)
        let y = max(0, picture.minY - box.minY).rounded(.up) - max(0, box.maxY - picture.maxY).rounded(.up)
        guard x != 0 || y != 0 else { return place }
        guard abs(x) <= (box.width / 2).rounded(.up), abs(y) <= (box.height / 2).rounded(.up) else { return nil }
        let moved = origins.map { Point(x: $0.x + x, y: $0.y + y) }
        return LabelPlace(upright: text, origins: moved, halo: halo, ownPlace: ownPlace)
    }

    /// The parts of a line whose lengths can be told.
    private static func measurable(_ line: [Point]) -> [[Point]] {
        func isFar(_ point: Point) -> Bool { !(abs(point.x) < 1e12 && abs(point.y) < 1e12) }
        return line.split(whereSeparator: isFar).filter { $0.count > 1 }.map(Array.init)
    }

    /// The rings, as far as they lie in the picture, of the polygon that has the largest box there.
    private func largestArea(_ geometry: Geometry, _ projection: PixelProjection) -> [[Point]]? {
        var largest: [[Point]]?
        var size = 0.0
        for polygon in geometry.polygons {
            let rings = polygon.map { ring in
                LineSimplifier.simplifyRing(
                    PolygonClipper.clip(projection.ring(ring, near: picture), to: picture), tolerance: 0.5)
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
