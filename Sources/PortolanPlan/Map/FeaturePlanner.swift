import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanStyles
import PortolanWeb

/// Selects the visible features, with their styles and icons.
struct FeaturePlanner {
    /// The largest number of warnings that are kept; further ones are counted.
    private static let warningLimit = 20

    private let source: FeatureSource
    private let viewport: Viewport

    /// Warnings about invalid values in styles.
    private(set) var warnings: [MapWarning] = []
    private var warningCount = 0
    /// The number of features whose icon address cannot be resolved, and the first of them.
    private(set) var lostIconCount = 0
    private(set) var firstLostIcon: String?
    /// The number of features whose icon exceeds the limit of a picture.
    private(set) var unshownIconCount = 0

    /// Creates a planner for a view.
    init(source: FeatureSource, viewport: Viewport) {
        self.source = source
        self.viewport = viewport
    }

    /// The features in view; the step is empty if there are none.
    mutating func step() throws(PlanError) -> Scene.FeatureStep {
        let reach = Scene.FeatureStep.symbolReach
        guard let seen = try ViewInSource.fetched(viewport, margin: reach, sourceCRS: source.crs) else {
            return Scene.FeatureStep(source)
        }
        let places = places(in: extents(seen)), areNear = try areNear(places)
        let selection = source.selection
        var shown: [Scene.FeatureStep.Shown] = []
        var icons = IconTable(limit: source.maximumIconCount, pixelRatio: viewport.pixelRatio)
        for (place, isNear) in zip(places, areNear) {
            let isSelected = selection.map { source.features[place].isIdentified(by: $0) } ?? false
            let look = Int(source.looks.numbers[place])
            let traits = isSelected ? source.looks.selectedTraits[look] : source.looks.traits[look]
            let hasPoints = source.places.locations[place].hasPoints
            if !source.looks.warnings.isEmpty, let found = source.looks.warnings[place] { note(found) }
            let reachesFar = hasPoints || traits.hasLabel || traits.lineReach > Scene.FeatureStep.lineReach
            guard isNear || reachesFar, !traits.isHidden else { continue }
            var icon: Int32 = -1
            if traits.hasIcon, hasPoints { icon = self.icon(of: place, look, isSelected, &icons) }
            shown.append(
                Scene.FeatureStep.Shown(place: Int32(place), look: Int32(look), icon: icon, isSelected: isSelected))
        }
        if warningCount > Self.warningLimit {
            let rest = warningCount - Self.warningLimit
            warnings.append(MapWarning(feature: nil, message: "and \(rest) more warnings"))
        }
        let shifts = worldShifts(of: viewport.crs, in: viewport.extent(margin: reach))
        return Scene.FeatureStep(
            source, shown: shown, icons: icons.urls, iconSizes: icons.sizes,
            worldShifts: copies(of: shifts, width: viewport.crs.worldWidth))
    }

    /// An extent in each visible copy of the world.
    func extents(_ extent: Extent) -> [Extent] {
        // Features of tiles lie where they are drawn.
        guard !source.isOfTiles else { return [extent] }
        return copies(of: worldShifts(of: source.crs, in: extent), width: source.crs.worldWidth)
            .compactMap { extent.shifted(x: -$0, y: 0) }
    }

    /// The indexes of the features that touch any of the extents, in ascending order.
    func places(in extents: [Extent]) -> [Int] {
        let found = extents.map { source.places.touching($0) }
        return found.count == 1 ? found[0] : Set(found.joined()).sorted()
    }

    /// Whether each of the features is so close to the view that lines and areas of usual width can be visible.
    ///
    /// - Complexity: O(features).
    func areNear(_ places: [Int]) throws(PlanError) -> [Bool] {
        guard !places.isEmpty else { return [] }
        let close = try ViewInSource.fetched(viewport, margin: Scene.FeatureStep.lineReach, sourceCRS: source.crs)
        let extents = close.map(extents) ?? [], boxes = source.places.boxes
        return places.map { place in
            guard let box = boxes[place] else { return false }
            return extents.contains { box.touches($0) }
        }
    }

    /// The offsets that move features into the visible copies of the world, if the features are in other copies than
    /// the middle one.
    func copies(of shifts: [Double], width: Double?) -> [Double] {
        guard !source.isOfTiles else { return [0] }
        guard let width, let world = source.crs.worldWidth, let box = source.boundingBox else { return shifts }
        let first = ((box.minX + world / 2) / world).rounded(.down)
        let last = max(((box.maxX - world / 2) / world).rounded(.up), first)
        guard first != 0 || last != 0, abs(first) < 8, abs(last) < 8 else { return shifts }
        let all = stride(from: first, through: last, by: 1).flatMap { number in shifts.map { $0 - number * width } }
        return Set(all).sorted()
    }

    /// The icon index of a feature, or -1 with a warning if its address cannot be resolved.
    private mutating func icon(of place: Int, _ look: Int, _ isSelected: Bool, _ icons: inout IconTable) -> Int32 {
        let key = IconTable.Key(look: look, isSelected: isSelected, baseURL: source.baseURL(of: place))
        let number = icons.number(of: key) {
            guard case .icon(let icon) = source.looks.styles[look].style(selected: isSelected).marker else {
                return nil
            }
            return IconAddress.url(of: icon.source, relativeTo: key.baseURL).map { ($0, icon) }
        }
        guard number < 0 else { return number }
        if number == IconTable.beyondLimit {
            unshownIconCount += 1
            return -1
        }
        if lostIconCount == 0 { firstLostIcon = source.features[place].identifier?.description }
        lostIconCount += 1
        return number
    }

    /// The icon addresses, resolved once for each style.
    private struct IconTable {
        struct Key: Hashable {
            let look: Int
            let isSelected: Bool
            let baseURL: BaseURL?
        }

        /// The index of an icon beyond the limit.
        static let beyondLimit: Int32 = -2

        private let limit: Int
        private let pixelRatio: Double
        private(set) var urls: [NamedURL] = []
        /// The largest size at which each icon is drawn, or `nil` if its own size decides.
        private(set) var sizes: [ImageSize?] = []
        private var numbers: [Key: Int32] = [:]
        private var numbersOfURLs: [NamedURL: Int32] = [:]

        init(limit: Int, pixelRatio: Double) {
            self.limit = limit
            self.pixelRatio = pixelRatio
        }

        mutating func number(of key: Key, _ icon: () -> (url: NamedURL, marker: IconMarker)?) -> Int32 {
            if let number = numbers[key] { return number }
            var number: Int32 = -1
            if let (url, marker) = icon() {
                let size = size(of: marker)
                if let known = numbersOfURLs[url] {
                    number = known
                    sizes[Int(known)] = Self.larger(sizes[Int(known)], size)
                } else if urls.count < limit {
                    number = Int32(urls.count)
                    numbersOfURLs[url] = number
                    urls.append(url)
                    sizes.append(size)
                } else {
                    number = Self.beyondLimit
                }
            }
            numbers[key] = number
            return number
        }

        /// The size at which an icon is drawn in picture pixels.
        ///
        /// An icon that keeps its proportions uses its own length where none is given.
        private func size(of icon: IconMarker) -> ImageSize? {
            func length(_ side: Double?) -> Int? {
                guard let side else { return nil }
                let pixels = (side * icon.scale * pixelRatio).rounded(.up)
                return pixels >= 1 && pixels <= Double(ImageSize.maximumSide) ? Int(pixels) : nil
            }
            let width = length(icon.width), height = length(icon.height)
            guard width != nil || height != nil else { return nil }
            return ImageSize(width: width ?? 1, height: height ?? 1)
        }

        private static func larger(_ one: ImageSize?, _ other: ImageSize?) -> ImageSize? {
            guard let one, let other else { return nil }
            return ImageSize(width: max(one.width, other.width), height: max(one.height, other.height))
        }
    }

    private mutating func note(_ found: [MapWarning]) {
        warningCount += found.count
        warnings += found.prefix(max(Self.warningLimit - warnings.count, 0))
    }
}

extension FeatureSource: LayerSource {
    /// `features`.
    public var kind: String { "features" }

    /// The extent of the features, or `nil` if none has coordinates.
    public var bounds: LayerBounds? {
        guard let box = boundingBox else { return nil }
        return crs.isGeographic ? LayerBounds(geographic: box) : box.extent.map { LayerBounds($0, crs: crs) }
    }

    /// Plans the features in view, and their icons.
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        if let sheet { return try plan(for: view, by: sheet, given: arrivals) }
        var planner = FeaturePlanner(source: self, viewport: view.viewport)
        let step = try planner.step()
        var plan = LayerPlan(
            nodes: [.features(step)],
            warnings: omissionWarnings(layer: view.layer)
                + planner.warnings.map { MapWarning(.style, layer: view.layer, message: $0.description) })
        var below: [Scene.Node] = []
        for (number, overlay) in overlays.enumerated() {
            let part = try overlay.plan(number, relativeTo: baseURL, for: view, given: arrivals)
            below += part.nodes
            plan.resources += part.resources
            plan.warnings += part.warnings
            if part.revision == .afterArrivals { plan.revision = .afterArrivals }
        }
        plan.nodes = below + plan.nodes
        for (address, size) in zip(step.icons, step.iconSizes) {
            plan.resources.append(
                Resource(id: view.id(.icon(address: address)), location: .url(address), name: "icon", size: size))
        }
        if planner.lostIconCount > 0 {
            let first = planner.firstLostIcon.map { ", the first is '\(String($0.prefix(60)).inOneLine)'" } ?? ""
            plan.warnings.append(
                MapWarning(
                    .notDrawn, layer: view.layer,
                    message:
                        "\(planner.lostIconCount) features have no icon: its URL cannot be resolved, "
                        + "or the document may not refer to it\(first)"))
        }
        if planner.unshownIconCount > 0 {
            plan.warnings.append(
                MapWarning(
                    .limited, layer: view.layer,
                    message: "more than \(maximumIconCount) different icons; \(planner.unshownIconCount) "
                        + "features are drawn without an icon"))
        }
        return plan
    }
}

extension FeatureSource {
    /// Plans the features in view as drawn by a style: all its layers, whatever source they name, over its background.
    private func plan(
        for view: LayerView, by sheet: StyleSheet, given arrivals: Arrivals
    ) throws(PlanError) -> LayerPlan {
        var planner = StylePlanner(
            sheet, base: sheetBaseURL, view, given: arrivals, sheetMemory.sprites, sheetMemory.glyphs)
        let drawn = sheet.layers.enumerated().filter { $1.isDrawn(at: planner.zoom) }
        for (_, layer) in drawn where layer.kind == .background { planner.add(background: layer) }
        let reach = try planner.reach(of: self)
        for (number, layer) in drawn {
            guard layer.kind != .raster, !layer.kind.drawsElevations else {
                planner.lose(layer, .otherSource)
                continue
            }
            planner.countPart()
            guard layer.kind.drawsFeatures else { continue }
            if layer.kind == .heatmap {
                try planner.add(heatmap: number, of: self)
            } else if let reach {
                try planner.add(layer: number, of: self, in: reach)
            }
        }
        var plan = planner.plan()
        plan.warnings += omissionWarnings(layer: view.layer)
        return plan
    }
}
