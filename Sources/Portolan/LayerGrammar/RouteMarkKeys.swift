import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanWeb

/// The keys of marks along lines: `kilometre-marks=1;slope-colors=true;arrows=true;ends=true;waypoints=true`.
struct RouteMarkKeys {
    /// The keys.
    static let keys = ["kilometre-marks", "slope-colors", "arrows", "ends", "waypoints"]
    /// The keys that have no effect beside marks.
    private static let idleKeys = [
        "stroke-width-range", "fill", "fill-opacity", "marker-size", "marker-symbol", "dash", "outline",
        "label-priority", "declutter", "label-line", "label-background", "label-padding", "label-font", "geodesic",
        FeatureLook.key, FeatureLook.selectedKey, "style-layers", "style-name", OverriddenKeys.key,
    ]

    private let specification: LayerSpecification
    private let kilometres: Double?
    private let isOn: [String: Bool]

    /// Reads the keys, or returns `nil` if none is set.
    ///
    /// - Throws: ``MapError`` for invalid values, and for keys that contradict each other.
    init?(_ specification: LayerSpecification) throws(MapError) {
        self.specification = specification
        let stated = Self.keys.filter { specification[$0] != nil }
        guard let first = stated.first else { return nil }
        kilometres = try specification.number("kilometre-marks", in: 0.01...10_000)
        var isOn: [String: Bool] = [:]
        for key in stated where key != "kilometre-marks" { isOn[key] = try specification.flag(key) }
        self.isOn = isOn
        guard kilometres != nil || isOn.values.contains(true) || specification.kind == .route else { return nil }
        for other in ["style"] + ThematicKeys.keys where specification[other] != nil {
            throw specification.invalid(first, "cannot be combined with '\(other)'")
        }
        if try ThematicKeys(specification) != nil {
            throw specification.invalid(first, "cannot be combined with colours or sizes by a property")
        }
    }

    /// Returns the features in degrees with their marks, as a source with its style.
    ///
    /// - Parameters:
    ///   - color: the colour of the layer.
    ///   - isRoute: whether ends and names are marked unless stated otherwise.
    ///   - notes: receives warnings about keys without effect.
    func source(
        of collection: FeatureCollection, color: MapColor, base: BaseURL?, isRoute: Bool, _ notes: inout [MapWarning]
    ) throws(MapError) -> FeatureSource {
        var marks = RouteMarks(color: color)
        marks.kilometres = kilometres
        marks.showsSlopes = isOn["slope-colors"] ?? false
        marks.showsArrows = isOn["arrows"] ?? false
        marks.showsEnds = isOn["ends"] ?? isRoute
        marks.showsNames = isOn["waypoints"] ?? (isRoute || specification["label"] != nil)
        try setLook(&marks, &notes)
        let features: [Feature], places = isRoute ? collection.withPlaces() : collection
        do throws(RouteMarks.MarkError) { features = try marks.features(of: places.features) } catch {
            switch error {
            case .noLines: throw specification.error(.features("no line to mark"))
            case .noElevations:
                throw specification.invalid("slope-colors", "needs elevations, but no line has any")
            case .tooManyMarks:
                throw specification.invalid(
                    "kilometre-marks", "gives more than \(RouteMarks.largestCount) marks; use a longer distance")
            }
        }
        var source = FeatureSource(features: features, crs: collection.effectiveCRS, baseURL: base)
        source.sheet = marks.sheet
        source.hold(collection.charge)
        source.note(collection.warnings)
        return source
    }

    private func setLook(_ marks: inout RouteMarks, _ notes: inout [MapWarning]) throws(MapError) {
        guard specification.kind.takes("stroke") else { return }
        let plain = try specification.without(Self.keys)
        let style = try LayerKind.style(plain, color: marks.color, &notes)
        for key in Self.idleKeys where specification[key] != nil {
            notes.append(.withoutEffect(key, "the layer has marks along its lines"))
        }
        if let color = style.strokeColor { marks.color = color }
        if let width = style.strokeWidth {
            marks.width = width
            marks.casingWidth = width + 4
        }
        if style.isStroked == false { marks.opacity = 0 }
        if let opacity = style.strokeOpacity { marks.opacity = opacity }
        if let casing = style.casing {
            marks.casing = casing.color
            marks.casingWidth = casing.width
        }
        marks.pointColor = style.pinColor
        if let label = style.label { marks.names = LabelTemplate(label, language: style.labelLanguage) }
        if let size = style.fontSize { marks.nameSize = size }
        if let color = style.fontColor { marks.nameColor = color }
        if let color = style.labelOutlineColor { marks.haloColor = color }
        if let width = style.labelOutlineWidth { marks.haloWidth = width }
    }
}
