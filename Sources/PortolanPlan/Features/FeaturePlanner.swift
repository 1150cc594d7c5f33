import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// Decides which features a view shows, with which styles and icons.
struct FeaturePlanner {
    /// The most warnings kept; what follows is counted.
    private static let warningLimit = 20

    /// How far outside the view the coordinates of a line or an area without a label may lie and still be seen, as a
    /// rule, in view pixels.
    fileprivate static let lineReach = 32.0

    private let source: FeatureSource
    private let viewport: Viewport

    /// What styles say that cannot be.
    private(set) var warnings: [FeatureWarning] = []
    private var warningCount = 0

    /// Makes a planner for a view.
    init(source: FeatureSource, viewport: Viewport) {
        self.source = source
        self.viewport = viewport
    }

    /// The features of the view; the step is empty when it shows none.
    mutating func step() throws(PlanProblem) -> FeatureStep {
        let reach = FeatureStep.symbolReach
        guard let view = try ViewInSource(viewport: viewport, margin: reach, sourceCRS: source.crs) else {
            return FeatureStep(crs: source.crs, features: [])
        }
        let close = try ViewInSource(viewport: viewport, margin: Self.lineReach, sourceCRS: source.crs)
        let mayReachFar = source.style.style.mayReachFar
        let closePlaces = Set(close.map { places(in: $0.fetched) } ?? [])
        var features: [StyledFeature] = []
        for place in places(in: view.fetched) {
            let isClose = closePlaces.contains(place)
            // Most of those in the margin need no look at their style.
            if !isClose, !mayReachFar, source.features[place].looksAsItsLayer { continue }
            guard let styled = styled(place), isClose || styled.mayReachFar else { continue }
            features.append(styled)
        }
        if warningCount > Self.warningLimit {
            let rest = warningCount - Self.warningLimit
            warnings.append(FeatureWarning(feature: nil, message: "and \(rest) more such warnings"))
        }
        let shifts = worldShifts(of: viewport.crs, in: viewport.extent(margin: reach))
        return FeatureStep(
            crs: source.crs, features: features, worldShifts: copies(of: shifts, width: viewport.crs.worldWidth),
            selectionMarkSize: source.selectionMarkSize)
    }

    /// The places of the features that touch an extent in one of the worlds in view, in ascending order.
    private func places(in extent: Extent) -> [Int] {
        let found = copies(of: worldShifts(of: source.crs, in: extent), width: source.crs.worldWidth)
            .compactMap { extent.shifted(x: -$0, y: 0) }.map { source.places(touching: $0) }
        return found.count == 1 ? found[0].sorted() : Set(found.joined()).sorted()
    }

    /// The shifts that bring features into the worlds in view, where features lie in other worlds than the middle one.
    private func copies(of shifts: [Double], width: Double?) -> [Double] {
        guard let width, let world = source.crs.worldWidth, let box = source.boundingBox else { return shifts }
        let first = ((box.minX + world / 2) / world).rounded(.down)
        let last = max(((box.maxX - world / 2) / world).rounded(.up), first)
        guard first != 0 || last != 0, abs(first) < 8, abs(last) < 8 else { return shifts }
        let all = stride(from: first, through: last, by: 1).flatMap { number in shifts.map { $0 - number * width } }
        return Set(all).sorted()
    }

    private mutating func styled(_ place: Int) -> StyledFeature? {
        let feature = source.features[place]
        let isSelected = source.selection.map { feature.isIdentified(by: $0) } ?? false
        var found: [FeatureWarning] = []
        let style = StyleResolver(defaults: source.style).style(for: feature, selected: isSelected, warnings: &found)
        defer { note(found) }
        guard !style.isHidden else { return nil }
        var iconURL: String?
        if case .icon(let icon) = style.marker, feature.geometry?.hasPoints ?? false {
            iconURL = IconAddress.url(of: icon.source, relativeTo: source.baseURL(of: place))
            if iconURL == nil {
                found.append(
                    FeatureWarning(
                        feature: feature.identifier?.description,
                        message: "its icon is relative to no known place, or a local file named by a remote document"))
            }
        }
        return StyledFeature(feature: feature, style: style, iconURL: iconURL, isSelected: isSelected)
    }

    private mutating func note(_ found: [FeatureWarning]) {
        warningCount += found.count
        warnings += found.prefix(max(Self.warningLimit - warnings.count, 0))
    }
}

extension Style {
    /// Whether something may be seen of a line or an area although its coordinates lie far from the view: letters, or the
    /// mitre of a wide line, which may reach four widths far.
    fileprivate var mayReachFar: Bool {
        label != nil || 4 * max(stroke?.width ?? 0, stroke?.casing?.width ?? 0) > FeaturePlanner.lineReach
    }
}

extension StyledFeature {
    /// Whether something may be seen of the feature although its coordinates lie far from the view.
    fileprivate var mayReachFar: Bool { style.mayReachFar || feature.geometry?.hasPoints ?? false }
}

extension Feature {
    /// Whether it is made of lines and areas, and says nothing about its style.
    fileprivate var looksAsItsLayer: Bool {
        !(geometry?.hasPoints ?? false)
            && !properties.contains { $0.name == "style" || SimpleStyleReader.keys.contains($0.name) }
    }
}

extension Geometry {
    /// Whether a point is among the shapes.
    fileprivate var hasPoints: Bool {
        kind == .point || kind == .multiPoint || children.contains(where: \.hasPoints)
    }
}

extension FeatureSource: LayerSource {
    /// `features`.
    public var kind: String { "features" }

    /// Where the features lie, or `nil` when none has coordinates.
    public var bounds: LayerBounds? {
        guard let box = boundingBox else { return nil }
        return crs.isGeographic ? LayerBounds(geographic: box) : box.extent.map { LayerBounds($0, crs: crs) }
    }

    /// The features in view, and their icons.
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanProblem) -> LayerPlan {
        var planner = FeaturePlanner(source: self, viewport: view.viewport)
        let step = try planner.step()
        var plan = LayerPlan(
            nodes: [.features(step)],
            warnings: planner.warnings.map { MapWarning(.style, layer: view.layer, message: $0.description) })
        var seen: Set<String> = []
        for case let address? in step.features.lazy.map(\.iconURL) where seen.insert(address).inserted {
            plan.resources.append(
                Resource(id: view.id(.icon(address: address)), location: .url(address), name: "icon"))
        }
        return plan
    }
}

extension MapLayer {
    /// The features that the layer draws, or `nil` when its source is another.
    public var features: FeatureSource? { source as? FeatureSource }
}
