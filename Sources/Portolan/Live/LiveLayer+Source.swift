import Foundation
import PortolanFeatures
import PortolanGeo
public import PortolanPlan
import PortolanRaster

extension LiveLayer: LayerSource {
    /// `live`.
    public var kind: String { "live" }

    /// Returns whether two layers draw the same picture.
    public static func == (left: LiveLayer, right: LiveLayer) -> Bool {
        left.contentID == right.contentID && left.time == right.time && left.selection == right.selection
    }

    /// Plans the objects in view: from north to south, stale below current ones, and the selected one on top.
    ///
    /// - Complexity: O(objects near the view · log of their number).
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        var picture = try LivePicture(self, in: view.viewport)
        return LayerPlan(nodes: picture.makeNodes())
    }
}

extension MapLayer {
    /// The live layer that is the source of the layer, or `nil` if the source is another.
    public var live: LiveLayer? { source as? LiveLayer }
}

/// The visible content of a live layer.
struct LivePicture {
    /// The distance outside the view, in view pixels, from which an object may extend into it.
    private static let reach = 64.0

    /// An object and its drawn position.
    struct Seen {
        let entry: LiveLayer.Entry
        let place: Coordinate
    }

    private let layer: LiveLayer
    private let viewport: Viewport
    private let transform: CoordinateTransform
    /// The time in seconds since 1970.
    let now: Double
    /// The objects near the view, in drawing order.
    private(set) var seen: [Seen] = []

    init(_ layer: LiveLayer, in viewport: Viewport) throws(PlanError) {
        self.layer = layer
        self.viewport = viewport
        now = layer.time.timeIntervalSince1970
        do { transform = try CoordinateTransform(from: .crs84, to: viewport.crs) } catch {
            throw .notTransformable(error)
        }
        try look()
    }

    /// Finds the objects near the view, in drawing order.
    private mutating func look() throws(PlanError) {
        guard let extent = try viewport.geographicExtent(margin: Self.reach) else { return }
        // Objects are indexed by their fixes, and may be drawn up to one step away from there.
        let step = layer.settings.stepMeters / 110_000
        let lean = Libm.cosine(min(max(abs(extent.minY), abs(extent.maxY)) + step, 89.9) * .pi / 180)
        guard
            let wide = Extent(
                minX: extent.minX - step / lean, minY: max(extent.minY - step, -90), maxX: extent.maxX + step / lean,
                maxY: min(extent.maxY + step, 90))
        else { return }
        let middle = extent.center, halfWidth = extent.width / 2
        let entries = layer.entries
        var found: [Seen] = []
        layer.grid.forEach(in: wide) { number in
            guard let entry = entries[Int(number)], layer.isThere(entry, at: now) else { return }
            let place = entry.movement.motion.place(at: now)
            guard place.y >= extent.minY, place.y <= extent.maxY,
                abs(place.nearest(to: middle).x - middle.x) <= halfWidth
            else { return }
            found.append(Seen(entry: entry, place: place))
        }
        found.sort { one, other in
            if one.place.y != other.place.y { return one.place.y > other.place.y }
            if one.place.x != other.place.x { return one.place.x < other.place.x }
            return one.entry.object.id.description < other.entry.object.id.description
        }
        seen = found
    }

    /// Points and their styles.
    private struct Points {
        var features: [Feature] = []
        var numbers: [Int32] = []
        var styles: [StyleSet] = []
        private var known: [LiveLayer.Appearance.Look: Int32] = [:]

        mutating func append(_ feature: Feature, _ look: LiveLayer.Appearance.Look, _ style: LiveLayer.Appearance) {
            let number = known[look] ?? Int32(styles.count)
            if number == styles.count {
                known[look] = number
                styles.append(StyleSet(default: style.style(of: look)))
            }
            features.append(feature)
            numbers.append(number)
        }

        mutating func append(_ feature: Feature, _ style: Style) {
            features.append(feature)
            numbers.append(Int32(styles.count))
            styles.append(StyleSet(default: style))
        }

        func node(_ marks: PreparedMarks, _ viewport: Viewport) -> Scene.Node {
            .features(Scene.FeatureStep(points: features, styles: styles, numbers: numbers, marks: marks, in: viewport))
        }
    }

    mutating func makeNodes() -> [Scene.Node] {
        var stale = Points(), fresh = Points(), selected = Points()
        for object in seen {
            let entry = object.entry
            let isStale = entry.time <= now - layer.settings.staleSeconds
            let direction = layer.style.direction(direction(of: entry, at: object.place))
            let isSelected = layer.selection == entry.object.id
            let look = LiveLayer.Appearance.Look(
                kind: entry.object.kind, direction: direction, isStale: isStale, isSelected: isSelected)
            if isSelected {
                add(entry, at: object.place, look, to: &selected)
                continue
            }
            let feature = Feature(
                id: entry.object.id, geometry: .point(object.place), properties: entry.properties)
            if isStale {
                stale.append(feature, look, layer.style)
            } else {
                fresh.append(feature, look, layer.style)
            }
        }
        var nodes: [Scene.Node] = []
        if !stale.features.isEmpty {
            nodes.append(.group(opacity: layer.style.staleOpacity, [stale.node(layer.marks, viewport)]))
        }
        // Without objects the step is kept, as the layer draws features in general.
        nodes.append(fresh.node(layer.marks, viewport))
        if !selected.features.isEmpty { nodes.append(selected.node(layer.marks, viewport)) }
        return nodes
    }

    /// Adds the selected object: its actual position, a ring, and the object with a label of the highest priority.
    private func add(
        _ entry: LiveLayer.Entry, at place: Coordinate, _ look: LiveLayer.Appearance.Look, to points: inout Points
    ) {
        let id = entry.object.id, style = layer.style, fix = entry.object.fix
        if GroundDistance.meters(from: place, to: fix.place) >= layer.settings.shortestStep {
            points.append(Feature(id: id, geometry: .point(fix.place), properties: entry.properties), style.trueMark)
        }
        points.append(
            Feature(id: id, geometry: .point(place), properties: entry.properties),
            style.selectionRing(style.badge(of: look.kind)))
        var properties = entry.properties
        properties["age"] = .string(LiveLayer.Appearance.text(ofAge: now - fix.time.timeIntervalSince1970))
        properties["labelPriority"] = .integer(1_000_000)
        points.append(Feature(id: id, geometry: .point(place), properties: properties), look, style)
    }

    /// Returns the heading of an object on the picture, in degrees clockwise from up.
    func direction(of entry: LiveLayer.Entry, at place: Coordinate) -> Double? {
        guard layer.style.headings != .none,
            let heading = entry.object.heading
                ?? (now < entry.movement.motion.endTime ? entry.movement.motion.bearing(at: now) : nil)
                ?? entry.movement.bearing
        else { return nil }
        // A short line ahead shows the rotation by the projection.
        let (cosine, sine) = Bearing.axes(degrees: heading), step = 1e-5
        let lean = max(Libm.cosine(place.y * .pi / 180), 1e-3)
        let ahead = Coordinate(x: place.x + sine / lean * step, y: min(max(place.y + cosine * step, -90), 90))
        guard let here = transform(place), let there = transform(ahead) else { return nil }
        let x = there.x - here.x, y = there.y - here.y
        guard x != 0 || y != 0 else { return nil }
        return Libm.arcTangent(y: x, x: y) * 180 / .pi - viewport.rotation
    }
}
